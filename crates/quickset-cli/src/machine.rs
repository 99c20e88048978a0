//! What this machine is called.

use std::{env, fs};

/// The processor's name, where the system tells.
pub fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| format!("{} {}", env::consts::OS, env::consts::ARCH), |(_, name)| name.trim().to_string())
}

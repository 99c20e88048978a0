//! What reports say of a run: the machine it was made on, and the call.

use std::{env, fs};

/// The processor's name, where the system tells.
pub fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let name = text.lines().find_map(|line| line.strip_prefix("model name")?.split_once(':'));
    name.map_or_else(|| format!("{} {}", env::consts::OS, env::consts::ARCH), |(_, name)| name.trim().to_string())
}

/// The command as it was called, for a shell.
pub fn command_line() -> String {
    env::args().skip(1).fold("quickset".to_string(), |line, argument| line + " " + &quoted(&argument))
}

/// An argument as a shell takes it.
fn quoted(argument: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "-_./:=,+%@".contains(c);
    if !argument.is_empty() && argument.chars().all(plain) {
        return argument.to_string();
    }
    format!("'{}'", argument.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_quoted_for_a_shell() {
        assert_eq!(quoted("c45,nt"), "c45,nt");
        assert_eq!(quoted("c45[min-rows=5]"), "'c45[min-rows=5]'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted(""), "''");
    }
}

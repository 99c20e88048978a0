//! A folder of its own for each test, and the command run in it.

use std::path::PathBuf;

use assert_cmd::Command;
use serde_json::Value;
use tempfile::TempDir;

/// Rows with numbers, levels, a missing value and a class; outlook and windy decide most.
pub const WEATHER: &str = "\
outlook,temperature,humidity,windy,play
sunny,85,85,no,no
sunny,80,90,yes,no
overcast,83,86,no,yes
rainy,70,96,no,yes
rainy,68,80,no,yes
rainy,65,70,yes,no
overcast,64,65,yes,yes
sunny,72,95,no,no
sunny,69,70,no,yes
rainy,75,80,no,yes
sunny,75,70,yes,yes
overcast,72,90,yes,yes
overcast,81,75,no,yes
rainy,71,91,yes,no
";

/// A folder that goes with the test.
pub struct Folder {
    temporary: TempDir,
}

/// What a call left behind.
pub struct Ran {
    pub code: i32,
    pub out: String,
    pub err: String,
}

impl Folder {
    pub fn new() -> Self {
        Folder { temporary: tempfile::tempdir().unwrap() }
    }

    /// The weather as `weather.csv`, and a model of it as `model.json`.
    pub fn with_model() -> Self {
        let folder = Self::new();
        folder.write("weather.csv", WEATHER);
        folder.run("train weather.csv --output model.json").succeeded();
        folder
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.temporary.path().join(name)
    }

    pub fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.path(name), contents).unwrap();
    }

    pub fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.path(name)).unwrap()
    }

    /// The names of all files, in order.
    pub fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.temporary.path()).unwrap();
        let mut names: Vec<String> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }

    /// The command in this folder, to be given arguments.
    pub fn command(&self) -> Command {
        let mut command = assert_cmd::cargo::cargo_bin_cmd!("quickset");
        command.current_dir(self.temporary.path());
        command
    }

    /// Runs the command; the arguments are divided at spaces.
    pub fn run(&self, arguments: &str) -> Ran {
        Ran::of(self.command().args(arguments.split(' ')))
    }

    /// The same with something on standard input.
    pub fn run_with_input(&self, arguments: &str, input: impl Into<Vec<u8>>) -> Ran {
        Ran::of(self.command().args(arguments.split(' ')).write_stdin(input))
    }
}

impl Ran {
    pub fn of(command: &mut Command) -> Self {
        let output = command.output().unwrap();
        Ran {
            code: output.status.code().expect("it was not killed"),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }

    /// Demands exit code 0 and answers what was printed.
    #[track_caller]
    pub fn succeeded(&self) -> &str {
        assert_eq!(self.code, 0, "{}{}", self.out, self.err);
        &self.out
    }

    /// Demands exit code 0 and answers the one JSON document that was printed, on one line.
    #[track_caller]
    pub fn json(&self) -> Value {
        let out = self.succeeded();
        assert_eq!(out.lines().count(), 1, "{out}");
        serde_json::from_str(out).unwrap()
    }

    /// Demands the exit code, a sentence with all these parts, and nothing on standard output.
    #[track_caller]
    pub fn failed(&self, code: i32, parts: &[&str]) {
        assert_eq!(self.code, code, "{}{}", self.out, self.err);
        assert!(self.err.contains("error: "), "{}", self.err);
        assert!(!self.err.contains("panicked"), "{}", self.err);
        for part in parts {
            assert!(self.err.contains(part), "{part:?} is not in: {}", self.err);
        }
        assert_eq!(self.out, "");
    }
}

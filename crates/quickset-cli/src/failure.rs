//! What a failure means to the caller: a sentence and an exit code.

use std::fmt;
use std::io;
use std::process::ExitCode;

use quickset::ErrorKind;

use crate::output::Console;

const FAILED: u8 = 1;
const WRONG_USAGE: u8 = 2;

/// The arguments cannot be followed, whatever the data.
#[derive(Debug)]
pub struct Usage(pub String);

impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Usage {}

/// Says what went wrong and answers the exit code.
pub fn report(error: &anyhow::Error, console: &Console) -> ExitCode {
    if is_broken_pipe(error) {
        // Whoever read our output has seen enough, as `head` does.
        return ExitCode::SUCCESS;
    }
    console.error(&format!("{error:#}"));
    ExitCode::from(code(error))
}

fn code(error: &anyhow::Error) -> u8 {
    let recipe = error.downcast_ref::<quickset::Error>().is_some_and(|error| error.kind() == ErrorKind::Recipe);
    if recipe || error.is::<Usage>() { WRONG_USAGE } else { FAILED }
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_recipe_is_wrong_usage_and_bad_data_are_a_failure() {
        assert_eq!(code(&quickset::Recipe::named("oak").unwrap_err().into()), WRONG_USAGE);
        assert_eq!(code(&Usage("no".into()).into()), WRONG_USAGE);
        assert_eq!(code(&quickset::Error::data("no rows").into()), FAILED);
    }
}

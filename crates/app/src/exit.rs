//! Exit codes for scripts, and error messages for operators.

use std::process::ExitCode;

/// Exit codes of the program. They are stable, because scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Failure that the caller could not foresee.
    Failure = 1,
    /// Invalid command line.
    Usage = 2,
    /// Invalid configuration, data directory or secret.
    Configuration = 3,
    /// The named object does not exist.
    NotFound = 4,
    /// Neither a server nor the store could be reached.
    Unreachable = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Failure of a command: an exit code, and one sentence with the cause and the remedy.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct CommandError {
    /// Exit code.
    pub(crate) exit: Exit,
    /// Message.
    pub(crate) message: String,
}

impl CommandError {
    /// Creates a failure with the code `exit`.
    pub(crate) fn new(exit: Exit, sentence: impl Into<String>) -> Self {
        Self { exit, message: without_os_codes(sentence.into()) }
    }

    /// Creates a failure that the caller could not foresee.
    pub(crate) fn internal(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Failure, sentence)
    }

    /// Creates a failure of the configuration, the data directory or a secret.
    pub(crate) fn configuration(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, sentence)
    }

    /// Creates a failure to reach a server or the store.
    pub(crate) fn unreachable(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Unreachable, sentence)
    }
}

/// Removes the numbers that the standard library appends to system errors: ` (os error 2)`.
fn without_os_codes(mut sentence: String) -> String {
    while let Some(start) = sentence.find(" (os error ") {
        let Some(length) = sentence[start..].find(')') else { break };
        sentence.replace_range(start..=start + length, "");
    }
    sentence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_the_operating_system_are_left_out() {
        let error = std::io::Error::from_raw_os_error(2);
        let sentence = CommandError::internal(format!("a cannot be read ({error}), b neither ({error})")).message;
        assert_eq!(sentence, "a cannot be read (No such file or directory), b neither (No such file or directory)");
    }

    #[test]
    fn the_codes_are_the_documented_ones() {
        let codes = [Exit::Failure, Exit::Usage, Exit::Configuration, Exit::NotFound, Exit::Unreachable];
        assert_eq!(codes.map(|exit| exit as u8), [1, 2, 3, 4, 5]);
    }
}

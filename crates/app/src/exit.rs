//! How a command ends: a code for scripts, a sentence for people.

use std::process::ExitCode;

/// The exit codes of the program. Scripts rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Something failed that the caller could not have known.
    Failure = 1,
    /// The command line is wrong.
    Usage = 2,
    /// The configuration, the data directory or a secret is wrong.
    Configuration = 3,
    /// What was named does not exist.
    NotFound = 4,
    /// No server, and no store, could be reached.
    Unreachable = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

/// Why a command failed: one sentence that names what is wrong and what to do, and the code to end with.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub(crate) struct CommandError {
    /// The code.
    pub(crate) exit: Exit,
    /// The sentence.
    pub(crate) message: String,
}

impl CommandError {
    /// A failure that ends with `exit`.
    pub(crate) fn new(exit: Exit, sentence: impl Into<String>) -> Self {
        Self { exit, message: without_os_codes(sentence.into()) }
    }

    /// A failure that the caller could not have known.
    pub(crate) fn internal(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Failure, sentence)
    }

    /// A wrong configuration, data directory or secret.
    pub(crate) fn configuration(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Configuration, sentence)
    }

    /// Neither a server nor a store to talk to.
    pub(crate) fn unreachable(sentence: impl Into<String>) -> Self {
        Self::new(Exit::Unreachable, sentence)
    }
}

/// The sentence without the numbers that the standard library adds to errors of the operating system: ` (os error 2)`.
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

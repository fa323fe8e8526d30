//! Exit codes for scripts, and error messages for operators.

use std::process::ExitCode;

/// Declares the exit codes with their documentation. The doc comment of a code is its cause.
macro_rules! exit_codes {
    ($(#[doc = $cause:literal] $name:ident = $code:literal $word:literal retry $retry:ident $action:literal;)*) => {
        /// Exit codes of the program. They are stable, because scripts rely on them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Exit { $(#[doc = $cause] $name = $code,)* }

        /// Line of the help text that lists the exit codes.
        pub(crate) const EXIT_CODES: &str = concat!("Exit codes: 0 ok" $(, ", ", $code, " ", $word)*, ".");

        /// Returns the rows of the reference page.
        #[cfg(test)]
        pub(crate) fn exit_specs() -> Vec<ExitSpec> {
            vec![$(ExitSpec {
                code: $code,
                word: $word,
                cause: $cause.trim_ascii(),
                action: $action,
                retry: voight_api::Retry::$retry,
            }),*]
        }
    };
}

exit_codes! {
    /// The command failed for a reason without a code of its own, for example a conflict, or a verification found an error.
    Failure = 1 "failure" retry No
        "Read the message; it names the cause and the remedy. The log of the server has more if the server failed.";
    /// The command line is invalid, or the server rejected a value in it.
    Usage = 2 "usage" retry No
        "Correct the argument that the message names; `--help` of the command lists all of them.";
    /// The configuration, the data directory, a secret or the admin token is invalid.
    Configuration = 3 "configuration" retry No
        "Run `voight config check` and `voight doctor`, and correct what they name.";
    /// The named object, or the store, does not exist.
    NotFound = 4 "not found" retry No
        "List the objects of the kind, for example with `voight client list`, and use the name or id from the list. Create a store with `voight store init` or `voight serve`.";
    /// Neither a server nor the store can be reached, or the store is in use by another process.
    Unreachable = 5 "unreachable" retry Yes
        "Start the server or its database, or name another server with `--server`. Then run the command again.";
}

/// Exit code on the reference page.
#[cfg(test)]
pub(crate) struct ExitSpec {
    pub(crate) code: u8,
    pub(crate) word: &'static str,
    pub(crate) cause: &'static str,
    pub(crate) action: &'static str,
    pub(crate) retry: voight_api::Retry,
}

impl Exit {
    /// Returns the exit code for an error of the admin API with this HTTP status.
    pub(crate) const fn of_status(status: u16) -> Self {
        match status {
            400 | 422 => Self::Usage,
            401 => Self::Configuration,
            404 => Self::NotFound,
            502..=504 => Self::Unreachable,
            _ => Self::Failure,
        }
    }
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
        Self {
            exit,
            message: without_os_codes(sentence.into()),
        }
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
        let Some(length) = sentence[start..].find(')') else {
            break;
        };
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
        let sentence =
            CommandError::internal(format!("a cannot be read ({error}), b neither ({error})"))
                .message;
        assert_eq!(
            sentence,
            "a cannot be read (No such file or directory), b neither (No such file or directory)"
        );
    }

    #[test]
    fn the_codes_are_the_documented_ones() {
        let codes = [
            Exit::Failure,
            Exit::Usage,
            Exit::Configuration,
            Exit::NotFound,
            Exit::Unreachable,
        ];
        assert_eq!(codes.map(|exit| exit as u8), [1, 2, 3, 4, 5]);
    }
}

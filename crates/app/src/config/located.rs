//! Messages about a configuration, with their position in the file.

use super::layer::Source;
use super::line_index::LineIndex;
use crate::exit::CommandError;
use std::fmt;
use std::path::PathBuf;

/// Message about the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocatedDiagnostic {
    /// Configuration file, if the message is about one.
    pub(crate) file: Option<PathBuf>,
    /// Line in the file, from 1, if known.
    pub(crate) line: Option<usize>,
    /// Problem with its correction, or advisory.
    pub(crate) message: String,
}

/// All problems of a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigErrors(pub(crate) Vec<LocatedDiagnostic>);

impl ConfigErrors {
    /// Sorts the problems by line; problems without a line are first.
    pub(super) fn sorted(mut problems: Vec<LocatedDiagnostic>) -> Self {
        problems.sort_by_key(|problem| problem.line);
        Self(problems)
    }
}

impl LocatedDiagnostic {
    /// Creates a message without a position.
    pub(crate) fn plain(sentence: impl Into<String>) -> Self {
        Self {
            file: None,
            line: None,
            message: sentence.into(),
        }
    }

    /// Creates a message about `key`, which `source` sets.
    pub(super) fn at_key(source: &Source, key: &str, lines: &LineIndex, sentence: String) -> Self {
        match source {
            Source::File(path) => Self {
                file: Some(path.clone()),
                line: lines.line_of(key),
                message: sentence,
            },
            _ => Self::plain(sentence),
        }
    }
}

impl fmt::Display for LocatedDiagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.file, self.line) {
            (Some(file), Some(line)) => write!(f, "{}:{line}: {}", file.display(), self.message),
            (Some(file), None) => write!(f, "{}: {}", file.display(), self.message),
            _ => f.write_str(&self.message),
        }
    }
}

impl From<ConfigErrors> for CommandError {
    fn from(ConfigErrors(problems): ConfigErrors) -> Self {
        let lines: Vec<_> = problems.iter().map(ToString::to_string).collect();
        Self::configuration(lines.join("\n"))
    }
}

//! What is said about a configuration, with the place in the file.

use super::layer::Source;
use super::lines::LineIndex;
use crate::exit::CommandError;
use std::fmt;
use std::path::PathBuf;

/// A sentence about the configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct LocatedDiagnostic {
    /// The file, if it is about a file.
    pub(crate) file: Option<PathBuf>,
    /// The line in it, from 1, if it could be found.
    pub(crate) line: Option<usize>,
    /// What is wrong and what to do, or what is worth knowing.
    pub(crate) message: String,
}

/// Everything that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigErrors(pub(crate) Vec<LocatedDiagnostic>);

impl ConfigErrors {
    /// Problems in the order of the file's lines; first those that have none.
    pub(super) fn sorted(mut problems: Vec<LocatedDiagnostic>) -> Self {
        problems.sort_by_key(|problem| problem.line);
        Self(problems)
    }
}

impl LocatedDiagnostic {
    /// A sentence about no place.
    pub(super) fn plain(sentence: impl Into<String>) -> Self {
        Self { file: None, line: None, message: sentence.into() }
    }

    /// A sentence about `key`, which `source` sets.
    pub(super) fn at_key(source: &Source, key: &str, lines: &LineIndex, sentence: String) -> Self {
        match source {
            Source::File(path) => Self { file: Some(path.clone()), line: lines.line_of(key), message: sentence },
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

//! Directory of recordings. Any of its files may be absent; absent files are reported by name.

mod archive;
mod clicks;
pub mod pointer;
mod sessions;

pub use sessions::RecordedSession;

use anyhow::{Result, ensure};
use pointer::RecordedMovement;
use std::path::{Path, PathBuf};

/// Segment files that a corpus should have; it may have more with the same ending.
///
/// The line of a segment names its source, not the name of its file.
const POINTER_FILES: [&str; 2] = ["human_pointer.jsonl.gz", "bot_pointer.jsonl.gz"];
/// Archive of sessions, and the directory of its unpacked files, which is read if there is no archive.
const SESSIONS: [&str; 2] = ["browser_sessions.tar.xz", "browser_sessions"];

/// Contents of a corpus directory.
#[derive(Debug, Default)]
pub struct Corpus {
    /// Sessions of browsers, in the order of families and numbers.
    pub sessions: Vec<RecordedSession>,
    /// Movements of people.
    pub people: Vec<RecordedMovement>,
    /// Movements of tools.
    pub tools: Vec<RecordedMovement>,
    /// Files that were absent or contained no usable recording, with the reason.
    pub skipped: Vec<String>,
}

impl Corpus {
    /// Reads a corpus directory. A directory without recordings, and a corrupt file, are errors that name it.
    pub fn read(dir: &Path) -> Result<Self> {
        ensure!(
            dir.is_dir(),
            "{} does not exist: name the recordings with --corpus or VOIGHT_CORPUS",
            dir.display()
        );
        let mut corpus = Self::default();
        let absent = POINTER_FILES.iter().filter(|name| !dir.join(name).exists());
        corpus
            .skipped
            .extend(absent.map(|name| format!("{name}: no such file")));
        corpus.add(pointer::read_all(dir)?);
        match sessions::read(dir, &SESSIONS)? {
            Some(recorded) => {
                corpus.add(recorded.clicks);
                corpus.sessions = recorded.sessions;
                corpus.skipped.extend(recorded.skipped);
            }
            None => corpus
                .skipped
                .push(format!("{}: no such file", SESSIONS[0])),
        }
        let recording_count = corpus.sessions.len() + corpus.people.len() + corpus.tools.len();
        ensure!(
            recording_count > 0,
            "{} contains no recordings: it must contain {} or {}",
            dir.display(),
            POINTER_FILES.join(", "),
            SESSIONS[0]
        );
        Ok(corpus)
    }

    fn add(&mut self, segments: Vec<RecordedMovement>) {
        let (people, tools): (Vec<_>, Vec<_>) =
            segments.into_iter().partition(|segment| segment.human);
        self.people.extend(people);
        self.tools.extend(tools);
    }
}

/// Returns the default directory: `VOIGHT_CORPUS`, or the one next to the repository.
pub fn default_dir() -> PathBuf {
    let shared_data = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../shared/data");
    std::env::var_os("VOIGHT_CORPUS").map_or_else(shared_data, PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn dir(files: &[(&str, &str)]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        dir
    }

    const SESSION: &str = r#"{"frame": {"events": []}}"#;

    #[test]
    fn absent_files_are_reported() {
        let dir = dir(&[
            ("browser_sessions/b/10.json", SESSION),
            ("browser_sessions/b/9.json", SESSION),
            ("browser_sessions/a/0.json", r#"{"host": {}}"#),
        ]);
        let corpus = Corpus::read(dir.path()).unwrap();
        let names: Vec<_> = corpus
            .sessions
            .iter()
            .map(|session| session.name.as_str())
            .collect();
        assert_eq!(names, ["b/9.json", "b/10.json"]);
        assert_eq!(corpus.sessions[0].family, "b");
        let skip_lines = corpus.skipped.join("\n");
        assert!(
            skip_lines.contains("human_pointer")
                && skip_lines.contains("bot_pointer")
                && skip_lines.contains("a/0.json")
        );
    }

    #[test]
    fn a_missing_or_empty_directory_is_an_error() {
        let error = Corpus::read(Path::new("/nowhere")).unwrap_err().to_string();
        assert!(
            error.contains("/nowhere") && error.contains("--corpus"),
            "{error}"
        );
        let empty = Corpus::read(dir(&[("else.txt", "")]).path())
            .unwrap_err()
            .to_string();
        assert!(empty.contains("contains no recordings"), "{empty}");
    }

    #[test]
    fn corrupt_file_error_has_name_and_line() {
        let broken = dir(&[("browser_sessions/a/0.json", "{\n\"frame\": oops}")]);
        let error = format!("{:#}", Corpus::read(broken.path()).unwrap_err());
        assert!(
            error.contains("a/0.json") && error.contains("line 2"),
            "{error}"
        );
        let no_archive = dir(&[("browser_sessions.tar.xz", "not compressed")]);
        let error = format!("{:#}", Corpus::read(no_archive.path()).unwrap_err());
        assert!(error.contains("browser_sessions.tar.xz"), "{error}");
    }
}

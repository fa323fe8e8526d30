//! Directory of recordings: the movements of humans and of bots, and the evidence of each check.
//!
//! Humans and bots have one file of movements each.

use super::segment::MovementLine;
use crate::cli::file::OutputFile;
use crate::exit::{CommandError, Exit};
use crate::write_failure::write_failure;
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use voight_api::admin::{Recording, Truth};

/// Directory with the records to add.
pub(super) struct RecordingDir {
    movements: PathBuf,
    evidence: PathBuf,
    /// Checks whose movements the directory already contains.
    known: HashSet<String>,
    /// Content of the file of movements.
    lines: Vec<u8>,
}

/// Fields that are read from an existing line.
#[derive(Debug, Deserialize)]
struct ExistingLine {
    sess: String,
}

impl RecordingDir {
    /// Reads the directory at `path` with its movements. Creates nothing: the first `add`, or `write`, creates the directory.
    pub(super) fn open(path: &Path, truth: Truth) -> Result<Self, CommandError> {
        let (file, evidence) = match truth {
            Truth::Human => ("human_pointer.jsonl.gz", "human_evidence"),
            Truth::Bot => ("bot_pointer.jsonl.gz", "bot_evidence"),
        };
        let movements = path.join(file);
        let evidence = path.join(evidence);
        if path.exists() && !path.is_dir() {
            return Err(unusable(path, &io::ErrorKind::NotADirectory.into()));
        }
        let mut folder = Self {
            movements,
            evidence,
            known: HashSet::new(),
            lines: Vec::new(),
        };
        if folder.movements.exists() {
            folder.read()?;
        }
        Ok(folder)
    }

    fn read(&mut self) -> Result<(), CommandError> {
        let wrong = |at: usize, why: &dyn std::fmt::Display| {
            let file = self.movements.display();
            CommandError::new(
                Exit::Usage,
                format!(
                    "line {at} of {file} is not a recorded movement ({why}); name another directory with --out"
                ),
            )
        };
        let file =
            File::open(&self.movements).map_err(|error| unusable(&self.movements, &error))?;
        let mut known_ids = HashSet::new();
        let mut lines = Vec::new();
        for (at, line) in (1..).zip(BufReader::new(MultiGzDecoder::new(file)).lines()) {
            let line = line.map_err(|error| wrong(at, &error))?;
            let ExistingLine { sess } =
                serde_json::from_str(&line).map_err(|error| wrong(at, &error))?;
            known_ids.insert(sess);
            lines.extend_from_slice(line.as_bytes());
            lines.push(b'\n');
        }
        (self.known, self.lines) = (known_ids, lines);
        Ok(())
    }

    fn create(&self) -> Result<(), CommandError> {
        fs::create_dir_all(&self.evidence).map_err(|error| unusable(&self.evidence, &error))
    }

    /// Returns `true` if the directory contains the movements of the check.
    pub(super) fn holds(&self, check: &str) -> bool {
        self.known.contains(check)
    }

    /// Adds a check: writes its evidence immediately, and queues its movements for [`write`](Self::write).
    pub(super) fn add(
        &mut self,
        recording: &Recording,
        segments: &[MovementLine<'_>],
    ) -> Result<(), CommandError> {
        self.create()?;
        let path = self.evidence_of(&recording.check_id);
        let write_error = |error: io::Error| unusable(&path, &error);
        for segment in segments {
            serde_json::to_writer(&mut self.lines, segment)
                .map_err(|error| write_error(error.into()))?;
            self.lines.push(b'\n');
        }
        let draft = OutputFile::create(&path)?;
        serde_json::to_writer(draft.file(), recording)
            .map_err(|error| write_error(error.into()))?;
        draft.sync()?;
        // Evidence without movements is left over from an interrupted export.
        draft.persist_over(&path)
    }

    /// Rewrites the file of movements atomically; returns its path.
    pub(super) fn write(self) -> Result<PathBuf, CommandError> {
        self.create()?;
        let Self {
            movements, lines, ..
        } = self;
        let draft = OutputFile::create(&movements)?;
        let mut out = GzEncoder::new(draft.file(), Compression::best());
        let result = out.write_all(&lines).and_then(|()| out.finish().map(drop));
        result.map_err(|error| unusable(&movements, &error))?;
        draft.sync()?;
        draft.persist_over(&movements)?;
        Ok(movements)
    }

    fn evidence_of(&self, check: &str) -> PathBuf {
        self.evidence.join(format!("{check}.json"))
    }
}

fn unusable(path: &Path, error: &io::Error) -> CommandError {
    write_failure(path, error, "name another directory with --out")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::recording::segment::RecordingSource;
    use serde_json::json;

    const ORIGIN: RecordingSource<'_> = RecordingSource {
        src: "voight",
        user: "ab",
        sess: "one",
        lab: 0,
        tool: "human",
    };

    fn recording(check: &str) -> Recording {
        Recording {
            person: "ab".into(),
            check_id: check.into(),
            batches: Vec::new(),
        }
    }

    /// Returns the flags of an event: a click was made with a pointer.
    fn flags(kind: i64) -> i64 {
        if kind == 6 { 7 } else { 3 }
    }

    fn body() -> serde_json::Value {
        let row = |kind: i64, role: i64| {
            json!([
                kind,
                100,
                5,
                5,
                5,
                5,
                0,
                0,
                0,
                0,
                0,
                flags(kind),
                role,
                1,
                0,
                40,
                []
            ])
        };
        let ctx = json!({"contextId": "recorded", "address": "recorded", "batch": 1, "clientVersion": "1"});
        json!({"v": 1, "ctx": ctx, "pointer": [row(0, 0), row(1, 1), row(2, 1), row(6, 1)]})
    }

    fn lines(folder: &Path) -> Vec<String> {
        let file = File::open(folder.join("human_pointer.jsonl.gz")).unwrap();
        BufReader::new(MultiGzDecoder::new(file))
            .lines()
            .map(Result::unwrap)
            .collect()
    }

    #[test]
    fn existing_recordings_are_kept_and_no_check_is_duplicated() {
        let at = tempfile::tempdir().unwrap();
        let mut folder = RecordingDir::open(at.path(), Truth::Human).unwrap();
        folder
            .add(
                &recording("one"),
                &[MovementLine::from_json(&body(), ORIGIN).unwrap()],
            )
            .unwrap();
        folder.write().unwrap();
        let mut folder = RecordingDir::open(at.path(), Truth::Human).unwrap();
        assert!(folder.holds("one") && !folder.holds("two"));
        let two = RecordingSource {
            sess: "two",
            ..ORIGIN
        };
        folder
            .add(
                &recording("two"),
                &[MovementLine::from_json(&body(), two).unwrap()],
            )
            .unwrap();
        folder.write().unwrap();
        let lines = lines(at.path());
        assert_eq!(lines.len(), 2);
        assert!(
            lines[0].contains("\"sess\":\"one\"") && lines[1].contains("\"sess\":\"two\""),
            "{lines:?}"
        );
        assert!(at.path().join("human_evidence/two.json").exists());
        assert!(
            !RecordingDir::open(at.path(), Truth::Bot)
                .unwrap()
                .holds("one")
        );
    }

    #[test]
    fn a_foreign_file_is_rejected_and_not_modified() {
        let at = tempfile::tempdir().unwrap();
        let file = at.path().join("human_pointer.jsonl.gz");
        fs::write(&file, "no gzip").unwrap();
        let failure = RecordingDir::open(at.path(), Truth::Human).err().unwrap();
        assert_eq!(failure.exit, Exit::Usage);
        assert!(
            failure.message.contains("line 1 of")
                && failure.message.contains("name another directory"),
            "{failure}"
        );
        assert_eq!(fs::read(&file).unwrap(), b"no gzip");
    }
}

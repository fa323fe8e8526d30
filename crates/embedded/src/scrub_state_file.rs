//! Scrub state file: the result of the last scrub pass, in a file next to the store.
//!
//! The file is part of neither the store nor its backups. If it is lost, the next pass writes a new one.

use crate::Identity;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use voight_domain::ports::{ScrubPass, TableRows};
use voight_engine::store::{replace_file, with_suffix};

/// Scrub state file `PATH.scrub` of the store at `PATH`. Its lines of `name = value` are readable by an operator.
#[derive(Debug, Clone)]
pub struct ScrubStateFile {
    path: PathBuf,
}

impl ScrubStateFile {
    /// Returns the scrub state file of the store at `store`.
    pub fn for_store(store: &Path) -> Self {
        Self {
            path: with_suffix(store, ".scrub"),
        }
    }

    /// Reads the last scrub pass of the store `identity`. Returns `None` if the file is missing, unreadable or of
    /// another store.
    pub fn read(&self, identity: &Identity) -> Option<ScrubPass> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut lines = text.lines().filter_map(|line| line.split_once(" = "));
        let mut value_of =
            |name: &str| lines.find_map(|(line_name, value)| (line_name == name).then_some(value));
        if value_of("id")? != identity.id() {
            return None;
        }
        let finished_at = value_of("finished_at")?.parse().ok()?;
        let damaged_records = value_of("damaged")?.parse().ok()?;
        let tables = text
            .lines()
            .filter_map(|line| table(line.strip_prefix("table = ")?))
            .collect();
        Some(ScrubPass {
            finished_at,
            damaged: damaged_records,
            tables,
        })
    }

    /// Replaces the file atomically: after a crash it has either the old or the new content.
    pub(crate) fn write(&self, identity: &Identity, scrub_pass: &ScrubPass) -> io::Result<()> {
        replace_file(&self.path, &render(identity, scrub_pass))
    }

    /// Returns the path of the file.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Parses one table line. The numbers precede the table, because names of tables contain spaces.
fn table(line: &str) -> Option<TableRows> {
    let mut words = line.splitn(3, ' ');
    let [rows, bytes, table] = [words.next()?, words.next()?, words.next()?];
    Some(TableRows {
        table: table.to_owned(),
        rows: rows.parse().ok()?,
        bytes: bytes.parse().ok()?,
    })
}

fn render(identity: &Identity, scrub_pass: &ScrubPass) -> String {
    let tables = scrub_pass.tables.iter().map(|table_rows| {
        format!(
            "table = {} {} {}\n",
            table_rows.rows, table_rows.bytes, table_rows.table
        )
    });
    format!(
        "# Result of the last scrub pass over the store next to this file.\n\
         id = {}\nfinished_at = {}\ndamaged = {}\n{}",
        identity.id(),
        scrub_pass.finished_at,
        scrub_pass.damaged,
        tables.collect::<String>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FORMAT, IdentityInit, StoreLocation, load_or_create};
    use voight_domain::secrets::PepperCommitment;
    use voight_engine::testing::FaultyEngine;
    use voight_support::NOW;

    fn identity(entropy: u8) -> Identity {
        let identity_init = IdentityInit {
            pepper: PepperCommitment([7; 16]),
            now: NOW,
            entropy: [entropy; 10],
            format: FORMAT,
        };
        let location = StoreLocation {
            place: "map",
            sidecar: "map.id",
        };
        load_or_create(&FaultyEngine::default(), None, &identity_init, location).unwrap()
    }

    #[test]
    fn scrub_state_of_another_store_is_ignored() {
        let folder = tempfile::tempdir().unwrap();
        let file = ScrubStateFile::for_store(&folder.path().join("store"));
        assert_eq!(file.read(&identity(1)), None);
        let tables = ["ledger row", "meter"].map(|table| TableRows {
            table: table.into(),
            rows: 3,
            bytes: 400,
        });
        let scrub_pass = ScrubPass {
            finished_at: NOW,
            damaged: 2,
            tables: tables.into(),
        };
        file.write(&identity(1), &scrub_pass).unwrap();
        assert_eq!(file.read(&identity(1)), Some(scrub_pass));
        assert_eq!(file.read(&identity(2)), None);
        fs::write(file.path(), "id = and so on").unwrap();
        assert_eq!(file.read(&identity(1)), None);
    }
}

//! The file beside a store that remembers the last round through its records.
//!
//! It is no part of the store and of no backup: whatever becomes of it, the next round writes it anew.

use crate::Identity;
use crate::identity::replace_file;
use crate::open::with_suffix;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use voight_domain::ports::{ScrubPass, TableRows};

/// `PATH.scrub` beside the store at `PATH`: lines of `name = value`, so that a person can read it.
#[derive(Debug, Clone)]
pub struct ScrubStateFile {
    path: PathBuf,
}

impl ScrubStateFile {
    /// That of the store at `store`.
    pub fn for_store(store: &Path) -> Self {
        Self { path: with_suffix(store, ".scrub") }
    }

    /// The last round through the store that is `identity`; `None` if none is known, or the file is of another store.
    pub fn read(&self, identity: &Identity) -> Option<ScrubPass> {
        let text = fs::read_to_string(&self.path).ok()?;
        let mut members = text.lines().filter_map(|line| line.split_once(" = "));
        let mut member = |name: &str| members.find_map(|(found, value)| (found == name).then_some(value));
        if member("id")? != identity.id() {
            return None;
        }
        let finished_at = member("finished_at")?.parse().ok()?;
        let damaged = member("damaged")?.parse().ok()?;
        let tables = text.lines().filter_map(|line| table(line.strip_prefix("table = ")?)).collect();
        Some(ScrubPass { finished_at, damaged, tables })
    }

    /// Writes it so that after a crash it is there whole, or as it was before.
    pub(crate) fn write(&self, identity: &Identity, round: &ScrubPass) -> io::Result<()> {
        replace_file(&self.path, &render(identity, round))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// The names of tables have spaces, so the numbers come first.
fn table(line: &str) -> Option<TableRows> {
    let mut words = line.splitn(3, ' ');
    let [rows, bytes, table] = [words.next()?, words.next()?, words.next()?];
    Some(TableRows { table: table.to_owned(), rows: rows.parse().ok()?, bytes: bytes.parse().ok()? })
}

fn render(identity: &Identity, round: &ScrubPass) -> String {
    let tables = round.tables.iter().map(|found| format!("table = {} {} {}\n", found.rows, found.bytes, found.table));
    format!(
        "# What the last look at every record of the store beside this file has found.\n\
         id = {}\nfinished_at = {}\ndamaged = {}\n{}",
        identity.id(),
        round.finished_at,
        round.damaged,
        tables.collect::<String>(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{FaultyEngine, NOW};
    use crate::{IdentityInit, load_or_create};
    use voight_domain::secrets::PepperCommitment;

    fn identity(entropy: u8) -> Identity {
        let founding = IdentityInit { pepper: PepperCommitment([7; 16]), now: NOW, entropy: [entropy; 10] };
        load_or_create(&FaultyEngine::default(), None, &founding, ("map", "map.id")).unwrap()
    }

    #[test]
    fn a_round_is_read_as_it_was_written_but_never_for_another_store() {
        let folder = tempfile::tempdir().unwrap();
        let file = ScrubStateFile::for_store(&folder.path().join("store"));
        assert_eq!(file.read(&identity(1)), None);
        let tables = ["ledger row", "meter"].map(|table| TableRows { table: table.into(), rows: 3, bytes: 400 });
        let round = ScrubPass { finished_at: NOW, damaged: 2, tables: tables.into() };
        file.write(&identity(1), &round).unwrap();
        assert_eq!(file.read(&identity(1)), Some(round));
        assert_eq!(file.read(&identity(2)), None);
        fs::write(file.path(), "id = and so on").unwrap();
        assert_eq!(file.read(&identity(1)), None);
    }
}

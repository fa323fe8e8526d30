//! Changes records in blocks.

use super::PREFIX;
use super::block::{self, Entry};
use crate::batch::{Change, Changes};
use crate::table::prefix_end;
use crate::{EngineError, Order, Read, checksum};
use std::ops::ControlFlow;

/// Changes records in ascending key order. Each block is read and written once.
pub(super) struct BlockEditor<'a, V> {
    view: &'a V,
    out: &'a mut Changes,
    open: Option<OpenBlock>,
}

/// Block with unsaved changes.
struct OpenBlock {
    /// Key of the stored block; `None` if there is none yet.
    stored: Option<Vec<u8>>,
    entries: Vec<Entry>,
    /// First key after the block: of the next block, or of another prefix.
    end: Vec<u8>,
}

impl<'a, V: Read> BlockEditor<'a, V> {
    /// Creates an editor of the blocks of `view`. It adds its changes to `out`.
    pub(super) fn new(view: &'a V, out: &'a mut Changes) -> Self {
        Self { view, out, open: None }
    }

    /// Writes or removes a record.
    pub(super) fn change(&mut self, key: Vec<u8>, record: Option<Vec<u8>>) -> Result<(), EngineError> {
        if self.open.as_ref().is_none_or(|open| open.end <= key) {
            self.save();
            self.open = Some(OpenBlock::read(self.view, &key)?);
        }
        if let Some(open) = &mut self.open {
            open.change(key, record);
        }
        Ok(())
    }

    /// Saves the last block.
    pub(super) fn finish(mut self) {
        self.save();
    }

    fn save(&mut self) {
        let Some(open) = self.open.take() else { return };
        let blocks = block::encode(&open.entries);
        if let Some(stored) = open.stored
            && blocks.first().is_none_or(|(key, _)| *key != stored)
        {
            self.out.insert(stored, Change::Remove);
        }
        self.out.extend(blocks.into_iter().map(|(key, value)| (key, Change::Put(value))));
    }
}

impl OpenBlock {
    /// Reads the block for a key: the last one at or before it, or the first one of its prefix.
    fn read(view: &impl Read, key: &[u8]) -> Result<Self, EngineError> {
        let prefix = &key[..key.len().min(PREFIX)];
        let prefix_end = prefix_end(prefix);
        let behind_key = [key, &[0]].concat();
        let mut stored = first(view, prefix, &behind_key, Order::Descending)?;
        if stored.is_none() {
            stored = first(view, &behind_key, &prefix_end, Order::Ascending)?;
        }
        let Some((at, value)) = stored else { return Ok(Self { stored: None, entries: Vec::new(), end: prefix_end }) };
        let Some(entries) = block::decode(&at, &value) else {
            return Err(EngineError::Corrupt(format!(
                "a block of records is damaged, key digest {}",
                checksum::digest(&at)
            )));
        };
        let next = first(view, &[&at[..], &[0]].concat(), &prefix_end, Order::Ascending)?;
        Ok(Self { stored: Some(at), entries, end: next.map_or(prefix_end, |(key, _)| key) })
    }

    fn change(&mut self, key: Vec<u8>, record: Option<Vec<u8>>) {
        let is_new_last = self.entries.last().is_none_or(|(last, _)| *last < key);
        let found =
            if is_new_last { Err(self.entries.len()) } else { self.entries.binary_search_by(|(at, _)| at.cmp(&key)) };
        match (found, record) {
            (Ok(index), Some(record)) => self.entries[index].1 = record,
            (Ok(index), None) => drop(self.entries.remove(index)),
            (Err(index), Some(record)) => self.entries.insert(index, (key, record)),
            (Err(_), None) => {}
        }
    }
}

/// Returns the first entry of a key range, in `order`.
fn first(view: &impl Read, from: &[u8], to: &[u8], order: Order) -> Result<Option<Entry>, EngineError> {
    let mut found = None;
    view.range(from, to, order, &mut |key, value| {
        found = Some((key.to_vec(), value.to_vec()));
        ControlFlow::Break(())
    })?;
    Ok(found)
}

//! Changes records in blocks.

use super::block::{self, Fill, Records};
use super::region::Region;
use crate::batch::{Change, Changes};
use crate::key_value::KeyValue;
use crate::{EngineError, Order, Read};
use std::ops::ControlFlow;
use voight_encoding::keyspace::prefix_end;

/// Changes records in ascending key order. Each block is read and written once.
pub(super) struct BlockEditor<'a, V> {
    view: &'a V,
    out: &'a mut Changes,
    open: Option<OpenBlock>,
}

/// Block with unsaved changes.
#[derive(Default)]
struct OpenBlock {
    /// Key of the stored block; `None` if there is none yet.
    stored: Option<Vec<u8>>,
    records: Records,
    /// `true` if a record was written before the last one.
    has_grown_inside: bool,
    /// First key after the block: of the next block, or of another prefix.
    end: Vec<u8>,
}

impl<'a, V: Read> BlockEditor<'a, V> {
    /// Creates an editor of the blocks of `view`. It adds its changes to `out`.
    pub(super) fn new(view: &'a V, out: &'a mut Changes) -> Self {
        Self {
            view,
            out,
            open: None,
        }
    }

    /// Writes or removes a record.
    pub(super) fn change(
        &mut self,
        key: Vec<u8>,
        record: Option<Vec<u8>>,
    ) -> Result<(), EngineError> {
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
        let fill = if open.has_grown_inside {
            Fill::Even
        } else {
            Fill::Full
        };
        let blocks = block::encode(&open.records, fill);
        if let Some(old_key) = open.stored
            && blocks.first().is_none_or(|(key, _)| *key != old_key)
        {
            self.out.insert(old_key, Change::Remove);
        }
        self.out.extend(
            blocks
                .into_iter()
                .map(|(key, value)| (key, Change::Put(value))),
        );
    }
}

impl OpenBlock {
    /// Reads the block for a key: the last one at or before it, or the first one of its prefix.
    fn read(view: &impl Read, key: &[u8]) -> Result<Self, EngineError> {
        let length = Region::of_key(key).map_or(1, |region| region.prefix);
        let prefix = key.get(..length).unwrap_or(key);
        let prefix_end = prefix_end(prefix);
        let behind_key = [key, &[0]].concat();
        let mut block = first(view, prefix, &behind_key, Order::Descending)?;
        if block.is_none() {
            block = first(view, &behind_key, &prefix_end, Order::Ascending)?;
        }
        let Some((block_key, value)) = block else {
            return Ok(Self {
                end: prefix_end,
                ..Self::default()
            });
        };
        let Some(records) = block::decode(&block_key, &value) else {
            return Err(block::corrupt(&block_key));
        };
        let next = first(
            view,
            &[&block_key[..], &[0]].concat(),
            &prefix_end,
            Order::Ascending,
        )?;
        let end = next.map_or(prefix_end, |(key, _)| key);
        Ok(Self {
            stored: Some(block_key),
            records,
            end,
            has_grown_inside: false,
        })
    }

    fn change(&mut self, key: Vec<u8>, record: Option<Vec<u8>>) {
        // Keys ascend, so only stored records follow a changed one, and a block has few of them.
        match (self.position(&key), record) {
            (Ok(at), Some(record)) => {
                self.has_grown_inside |= at + 1 < self.records.len();
                self.records[at].1 = record;
            }
            (Err(at), Some(record)) => {
                self.has_grown_inside |= at < self.records.len();
                self.records.insert(at, (key, record));
            }
            (Ok(at), None) => drop(self.records.remove(at)),
            (Err(_), None) => {}
        }
    }

    /// Returns the position of a key, or the position at which it belongs. Most keys belong at the end.
    fn position(&self, key: &[u8]) -> Result<usize, usize> {
        match self.records.last() {
            Some((last, _)) if key <= last.as_slice() => self
                .records
                .binary_search_by(|(record_key, _)| record_key.as_slice().cmp(key)),
            _ => Err(self.records.len()),
        }
    }
}

/// Returns the first entry of a key range, in `order`.
fn first(
    view: &impl Read,
    from: &[u8],
    to: &[u8],
    order: Order,
) -> Result<Option<KeyValue>, EngineError> {
    let mut entry = None;
    view.range(from, to, order, &mut |key, value| {
        entry = Some((key.to_vec(), value.to_vec()));
        ControlFlow::Break(())
    })?;
    Ok(entry)
}

//! A few entries at a time, for whoever goes through a database from end to end.

use crate::{EngineError, Order, Read};
use std::ops::ControlFlow;

/// The most bytes that a slice holds in memory, but for one record.
const SCAN_BATCH_BYTES: usize = 1 << 20;

/// A key and its value.
pub(crate) type KeyValue = (Vec<u8>, Vec<u8>);

/// Adds the next entries with `from <= key < to`, at most `records` of them. After an error those that came before it are there.
pub(crate) fn scan_batch(
    view: &impl Read,
    (from, to): (&[u8], &[u8]),
    records: usize,
    entries: &mut Vec<KeyValue>,
) -> Result<(), EngineError> {
    let mut bytes = 0;
    view.range(from, to, Order::Ascending, &mut |key, value| {
        bytes += key.len() + value.len();
        entries.push((key.to_vec(), value.to_vec()));
        if entries.len() < records && bytes < SCAN_BATCH_BYTES {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })
}

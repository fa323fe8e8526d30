//! Scans a database in batches bounded by record count and bytes.

use std::ops::{ControlFlow, Range};
use voight_engine::store::KeyValue;
use voight_engine::{EngineError, Order, Read};

/// Maximum number of bytes of one batch, which its last record may exceed.
const SCAN_BATCH_BYTES: usize = 1 << 20;

/// Appends the entries whose keys are in `range` to `entries`. Stops once it holds `records` entries, or `SCAN_BATCH_BYTES`
/// were read. After an error `entries` holds those read before it.
pub(crate) fn scan_batch(
    view: &impl Read,
    range: Range<&[u8]>,
    records: usize,
    entries: &mut Vec<KeyValue>,
) -> Result<(), EngineError> {
    let mut bytes = 0;
    view.range(
        range.start,
        range.end,
        Order::Ascending,
        &mut |key, value| {
            bytes += key.len() + value.len();
            entries.push((key.to_vec(), value.to_vec()));
            if entries.len() < records && bytes < SCAN_BATCH_BYTES {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        },
    )
}

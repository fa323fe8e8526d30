//! Checkpoint record: the position up to which the log is applied to the engine.

use super::entry::LogId;
use crate::{Batch, EngineError, Read, checksum};
use voight_domain::codec::{DecodeError, Decoder, Encoder};

/// Key that sorts after all tables and after the end of every range. No scan returns it, and no copy of the records
/// includes it.
const KEY: [u8; 3] = [u8::MAX; 3];
const VERSION: u8 = 1;

/// Position up to which the log is applied, written in one batch with the changes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct CheckpointRecord {
    /// Id of the log in use; `None` if everything is in the engine.
    pub(super) log: Option<LogId>,
    /// Number of the last applied entry.
    pub(super) number: u64,
    /// Offset of the next entry in the ring.
    pub(super) offset: u64,
}

impl CheckpointRecord {
    /// Reads the checkpoint record of an engine; the default if it has none.
    pub(super) fn read(view: &impl Read) -> Result<Self, EngineError> {
        let mut checkpoint = Some(Self::default());
        view.get(&KEY, &mut |value| {
            checkpoint = checksum::verify(&KEY, value).and_then(|record| Self::decode(record).ok());
        })?;
        checkpoint.ok_or_else(|| EngineError::Corrupt("its checkpoint record is invalid".into()))
    }

    /// Adds the checkpoint record to a batch.
    pub(super) fn put(&self, batch: &mut Batch) {
        let mut record = Encoder::versioned(VERSION);
        record
            .u8(self.log.is_some().into())
            .fixed(&self.log.unwrap_or_default());
        record.uint(self.number).uint(self.offset);
        batch.put(KEY.to_vec(), checksum::with_checksum(&KEY, record.finish()));
    }

    fn decode(record: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(record, VERSION)?;
        let is_open = input.u8()? != 0;
        let id = input.fixed()?;
        let marker = Self {
            log: is_open.then_some(id),
            number: input.uint()?,
            offset: input.uint()?,
        };
        input.finish()?;
        Ok(marker)
    }
}

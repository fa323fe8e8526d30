//! Addresses and rows.

use std::convert::Infallible;
use std::io::Read;
use voight_domain::snapshot::{SnapshotRow, TokenAmount};
use voight_domain::verdict::{Answer, AnsweringLayer, Confidence, DecidedBy, Detail, Status, Versions};
use voight_domain::{EoaAddress, Timestamp};
use voight_files::{AddressReader, ContentEncoding, LineError, UploadEntry, UploadError, UploadFormat, UploadLimits};

/// Number of a line, its address in lower case and its amount; or its error.
pub(crate) type Line = (u64, Result<(String, Option<u128>), LineError>);

/// Returns a different address for each index. Its digits are not sorted by the index.
pub(crate) fn address(index: u32) -> EoaAddress {
    let mut bytes = [0; 20];
    let mut state = u64::from(index);
    for chunk in bytes.chunks_mut(8) {
        // Step and mixing function of SplitMix64.
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        chunk.copy_from_slice(&mixed.to_be_bytes()[..chunk.len()]);
    }
    EoaAddress::from_bytes(bytes)
}

/// Returns a row; consecutive indices have different values in all columns.
pub(crate) fn row(index: u32) -> SnapshotRow {
    let status = [Status::Unknown, Status::Human, Status::Bot, Status::Unsure][index as usize % 4];
    let is_known = status != Status::Unknown;
    SnapshotRow {
        address: address(index),
        answer: Answer {
            is_bot: status == Status::Bot,
            score: Confidence::from_hundredths(if is_known { u8::try_from(index % 101).unwrap() } else { 0 }),
        },
        detail: Detail {
            status,
            checks: if is_known { index } else { 0 },
            last_check_at: is_known.then(|| Timestamp::from_millis(1_800_000_000_000 + i64::from(index) * 250)),
            layer: is_known
                .then(|| [AnsweringLayer::Owned, AnsweringLayer::Unverified, AnsweringLayer::Both][index as usize % 3]),
            decided_by: is_known
                .then(|| [DecidedBy::Checks, DecidedBy::Operator, DecidedBy::List][index as usize / 2 % 3]),
            versions: Versions { policy: 1, model: 1 },
        },
        amount: (!index.is_multiple_of(5)).then(|| TokenAmount::from_base_units(u128::from(index) << 64)),
        draft: None,
    }
}

/// Returns rows of a source that does not fail.
pub(crate) fn rows(count: u32) -> impl Iterator<Item = Result<SnapshotRow, Infallible>> {
    (0..count).map(|index| Ok(row(index)))
}

/// Reads an upload without compression and with the default limits.
pub(crate) fn read(format: UploadFormat, text: &[u8]) -> Result<Vec<Line>, UploadError> {
    read_with(text, format, ContentEncoding::Plain, UploadLimits::default())
}

/// Reads an upload.
pub(crate) fn read_with(
    input: impl Read,
    format: UploadFormat,
    encoding: ContentEncoding,
    limits: UploadLimits,
) -> Result<Vec<Line>, UploadError> {
    let entry = |UploadEntry { address, amount }| (address.to_lower_hex(), amount.map(TokenAmount::base_units));
    AddressReader::new(input, format, encoding, limits)?
        .map(|line| line.map(|line| (line.number, line.entry.map(entry))))
        .collect()
}

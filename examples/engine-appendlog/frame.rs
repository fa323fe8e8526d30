//! Layout of a batch in the file: `VLOG`, the length of the changes, eight bytes of BLAKE3, the changes.

use voight_engine::Batch;

const FRAME_MAGIC: &[u8; 4] = b"VLOG";
const CHECKSUM: usize = 8;
/// Length of a value that marks a removed key.
const REMOVED: u32 = u32::MAX;

/// Key with its new value, or `None` if it is removed.
pub(super) type Change<'a> = (&'a [u8], Option<&'a [u8]>);

/// Encodes a batch at this offset of the file; `None` if it is too long for a frame.
pub(super) fn write(place: u64, batch: &Batch) -> Option<Vec<u8>> {
    let mut changes = Vec::new();
    for (key, value) in batch.iter() {
        changes.extend_from_slice(&length(&key)?.to_be_bytes());
        changes.extend_from_slice(&key);
        let size = value.as_ref().map_or(Some(REMOVED), |value| {
            length(value).filter(|size| *size != REMOVED)
        })?;
        changes.extend_from_slice(&size.to_be_bytes());
        changes.extend_from_slice(&value.unwrap_or_default());
    }
    let length = length(&changes)?.to_be_bytes();
    Some(
        [
            FRAME_MAGIC.as_slice(),
            &length,
            &checksum(place, length, &changes),
            &changes,
        ]
        .concat(),
    )
}

/// Decodes the frame at this offset, and returns the rest of `bytes`; `None` without a complete frame.
pub(super) fn read(place: u64, bytes: &[u8]) -> Option<(Vec<Change<'_>>, &[u8])> {
    let bytes = bytes.strip_prefix(FRAME_MAGIC)?;
    let (length, bytes) = bytes.split_first_chunk()?;
    let (sum, bytes) = bytes.split_first_chunk::<CHECKSUM>()?;
    let (changes, rest) = bytes.split_at_checked(size(*length)?)?;
    let is_complete = checksum(place, *length, changes) == *sum;
    Some((is_complete.then(|| split(changes)).flatten()?, rest))
}

fn split(mut bytes: &[u8]) -> Option<Vec<Change<'_>>> {
    let mut changes = Vec::new();
    while !bytes.is_empty() {
        let (key, rest) = field(bytes)?;
        let (value, rest) = match rest.strip_prefix(&REMOVED.to_be_bytes()) {
            Some(rest) => (None, rest),
            None => field(rest).map(|(value, rest)| (Some(value), rest))?,
        };
        changes.push((key, value));
        bytes = rest;
    }
    Some(changes)
}

/// Splits off a field with a length prefix.
fn field(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let (length, rest) = bytes.split_first_chunk()?;
    rest.split_at_checked(size(*length)?)
}

fn length(bytes: &[u8]) -> Option<u32> {
    u32::try_from(bytes.len()).ok()
}

fn size(length: [u8; 4]) -> Option<usize> {
    usize::try_from(u32::from_be_bytes(length)).ok()
}

/// Returns the checksum, which includes the offset, so that bytes inside a value never look like a frame.
fn checksum(place: u64, length: [u8; 4], changes: &[u8]) -> [u8; CHECKSUM] {
    let mut hasher = blake3::Hasher::new();
    hasher
        .update(&place.to_be_bytes())
        .update(&length)
        .update(changes);
    let mut short = [0; CHECKSUM];
    short.copy_from_slice(&hasher.finalize().as_bytes()[..CHECKSUM]);
    short
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_is_valid_only_at_its_offset() {
        let mut batch = Batch::default();
        batch.put(b"a".to_vec(), b"1".to_vec());
        batch.put(b"empty".to_vec(), Vec::new());
        batch.remove(b"gone".to_vec());
        let frame = write(7, &batch).unwrap();
        let (changes, rest) = read(7, &frame).unwrap();
        assert_eq!(changes.into_iter().collect::<Batch>(), batch);
        assert_eq!(rest, &b""[..]);
        assert_eq!(read(8, &frame), None);
        for length in 0..frame.len() {
            assert_eq!(
                read(7, &frame[..length]),
                None,
                "{length} of {} bytes",
                frame.len()
            );
        }
        for bit in 0..frame.len() * 8 {
            let mut corrupt_frame = frame.clone();
            corrupt_frame[bit / 8] ^= 1 << (bit % 8);
            assert_eq!(read(7, &corrupt_frame), None, "bit {bit} is flipped");
        }
    }
}

//! Writing a dump.

use super::DUMP_VERSION;
use super::format::{DumpError, MAGIC, Summary, TRAILER};
use crate::record::Encoded;
use crate::table::{EVIDENCE, Table};
use crate::{Identity, Order, Read, envelope};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};

/// Writes what is in two snapshots of the store `identity`, from front to back, holding one record at a time.
///
/// Take the snapshot of the evidence before the one of the main database: evidence that was judged meanwhile is judged again
/// after a restore, and that changes nothing; the other way round a judgement could be lost.
///
/// A damaged record ends it with an error; what was written until then has no trailer, and is no dump.
pub fn write_dump(
    identity: &Identity,
    main: &impl Read,
    evidence: Option<&impl Read>,
    out: &mut impl Write,
) -> Result<Summary, DumpError> {
    let mut out = Hashing { out, hasher: blake3::Hasher::new() };
    header(identity, &mut out)?;
    // The identity, table 1, is in the header.
    let mut rows = records(main, Table::Identity as u8 + 1..EVIDENCE.start, &mut out)?;
    if let Some(evidence) = evidence {
        rows += records(evidence, EVIDENCE, &mut out)?;
    }
    rows += records(main, EVIDENCE.end..u8::MAX, &mut out)?;
    out.write_all(&TRAILER.to_be_bytes())?;
    out.write_all(&rows.to_be_bytes())?;
    let hash = *out.hasher.finalize().as_bytes();
    out.write_all(&hash)?;
    out.flush()?;
    Ok(Summary { rows, hash })
}

fn header(identity: &Identity, out: &mut impl Write) -> Result<(), DumpError> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&DUMP_VERSION.to_be_bytes());
    let identity = identity.encode();
    let length = u16::try_from(identity.len()).map_err(DumpError::damaged)?;
    header.extend_from_slice(&length.to_be_bytes());
    header.extend_from_slice(&identity);
    out.write_all(&envelope::seal(&[], header))?;
    Ok(())
}

/// Writes the records of these tables.
fn records(view: &impl Read, tables: Range<u8>, out: &mut impl Write) -> Result<u64, DumpError> {
    let (mut rows, mut failed) = (0, None);
    let read =
        view.range(&[tables.start], &[tables.end], Order::Ascending, &mut |key, value| match record(key, value, out) {
            Ok(()) => {
                rows += 1;
                ControlFlow::Continue(())
            }
            Err(error) => {
                failed = Some(error);
                ControlFlow::Break(())
            }
        });
    read?;
    failed.map_or(Ok(rows), Err)
}

/// A stored value ends in the checksum over key and record, which goes along.
fn record(key: &[u8], value: &[u8], out: &mut impl Write) -> Result<(), DumpError> {
    if envelope::open(key, value).is_none() {
        let table = Table::of_key(key).map_or("unknown", Table::name);
        let error = envelope::damaged(table, key, "the checksum does not hold");
        return Err(DumpError::Store(error.to_string()));
    }
    out.write_all(&u16::try_from(key.len()).map_err(DumpError::damaged)?.to_be_bytes())?;
    out.write_all(&u32::try_from(value.len()).map_err(DumpError::damaged)?.to_be_bytes())?;
    out.write_all(key)?;
    out.write_all(value)?;
    Ok(())
}

struct Hashing<W> {
    out: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for Hashing<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.out.write(bytes)?;
        self.hasher.update(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

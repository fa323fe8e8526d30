//! Writes a dump.

use super::DUMP_VERSION;
use super::format::{CHECKSUM, DumpError, DumpSummary, MAGIC, TRAILER, checksum};
use crate::Identity;
use crate::read_records::corrupt_record;
use crate::record::Encode;
use crate::table::{EVIDENCE, Table};
use std::io::{self, Write};
use std::ops::{ControlFlow, Range};
use voight_engine::{Order, Read, checksum as stored};

/// Writes a dump of two snapshots of the store `identity`, sequentially with one record in memory.
///
/// Take the evidence snapshot before the main snapshot. Evidence that is judged in between is then judged again after a
/// restore, which changes nothing; in the reverse order a judgement could be lost.
///
/// # Errors
///
/// Fails at the first corrupt record. The output then has no trailer and is not a valid dump.
pub fn write_dump(
    identity: &Identity,
    main: &impl Read,
    evidence: Option<&impl Read>,
    out: &mut impl Write,
) -> Result<DumpSummary, DumpError> {
    let mut dump = DumpWriter::start(identity, out)?;
    // The header already contains the identity, which is table 1.
    dump.add_all(main, Table::Identity as u8 + 1..EVIDENCE.start)?;
    if let Some(evidence) = evidence {
        dump.add_all(evidence, EVIDENCE)?;
    }
    dump.add_all(main, EVIDENCE.end..u8::MAX)?;
    dump.finish()
}

/// Writes a dump record by record. The output is a valid dump only after [`finish`](Self::finish).
pub struct DumpWriter<W> {
    out: HashingWriter<W>,
    rows: u64,
}

impl<W: Write> DumpWriter<W> {
    /// Writes the header.
    pub fn start(identity: &Identity, out: W) -> Result<Self, DumpError> {
        let mut out = HashingWriter {
            out,
            hasher: blake3::Hasher::new(),
        };
        header(identity, &mut out)?;
        Ok(Self { out, rows: 0 })
    }

    /// Adds a record and its checksum. Keys must be added in ascending order.
    pub fn add(&mut self, key: &[u8], record: &[u8]) -> Result<(), DumpError> {
        self.add_with(key, record, checksum(key, record))
    }

    /// Writes the trailer.
    pub fn finish(mut self) -> Result<DumpSummary, DumpError> {
        self.out.write_all(&TRAILER.to_be_bytes())?;
        self.out.write_all(&self.rows.to_be_bytes())?;
        let hash = *self.out.hasher.finalize().as_bytes();
        self.out.write_all(&hash)?;
        self.out.flush()?;
        Ok(DumpSummary {
            rows: self.rows,
            hash,
        })
    }

    /// Adds all records of a range of tables.
    fn add_all(&mut self, view: &impl Read, tables: Range<u8>) -> Result<(), DumpError> {
        let mut dump_error = None;
        view.range(
            &[tables.start],
            &[tables.end],
            Order::Ascending,
            &mut |key, value| {
                dump_error = self.add_stored(key, value).err();
                if dump_error.is_none() {
                    ControlFlow::Continue(())
                } else {
                    ControlFlow::Break(())
                }
            },
        )?;
        dump_error.map_or(Ok(()), Err)
    }

    /// Adds the record of a stored value. The checksum of the dump is computed before that of the store is verified, so that one of
    /// them protects the record at every moment.
    fn add_stored(&mut self, key: &[u8], value: &[u8]) -> Result<(), DumpError> {
        let dump_checksum = checksum(key, stored::payload(value));
        let Some(record) = stored::verify(key, value) else {
            let table = Table::of_key(key).map_or("unknown", Table::name);
            return Err(DumpError::Store(
                corrupt_record(table, key, "the checksum is wrong").to_string(),
            ));
        };
        self.add_with(key, record, dump_checksum)
    }

    fn add_with(
        &mut self,
        key: &[u8],
        record: &[u8],
        checksum: [u8; CHECKSUM],
    ) -> Result<(), DumpError> {
        self.out.write_all(
            &u16::try_from(key.len())
                .map_err(DumpError::damaged)?
                .to_be_bytes(),
        )?;
        self.out.write_all(
            &u32::try_from(record.len() + CHECKSUM)
                .map_err(DumpError::damaged)?
                .to_be_bytes(),
        )?;
        self.out.write_all(key)?;
        self.out.write_all(record)?;
        self.out.write_all(&checksum)?;
        self.rows += 1;
        Ok(())
    }
}

fn header(identity: &Identity, out: &mut impl Write) -> Result<(), DumpError> {
    let mut header = MAGIC.to_vec();
    header.extend_from_slice(&DUMP_VERSION.to_be_bytes());
    let identity = identity.encode();
    let length = u16::try_from(identity.len()).map_err(DumpError::damaged)?;
    header.extend_from_slice(&length.to_be_bytes());
    header.extend_from_slice(&identity);
    out.write_all(&header)?;
    out.write_all(&checksum(&[], &header))?;
    Ok(())
}

struct HashingWriter<W> {
    out: W,
    hasher: blake3::Hasher,
}

impl<W: Write> Write for HashingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let count = self.out.write(bytes)?;
        self.hasher.update(&bytes[..count]);
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

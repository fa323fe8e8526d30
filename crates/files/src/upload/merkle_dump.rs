//! Addresses and amounts of a Merkle tree, in the JSON format of `StandardMerkleTree.dump()`.

use super::column_plan::AmountColumn;
use super::decoder::{ContentEncoding, Decoder};
use super::line::{UploadEntry, UploadLine};
use super::line_reader::{UploadError, UploadLimits};
use super::options::{ListOptions, UnitName};
use super::used_columns::UsedColumns;
use serde::Deserialize;
use serde::de::{self, DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use std::fmt;
use std::io::{self, BufReader, Read};
use voight_domain::snapshot::AmountUnit;

const FORMAT: &str = "Merkle tree dump (standard-v1)";
/// Maximum number of bytes of a string.
const MAX_STRING_BYTES: usize = 256;
const LEAF_ENCODING: [&str; 2] = ["address", "uint256"];

/// Reads the leaves of a dump, and passes each to `add`. The tree itself is not verified.
pub(super) fn read(
    input: impl Read,
    encoding: ContentEncoding,
    options: &ListOptions,
    limits: UploadLimits,
    add: &mut dyn FnMut(UploadLine) -> Result<(), UploadError>,
) -> Result<UsedColumns, UploadError> {
    require_no_columns(options)?;
    let decoder = Decoder::new(input, encoding, limits.max_bytes)
        .map_err(|source| UploadError::Input { line: 1, source })?;
    let json = BoundedJson {
        input: decoder,
        remaining: limits.max_bytes,
        string_bytes: None,
        is_escaped: false,
    };
    let mut failure = None;
    let mut deserializer =
        serde_json::Deserializer::from_reader(BufReader::with_capacity(64 << 10, json));
    let result = deserializer
        .deserialize_map(DumpVisitor {
            add,
            failure: &mut failure,
        })
        .and_then(|()| deserializer.end());
    match (failure, result) {
        (Some(error), _) => Err(error),
        (None, Err(error)) => Err(UploadError::Document {
            format: FORMAT,
            reason: error.to_string(),
        }),
        (None, Ok(())) => Ok(UsedColumns {
            address: "value 1".to_owned(),
            amount: Some(("value 2".to_owned(), AmountUnit::Base)),
            ignored: Vec::new(),
        }),
    }
}

/// Passes if the options do not contradict the format, which has fixed columns and base units.
fn require_no_columns(options: &ListOptions) -> Result<(), UploadError> {
    let reason = match options {
        _ if options.unit == Some(UnitName::Tokens) => {
            "its amounts are base units; leave the option unit out"
        }
        _ if options.has_no_amounts
            || options.address_column.is_some()
            || options.amount_column.is_some() =>
        {
            "it has no columns to choose; leave the options of columns out, or write CSV"
        }
        _ => return Ok(()),
    };
    Err(UploadError::Document {
        format: FORMAT,
        reason: reason.to_owned(),
    })
}

/// Visitor of the members of a dump.
struct DumpVisitor<'a> {
    add: &'a mut dyn FnMut(UploadLine) -> Result<(), UploadError>,
    failure: &'a mut Option<UploadError>,
}

/// Value of a leaf.
#[derive(Deserialize)]
struct Leaf {
    value: (String, String),
}

impl<'de> Visitor<'de> for DumpVisitor<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with the members format, leafEncoding, tree and values")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
        let Self { add, failure } = self;
        let mut has_format = false;
        let mut has_encoding = false;
        let mut has_values = false;
        while let Some(name) = map.next_key::<String>()? {
            match name.as_str() {
                "format" => has_format = map.next_value::<String>()? == "standard-v1",
                "leafEncoding" => has_encoding = map.next_value::<Vec<String>>()? == LEAF_ENCODING,
                "values" if has_values => return Err(de::Error::duplicate_field("values")),
                "values" => {
                    has_values = true;
                    map.next_value_seed(Leaves {
                        add: &mut *add,
                        failure: &mut *failure,
                    })?;
                }
                _ => {
                    map.next_value::<IgnoredAny>()?;
                }
            }
        }
        if has_format && has_encoding && has_values {
            Ok(())
        } else {
            Err(de::Error::custom(
                "it needs the format standard-v1, the leafEncoding [\"address\",\"uint256\"] and values; write other documents as CSV",
            ))
        }
    }
}

/// Seed of the sequence of leaves.
struct Leaves<'a> {
    add: &'a mut dyn FnMut(UploadLine) -> Result<(), UploadError>,
    failure: &'a mut Option<UploadError>,
}

impl<'de> DeserializeSeed<'de> for Leaves<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Leaves<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of leaves with an address and an amount, both as strings")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut leaves: A) -> Result<(), A::Error> {
        let column = AmountColumn {
            index: 1,
            unit: AmountUnit::Base,
            is_optional: false,
        };
        let mut number = 0;
        while let Some(Leaf {
            value: (address, amount),
        }) = leaves.next_element()?
        {
            number += 1;
            let entry =
                UploadEntry::from_cells(address.as_bytes(), Some((amount.as_bytes(), column)));
            if let Err(error) = (self.add)(UploadLine { number, entry }) {
                *self.failure = Some(error);
                return Err(de::Error::custom("the list is too long"));
            }
        }
        Ok(())
    }
}

/// JSON with a bounded length, and bounded strings, which a parser holds in memory.
struct BoundedJson<R> {
    input: R,
    remaining: u64,
    /// Number of bytes of the current string; `None` outside of strings.
    string_bytes: Option<usize>,
    /// `true` after a backslash in a string.
    is_escaped: bool,
}

impl<R: Read> Read for BoundedJson<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.input.read(buffer)?;
        self.remaining = self
            .remaining
            .checked_sub(length as u64)
            .ok_or_else(|| io::Error::other("it is too large"))?;
        for byte in buffer.iter().take(length) {
            self.string_bytes = match (self.string_bytes, byte) {
                (None, b'"') => Some(0),
                (Some(_), b'"') if !self.is_escaped => None,
                (Some(MAX_STRING_BYTES), _) => {
                    return Err(io::Error::other("a string is too long"));
                }
                (string_bytes, _) => string_bytes.map(|bytes| bytes + 1),
            };
            self.is_escaped = !self.is_escaped && *byte == b'\\';
        }
        Ok(length)
    }
}

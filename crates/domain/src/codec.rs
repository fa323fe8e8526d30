//! Binary encoding for values whose bytes are signed, chained or stored for years.
//!
//! Integers are LEB128 varints, byte strings have a length prefix, and the encoding is not self-describing: the reader
//! knows the layout from the version byte at the beginning. A decoder never panics, whatever the input.

use std::fmt::Display;
use std::str::FromStr;

/// Error of decoding bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// The bytes end in the middle of a value.
    #[error("the bytes end in the middle of a value")]
    Truncated,
    /// Bytes follow the last value.
    #[error("bytes are left over after the last value")]
    Trailing,
    /// A value is outside the range of its type.
    #[error("a value is out of range: {0}")]
    OutOfRange(&'static str),
    /// The version byte stands for a layout that this release does not support.
    #[error("unknown version {0}")]
    Version(u8),
}

/// Initial capacity of an encoder, in bytes: enough for a lookup row, the most frequent record.
const INITIAL_CAPACITY: usize = 128;

/// Appends values to a byte vector.
#[derive(Debug, Default)]
pub struct Encoder {
    bytes: Vec<u8>,
}

impl Encoder {
    /// Creates an encoder whose first byte is `version`.
    pub fn versioned(version: u8) -> Self {
        Self::with_capacity(version, INITIAL_CAPACITY)
    }

    /// Creates an encoder with this capacity in bytes, for long records.
    ///
    /// Without the capacity, growing copies the bytes several times.
    pub fn with_capacity(version: u8, room: usize) -> Self {
        let mut bytes = Vec::with_capacity(room);
        bytes.push(version);
        Self { bytes }
    }

    /// Appends one byte.
    pub fn u8(&mut self, value: u8) -> &mut Self {
        self.bytes.push(value);
        self
    }

    /// Appends an unsigned integer as a varint of 1 to 10 bytes.
    pub fn uint(&mut self, mut value: u64) -> &mut Self {
        loop {
            let [low, ..] = value.to_le_bytes();
            value >>= 7;
            if value == 0 {
                self.bytes.push(low & 0x7f);
                return self;
            }
            // The low seven bits, with the continuation bit.
            self.bytes.push(low | 0x80);
        }
    }

    /// Appends a signed integer, zigzag-encoded, so that small magnitudes stay short.
    pub fn int(&mut self, value: i64) -> &mut Self {
        self.uint((value.cast_unsigned() << 1) ^ (value >> 63).cast_unsigned())
    }

    /// Appends bytes whose length the reader knows.
    pub fn fixed(&mut self, value: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(value);
        self
    }

    /// Appends bytes with a length prefix.
    pub fn bytes(&mut self, value: &[u8]) -> &mut Self {
        self.uint(value.len() as u64);
        self.fixed(value)
    }

    /// Appends text with a length prefix.
    pub fn str(&mut self, value: &str) -> &mut Self {
        self.bytes(value.as_bytes())
    }

    /// Appends an optional value: a byte 0 or 1, then the value.
    pub fn option<T>(&mut self, value: Option<T>, write: impl FnOnce(&mut Self, T)) -> &mut Self {
        match value {
            None => {
                self.u8(0);
            }
            Some(inner) => {
                self.u8(1);
                write(self, inner);
            }
        }
        self
    }

    /// Appends a list: its length, then each value.
    pub fn list<T>(&mut self, values: &[T], mut write: impl FnMut(&mut Self, &T)) -> &mut Self {
        self.uint(values.len() as u64);
        for value in values {
            write(self, value);
        }
        self
    }

    /// Returns the bytes written so far.
    pub fn finish(&mut self) -> Vec<u8> {
        std::mem::take(&mut self.bytes)
    }
}

/// Reads values in the order in which an [`Encoder`] wrote them.
#[derive(Debug)]
pub struct Decoder<'a> {
    rest: &'a [u8],
}

impl<'a> Decoder<'a> {
    /// Creates a decoder of bytes without a version byte.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Creates a decoder of bytes whose first byte must be `version`.
    pub fn versioned(bytes: &'a [u8], version: u8) -> Result<Self, DecodeError> {
        let mut decoder = Self::new(bytes);
        match decoder.u8()? {
            found if found == version => Ok(decoder),
            found => Err(DecodeError::Version(found)),
        }
    }

    /// Reads one byte.
    pub fn u8(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.rest.split_first().ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Reads a byte that must be 0 or 1.
    pub fn bool(&mut self) -> Result<bool, DecodeError> {
        match self.u8()? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(DecodeError::OutOfRange("a truth value")),
        }
    }

    /// Reads a varint. Overlong forms are rejected, so that equal values have equal bytes.
    pub fn uint(&mut self) -> Result<u64, DecodeError> {
        let mut value = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.u8()?;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return Err(DecodeError::OutOfRange("an integer of more than 64 bits"));
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return if byte == 0 && shift > 0 {
                    Err(DecodeError::OutOfRange("an overlong integer"))
                } else {
                    Ok(value)
                };
            }
        }
        Err(DecodeError::OutOfRange("an integer of more than 64 bits"))
    }

    /// Reads a varint that must fit into `T`.
    pub fn uint_as<T: TryFrom<u64>>(&mut self) -> Result<T, DecodeError> {
        T::try_from(self.uint()?).map_err(|_| DecodeError::OutOfRange("a small integer"))
    }

    /// Reads a zigzag-encoded signed integer.
    pub fn int(&mut self) -> Result<i64, DecodeError> {
        let raw = self.uint()?;
        Ok((raw >> 1).cast_signed() ^ -((raw & 1).cast_signed()))
    }

    /// Reads exactly `N` bytes.
    pub fn fixed<const N: usize>(&mut self) -> Result<[u8; N], DecodeError> {
        let (head, rest) = self
            .rest
            .split_first_chunk::<N>()
            .ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(*head)
    }

    /// Reads bytes with a length prefix.
    pub fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.uint_as::<usize>()?;
        let (head, rest) = self
            .rest
            .split_at_checked(length)
            .ok_or(DecodeError::Truncated)?;
        self.rest = rest;
        Ok(head)
    }

    /// Reads text with a length prefix.
    pub fn str(&mut self) -> Result<&'a str, DecodeError> {
        std::str::from_utf8(self.bytes()?)
            .map_err(|_| DecodeError::OutOfRange("text that is not UTF-8"))
    }

    /// Reads text and parses it into a type that is stored as its text. Other spellings of a value are rejected, so
    /// that equal values have equal bytes.
    pub fn parsed<T: FromStr + Display>(&mut self, what: &'static str) -> Result<T, DecodeError> {
        let text = self.str()?;
        let value = text
            .parse()
            .ok()
            .filter(|value: &T| value.to_string() == text);
        value.ok_or(DecodeError::OutOfRange(what))
    }

    /// Reads an optional value.
    pub fn option<T>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Option<T>, DecodeError> {
        if self.bool()? {
            read(self).map(Some)
        } else {
            Ok(None)
        }
    }

    /// Reads a list.
    pub fn list<T>(
        &mut self,
        mut read: impl FnMut(&mut Self) -> Result<T, DecodeError>,
    ) -> Result<Vec<T>, DecodeError> {
        let length = self.uint_as::<usize>()?;
        // Every element has at least one byte, so a corrupt length cannot cause an allocation larger than the input.
        if length > self.rest.len() {
            return Err(DecodeError::Truncated);
        }
        (0..length).map(|_| read(self)).collect()
    }

    /// Returns `true` if all bytes have been read.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// Passes if all bytes have been read.
    pub fn finish(self) -> Result<(), DecodeError> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(DecodeError::Trailing)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn integers_round_trip(unsigned: u64, signed: i64) {
            let bytes = Encoder::versioned(7).uint(unsigned).int(signed).finish();
            let mut decoder = Decoder::versioned(&bytes, 7).unwrap();
            prop_assert_eq!(decoder.uint().unwrap(), unsigned);
            prop_assert_eq!(decoder.int().unwrap(), signed);
            prop_assert_eq!(decoder.finish(), Ok(()));
        }

        #[test]
        fn decoder_never_panics(bytes: Vec<u8>) {
            let mut decoder = Decoder::new(&bytes);
            let _ = decoder.uint();
            let _ = decoder.list(Decoder::int);
            let _ = decoder.option(|inner| inner.str().map(str::to_owned));
            let _ = decoder.finish();
        }
    }

    #[test]
    fn overlong_integer_is_rejected() {
        assert_eq!(
            Decoder::new(&[0x80, 0x00]).uint(),
            Err(DecodeError::OutOfRange("an overlong integer"))
        );
    }

    #[test]
    fn list_longer_than_its_bytes_is_rejected() {
        assert_eq!(
            Decoder::new(&[200, 1, 0]).list(Decoder::u8),
            Err(DecodeError::Truncated)
        );
    }
}

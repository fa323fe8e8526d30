//! Builds and parses record keys.

use super::table::{KeyPart, Table};
use voight_domain::codec::DecodeError;
use voight_domain::vocabulary::Timestamp;

/// Value of one part of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyField<'a> {
    /// Number.
    Number(u64),
    /// Time.
    Time(Timestamp),
    /// Raw bytes.
    Bytes(&'a [u8]),
}

impl KeyField<'_> {
    /// Returns the number; `None` for other values.
    pub const fn number(self) -> Option<u64> {
        match self {
            Self::Number(number) => Some(number),
            _ => None,
        }
    }
}

/// Encodes a time as bytes that sort chronologically, also before 1970.
pub const fn to_sortable_bytes(at: Timestamp) -> [u8; 8] {
    (at.as_millis().cast_unsigned() ^ 1 << 63).to_be_bytes()
}

/// Decodes the result of [`to_sortable_bytes`].
pub const fn from_sortable_bytes(bytes: [u8; 8]) -> Timestamp {
    Timestamp::from_millis((u64::from_be_bytes(bytes) ^ 1 << 63).cast_signed())
}

/// Parses a key into its table and the values of its parts.
pub fn parse_key(key: &[u8]) -> Result<(Table, Vec<KeyField<'_>>), DecodeError> {
    let table = Table::of_key(key).ok_or(DecodeError::OutOfRange("the table of a key"))?;
    let mut remaining_bytes = &key[1..];
    let mut pieces = Vec::new();
    for part in table.parts() {
        let (bytes, behind) = remaining_bytes
            .split_at_checked(part.length(remaining_bytes))
            .ok_or(DecodeError::Truncated)?;
        remaining_bytes = behind;
        pieces.push(part.read(bytes)?);
    }
    if remaining_bytes.is_empty() {
        Ok((table, pieces))
    } else {
        Err(DecodeError::Trailing)
    }
}

/// Builds the key of a table. Values that do not match the parts of the table's keys are an error.
pub fn build_key(table: Table, pieces: &[KeyField<'_>]) -> Result<Vec<u8>, DecodeError> {
    let wrong = DecodeError::OutOfRange("a piece of a key");
    if table.parts().len() != pieces.len() {
        return Err(wrong);
    }
    let mut key = vec![table as u8];
    for (part, piece) in table.parts().iter().zip(pieces) {
        part.write(*piece, &mut key).ok_or(wrong)?;
    }
    Ok(key)
}

impl KeyPart {
    /// Returns the number of bytes of the part in the remaining key.
    const fn length(self, rest: &[u8]) -> usize {
        match self {
            Self::Byte => 1,
            Self::Short => 2,
            Self::Number => 4,
            Self::Long | Self::Time => 8,
            Self::Fixed(length) => length,
            Self::Remaining => rest.len(),
        }
    }

    fn read(self, bytes: &[u8]) -> Result<KeyField<'_>, DecodeError> {
        Ok(match self {
            Self::Byte | Self::Short | Self::Number | Self::Long => KeyField::Number(
                bytes
                    .iter()
                    .fold(0, |number, byte| number << 8 | u64::from(*byte)),
            ),
            Self::Time => KeyField::Time(from_sortable_bytes(
                bytes.try_into().map_err(|_| DecodeError::Truncated)?,
            )),
            Self::Fixed(_) | Self::Remaining => KeyField::Bytes(bytes),
        })
    }

    /// Appends a value; `None` if it does not match the part or is too large.
    fn write(self, piece: KeyField<'_>, key: &mut Vec<u8>) -> Option<()> {
        match (self, piece) {
            (Self::Byte, KeyField::Number(number)) => key.push(u8::try_from(number).ok()?),
            (Self::Short, KeyField::Number(number)) => {
                key.extend(u16::try_from(number).ok()?.to_be_bytes());
            }
            (Self::Number, KeyField::Number(number)) => {
                key.extend(u32::try_from(number).ok()?.to_be_bytes());
            }
            (Self::Long, KeyField::Number(number)) => key.extend(number.to_be_bytes()),
            (Self::Time, KeyField::Time(at)) => key.extend(to_sortable_bytes(at)),
            (Self::Fixed(length), KeyField::Bytes(bytes)) if bytes.len() == length => {
                key.extend(bytes);
            }
            (Self::Remaining, KeyField::Bytes(bytes)) => key.extend(bytes),
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn parsed_keys_are_rebuilt(table in 0..40_u8, rest in prop::collection::vec(any::<u8>(), 0..60)) {
            let key = [&[table][..], &rest].concat();
            if let Ok((table, pieces)) = parse_key(&key) {
                prop_assert_eq!(build_key(table, &pieces), Ok(key));
            }
        }

        #[test]
        fn times_sort_as_their_bytes(one: i64, other: i64) {
            let [one, other] = [one, other].map(Timestamp::from_millis);
            prop_assert_eq!(to_sortable_bytes(one) < to_sortable_bytes(other), one < other);
            prop_assert_eq!(from_sortable_bytes(to_sortable_bytes(one)), one);
        }
    }

    #[test]
    fn verdict_key_is_prefixed_by_its_context() {
        let pieces = [
            KeyField::Number(2),
            KeyField::Number(3),
            KeyField::Bytes(&[0xab; 20]),
        ];
        let key = build_key(Table::Verdict, &pieces).unwrap();
        assert_eq!(
            data_encoding::HEXLOWER.encode(&key),
            format!("0b0000000200000003{}", "ab".repeat(20))
        );
        assert_eq!(parse_key(&key), Ok((Table::Verdict, pieces.to_vec())));
    }

    #[test]
    fn malformed_keys_are_rejected() {
        for key in [
            &[][..],
            &[0],
            &[200],
            &[11, 0, 0],
            &[7, 1],
            &[20, 1, 2, 3, 4, 5, 6, 7, 8, 9],
        ] {
            assert!(parse_key(key).is_err(), "{key:?}");
        }
        assert!(
            build_key(Table::ClientCounters, &[KeyField::Number(1 << 32)]).is_err(),
            "a number that has no room"
        );
        assert!(
            build_key(Table::ClientCounters, &[KeyField::Bytes(&[0; 4])]).is_err(),
            "bytes for a number"
        );
        assert!(
            build_key(Table::ClientCounters, &[]).is_err(),
            "a piece is missing"
        );
    }
}

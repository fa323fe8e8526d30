//! Ids that the service assigns: ULIDs in lower case.

use super::Timestamp;
use std::fmt;
use std::str::FromStr;
use ulid::Ulid;

/// Error returned for a text that is not an id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an id is a ULID of 26 characters, for example 01k0ab3cdefghjkmnpqrstvwxy")]
pub struct IdError;

/// Formats a ULID in lower case in `buffer`, as all ids of the service are written.
pub(super) fn lower(id: Ulid, buffer: &mut [u8; ulid::ULID_LEN]) -> &str {
    let text = id.array_to_str(buffer);
    text.make_ascii_lowercase();
    text
}

/// Parses a ULID in lower case only, so that an id has exactly one spelling.
pub(super) fn parse_lower(text: &str) -> Result<Ulid, IdError> {
    let id = Ulid::from_string(text).map_err(|_| IdError)?;
    if lower(id, &mut [0; ulid::ULID_LEN]) == text {
        Ok(id)
    } else {
        Err(IdError)
    }
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(Ulid);

        impl $name {
            /// Creates an id from the time of creation and ten random bytes.
            pub fn new(at: Timestamp, entropy: [u8; 10]) -> Self {
                Self(ulid_from(at, entropy))
            }

            /// Creates the id from these 16 bytes.
            pub fn from_bytes(bytes: [u8; 16]) -> Self {
                Self(Ulid::from_bytes(bytes))
            }

            /// Returns the 16 bytes of the id; they sort by time of creation.
            pub fn to_bytes(self) -> [u8; 16] {
                self.0.to_bytes()
            }
        }

        impl FromStr for $name {
            type Err = IdError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                parse_lower(text).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(lower(self.0, &mut [0; ulid::ULID_LEN]))
            }
        }
    };
}

/// Creates a ULID from a time and ten random bytes.
pub(super) fn ulid_from(at: Timestamp, entropy: [u8; 10]) -> Ulid {
    let millis = at.as_millis().max(0).cast_unsigned().to_be_bytes();
    let mut bytes = [0; 16];
    bytes[..6].copy_from_slice(&millis[2..]);
    bytes[6..].copy_from_slice(&entropy);
    Ulid::from_bytes(bytes)
}

id! {
    /// Id of a client: a billing account.
    ClientId
}
id! {
    /// Id of an API key. A rotation replaces the secret and keeps the id, so the key's contexts stay with it.
    KeyId
}
id! {
    /// Id of a check: one run of the window for one address in one context.
    CheckId
}
id! {
    /// Id of a named admin token.
    AdminTokenId
}
id! {
    /// Id of a receipt.
    ReceiptId
}
id! {
    /// Id of a reward snapshot.
    SnapshotId
}
id! {
    /// Id of a webhook endpoint.
    EndpointId
}
id! {
    /// Id of a user of the console.
    UserId
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ids_round_trip_and_sort_by_time(a in 0_i64..1 << 47, b in 0_i64..1 << 47, entropy: [u8; 10]) {
            let first = ClientId::new(Timestamp::from_millis(a), entropy);
            let second = ClientId::new(Timestamp::from_millis(b), entropy);
            prop_assert_eq!(first.to_string().parse::<ClientId>(), Ok(first));
            prop_assert_eq!(ClientId::from_bytes(first.to_bytes()), first);
            prop_assert_eq!(a.cmp(&b), first.cmp(&second));
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<CheckId>();
        }
    }

    #[test]
    fn upper_case_id_is_rejected() {
        let id = KeyId::new(Timestamp::from_millis(1), [0xab; 10]);
        assert_eq!(id.to_string().to_uppercase().parse::<KeyId>(), Err(IdError));
    }
}

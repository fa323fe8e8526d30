//! Test helpers for properties of every record.

use crate::Encode;
use proptest::prelude::*;

/// Tests that a record decodes to itself, and that no prefix of its bytes is a record.
pub(crate) fn survives<R: Encode + PartialEq + std::fmt::Debug>(
    record: &R,
) -> Result<(), TestCaseError> {
    let bytes = record.encode();
    let decode_result = R::decode(&bytes);
    prop_assert_eq!(decode_result.as_ref(), Ok(record));
    for length in 0..bytes.len() {
        prop_assert!(
            R::decode(&bytes[..length]).is_err(),
            "{} of {} bytes are a record",
            length,
            bytes.len()
        );
    }
    Ok(())
}

/// Declares one test per record type that its generated values survive a round trip.
macro_rules! survive {
    ($($name:ident: $strategy:expr;)*) => {
        proptest! {$(
            #[test]
            fn $name(record in $strategy) {
                $crate::testing::survives(&record)?;
            }
        )*}
    };
}
pub(crate) use survive;

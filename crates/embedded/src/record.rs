//! Records: values with a table of their own.

pub(crate) use voight_encoding::keyspace::{
    ApiKeyIndex, ApiKeyLocation, ClientCount, ClientCounters, ClientNameIndex, ClientRecord,
    ContextLocation, DueEndpoint, EvidenceByExpiry, EvidenceSummary, EvidenceTotal,
    PresentedInputIndex, SigningKeyNumber, UnjudgedCheck,
};
pub(crate) use voight_encoding::{ByteEnum, Encode, LinkRecord};

use crate::table::Table;

/// Value with a table of its own.
pub(crate) trait Record: Encode {
    /// Table that stores values of this type.
    const TABLE: Table;
}

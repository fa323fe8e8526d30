//! Parsed lines of an export.

use super::{ListedBook, ListedInvoice};
use crate::metering::{ChainHead, LedgerId, LedgerRow, Opening};
use crate::secrets::PublicKeys;
use crate::vocabulary::{ClientId, ContextId, Environment, Timestamp};

/// Version of the format.
pub const FORMAT: u32 = 1;

/// Line of an export; the variants are in the order of the file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportLine {
    /// The first line.
    Header(ExportHeader),
    /// A context of the rows.
    Context(ListedContext),
    /// Row of the ledger.
    Row(RowLine),
    /// A price book of markers or invoices.
    PriceBook(ListedBook),
    /// Invoice.
    Invoice(Box<ListedInvoice>),
    /// The last line.
    Trailer(Trailer),
}

/// Header of an export: client, ledger and head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportHeader {
    /// The identity of the store.
    pub store: String,
    /// The client that owns the ledger.
    pub client: ClientId,
    /// The name of the client at the time of the export.
    pub name: String,
    /// The environment of the ledger.
    pub environment: Environment,
    /// The time of the export.
    pub exported_at: Timestamp,
    /// The sequence number of the last row; 0 for an empty ledger.
    pub seq: u64,
    /// The chain head after the last row.
    pub head: ChainHead,
    /// The signed head: a [`SignedHead`](crate::metering::SignedHead) at the time of the export.
    pub signed_head: String,
    /// The public keys of the service.
    pub keys: PublicKeys,
}

impl ExportHeader {
    /// Returns the exported ledger.
    pub const fn ledger(&self) -> LedgerId {
        LedgerId {
            client: self.client,
            environment: self.environment,
        }
    }
}

/// Context with the number by which rows refer to it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedContext {
    /// The number within the client.
    pub number: u32,
    /// The id of the context.
    pub id: ContextId,
}

/// Row with the chain head after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowLine {
    /// The row.
    pub row: LedgerRow,
    /// The recorded head after the row, which identifies the first changed row.
    pub head: ChainHead,
    /// The opening of the commitment, if it was requested and is still stored.
    pub opening: Option<Opening>,
}

/// Trailer of an export; a file without one is truncated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    /// The number of lines before the trailer.
    pub lines: u64,
    /// The signature over these lines: a compact JWS of type [`SEAL_TYPE`](super::SEAL_TYPE).
    pub seal: String,
}

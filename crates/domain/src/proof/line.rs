//! The lines of an export, read.

use super::{ListedBook, ListedInvoice};
use crate::metering::{ChainHead, LedgerRow, Opening};
use crate::secrets::PublicKeys;
use crate::vocabulary::{ClientId, ContextId, Environment, Timestamp};

/// The version of the lines.
pub const FORMAT: u32 = 1;

/// A line of an export, in the order in which they come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ExportLine {
    /// The first line.
    Header(ExportHeader),
    /// A context that rows are about.
    Context(ListedContext),
    /// A row of the ledger.
    Row(RowLine),
    /// A price book that markers or invoices name.
    PriceBook(ListedBook),
    /// An invoice.
    Invoice(Box<ListedInvoice>),
    /// The last line.
    Trailer(Trailer),
}

/// Whose ledger it is, and where it stood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportHeader {
    /// The identity of the store.
    pub store: String,
    /// Whose ledger.
    pub client: ClientId,
    /// The client's name then.
    pub name: String,
    /// Which of the client's two.
    pub environment: Environment,
    /// When it was exported.
    pub exported_at: Timestamp,
    /// The number of the last row; 0 if there is none.
    pub seq: u64,
    /// The chain's head after it.
    pub head: ChainHead,
    /// The same, signed: a [`SignedHead`](crate::metering::SignedHead) at the time of the export.
    pub signed_head: String,
    /// The service's public keys.
    pub keys: PublicKeys,
}

/// A context under the number that rows name it by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedContext {
    /// Its number within the client.
    pub number: u32,
    /// Its id.
    pub id: ContextId,
}

/// A row with the chain's head after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowLine {
    /// The row.
    pub row: LedgerRow,
    /// The head that the service says it has after it, so that the first row that was changed can be told.
    pub head: ChainHead,
    /// What opens its commitment, if that was asked for and is still kept.
    pub opening: Option<Opening>,
}

/// The end of an export; a file without one was cut short.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trailer {
    /// How many lines are in front of it.
    pub lines: u64,
    /// A signature over them: a compact JWS of type [`SEAL_TYPE`](super::SEAL_TYPE).
    pub seal: String,
}

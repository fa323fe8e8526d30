//! The tables, and what the keys of each are made of.

use KeyPart::{Byte, Fixed, Long, Number, Remaining, Time};

/// A client's number within the store; keys carry it in place of the 16 bytes of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientNumber(pub u32);

/// A part of a key behind the byte of its table. Numbers are big-endian, so that bytes sort as the numbers do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPart {
    /// A number in one byte: an environment, a kind.
    Byte,
    /// A number in two bytes: a page.
    Short,
    /// A number in four bytes: of a client, of a context within its client, of an invoice.
    Number,
    /// A number in eight bytes: of a row, of an event.
    Long,
    /// A time in eight bytes that sort as times do.
    Time,
    /// This many bytes: an id, an address, a digest.
    Fixed(usize),
    /// All that is left: a name, a context's id.
    Remaining,
}

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident = $byte:literal, $name:literal, $parts:expr;)*) => {
        /// A table. The bytes are in every stored key, so they are never given to another table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each has its name for people beside it")]
        pub enum Table { $($(#[$meta])* $table = $byte),* }

        impl Table {
            /// The table that a key begins with.
            pub fn of_key(key: &[u8]) -> Option<Self> {
                match *key.first()? {
                    $($byte => Some(Self::$table),)*
                    _ => None,
                }
            }

            /// The table's name in messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$table => $name),* }
            }

            /// What its keys are made of.
            pub const fn parts(self) -> &'static [KeyPart] {
                match self { $(Self::$table => &$parts),* }
            }
        }
    };
}

/// A context by the number of its client and its own within that, and what lies behind it.
macro_rules! in_context {
    ($($part:expr),*) => { [Number, Number, $($part),*] };
}

/// A ledger by the number of its client and the environment, and what lies behind it.
macro_rules! in_ledger {
    ($($part:expr),*) => { [Number, Byte, $($part),*] };
}

tables! {
    Identity = 1, "identity", [];
    // The three tables that make up the holder of a key lie side by side.
    Client = 2, "client", [Fixed(16)];
    Key = 3, "key", [Number, Fixed(16)];
    KeyDigest = 4, "key digest", [Fixed(32)];
    KeyOwner = 5, "key owner", [Fixed(16)];
    ClientName = 6, "client name", [Remaining];
    ClientCount = 7, "number of clients", [];
    ClientCounters = 8, "numbers of a client", [Number];
    Context = 9, "context", [Number, Remaining];
    ContextIndex = 10, "context place", [Remaining];
    Verdict = 11, "verdict", in_context![Fixed(20)];
    Event = 12, "event", in_context![Fixed(20), Long];
    PresentedInput = 13, "input", in_context![Fixed(16)];
    Concluded = 14, "concluded check", [Fixed(16)];
    Meter = 15, "meter", in_ledger![];
    Row = 16, "ledger row", in_ledger![Long];
    Opening = 17, "opening", in_ledger![Long];
    // These two only in stores up to format 5.
    ClaimByDigest = 18, "claim by its digest", [Number, Fixed(16)];
    ClaimEnd = 19, "end of a claim", [Time, Number, Fixed(16)];
    Audit = 20, "audit entry", [Long];
    AuditHead = 21, "end of the audit log", [];
    Tombstone = 22, "tombstone", in_context![Fixed(16)];
    PriceBook = 23, "price book", [Fixed(32)];
    EndedPeriod = 24, "ended period", in_ledger![Long];
    Invoice = 25, "invoice", [Number, Number];
    Adjustment = 26, "credit or correction", [Number, Number];
    Account = 27, "account", [Number];
    Alert = 28, "alert", in_ledger![Long, Byte];
    FingerprintPage = 29, "page of traces", in_context![KeyPart::Short];
    // Of a cluster its kind and digest; of an address that was put into one, a byte that no kind has, and its digest.
    Cluster = 30, "cluster", in_context![Byte, Fixed(16)];
    Label = 31, "label", in_context![Fixed(20)];
    EvidenceHead = 32, "evidence of a check", [Fixed(16)];
    Evidence = 33, "evidence batch", [Fixed(16), Byte];
    // Only in stores of format 1.
    EvidenceAge = 34, "age of evidence", [Time, Fixed(16)];
    Unsettled = 35, "unsettled check", [Time, Fixed(16)];
    EvidenceTotal = 36, "size of the evidence", [];
    EvidenceDue = 37, "end of evidence", [Time, Fixed(16)];
    // The main database goes on behind the evidence.
    SigningKey = 38, "number of the signing key", [];
    // The time is that of the run it is in.
    IdempotencyRecord = 39, "claim", [Time, Number, Fixed(16)];
    AdminToken = 40, "admin token", [Fixed(16)];
}

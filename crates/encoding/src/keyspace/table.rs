//! Tables, and the parts of their keys.

use KeyPart::{Byte, Fixed, Long, Number, Remaining, Time};

/// Number of a client within the store. Keys contain it instead of the 16 bytes of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientNumber(pub u32);

/// Part of a key after its table byte. Numbers are big-endian, so that bytes sort like the numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyPart {
    /// Number of one byte: an environment, a kind.
    Byte,
    /// Number of two bytes: a page.
    Short,
    /// Number of four bytes: of a client, of a context within its client, of an invoice.
    Number,
    /// Number of eight bytes: of a ledger row, of an event.
    Long,
    /// Time of eight bytes that sort chronologically.
    Time,
    /// Fixed number of bytes: an id, an address, a digest.
    Fixed(usize),
    /// Remaining bytes: a name, a context id.
    Remaining,
}

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident = $byte:literal, $name:literal, $parts:expr;)*) => {
        /// Table. Its byte is part of every stored key and is never reused for another table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        #[expect(missing_docs, reason = "each variant has a name for messages beside it")]
        pub enum Table { $($(#[$meta])* $table = $byte),* }

        impl Table {
            /// All tables in the order of their bytes.
            pub const ALL: &[Self] = &[$(Self::$table),*];

            /// Returns the table of a key.
            pub fn of_key(key: &[u8]) -> Option<Self> {
                match *key.first()? {
                    $($byte => Some(Self::$table),)*
                    _ => None,
                }
            }

            /// Returns the name of the table for messages.
            pub const fn name(self) -> &'static str {
                match self { $(Self::$table => $name),* }
            }

            /// Returns the parts of the table's keys.
            pub const fn parts(self) -> &'static [KeyPart] {
                match self { $(Self::$table => &$parts),* }
            }
        }
    };
}

/// Key parts after a context, which is given by the number of its client and its own number.
macro_rules! in_context {
    ($($part:expr),*) => { [Number, Number, $($part),*] };
}

/// Key parts after a ledger, which is given by the number of its client and the environment.
macro_rules! in_ledger {
    ($($part:expr),*) => { [Number, Byte, $($part),*] };
}

tables! {
    Identity = 1, "identity", [];
    // The three tables that an API key with its client is read from are adjacent.
    Client = 2, "client", [Fixed(16)];
    Key = 3, "key", [Number, Fixed(16)];
    KeyDigest = 4, "key digest", [Fixed(32)];
    KeyOwner = 5, "key owner", [Fixed(16)];
    ClientName = 6, "client name", [Remaining];
    ClientCount = 7, "number of clients", [];
    ClientCounters = 8, "numbers of a client", [Number];
    Context = 9, "context", [Number, Remaining];
    ContextIndex = 10, "context index", [Remaining];
    Verdict = 11, "verdict", in_context![Fixed(20)];
    Event = 12, "event", in_context![Fixed(20), Long];
    PresentedInput = 13, "input", in_context![Fixed(16)];
    Concluded = 14, "concluded check", [Fixed(16)];
    Meter = 15, "meter", in_ledger![];
    Row = 16, "ledger row", in_ledger![Long];
    Opening = 17, "opening", in_ledger![Long];
    // 18, 19 and 34 are unused.
    Audit = 20, "audit entry", [Long];
    AuditHead = 21, "end of the audit log", [];
    Tombstone = 22, "tombstone", in_context![Fixed(16)];
    PriceBook = 23, "price book", [Fixed(32)];
    EndedPeriod = 24, "ended period", in_ledger![Long];
    Invoice = 25, "invoice", [Number, Number];
    Adjustment = 26, "credit or correction", [Number, Number];
    Account = 27, "account", [Number];
    Alert = 28, "alert", in_ledger![Long, Byte];
    FingerprintPage = 29, "page of fingerprints", in_context![KeyPart::Short];
    // Key of a cluster: its kind and digest. Key of an assignment: a byte that no kind has, and the digest of the
    // address.
    Cluster = 30, "cluster", in_context![Byte, Fixed(16)];
    Label = 31, "label", in_context![Fixed(20)];
    EvidenceHead = 32, "evidence of a check", [Fixed(16)];
    Evidence = 33, "evidence batch", [Fixed(16), Byte];
    Unsettled = 35, "unsettled check", [Time, Fixed(16)];
    EvidenceTotal = 36, "size of the evidence", [];
    EvidenceDue = 37, "end of evidence", [Time, Fixed(16)];
    // The following tables are in the main database again.
    SigningKey = 38, "number of the signing key", [];
    // The time is that of the segment.
    IdempotencyRecord = 39, "idempotency record", [Time, Number, Fixed(16)];
    AdminToken = 40, "admin token", [Fixed(16)];
    Snapshot = 41, "snapshot", [Number, Fixed(16)];
    SnapshotSlice = 42, "snapshot slice", [Number, Fixed(16), Number];
    ClientEvent = 43, "client event", [Number, Long];
    EventFeed = 44, "state of an event feed", [Number];
    Endpoint = 45, "webhook endpoint", [Number, Fixed(16)];
    // The byte is the lane.
    DueEndpoint = 46, "webhook endpoint by the time of its next delivery", [Byte, Time, Number, Fixed(16)];
    Delivery = 47, "delivery of an event", [Number, Fixed(16), Long];
    User = 48, "user", [Fixed(16)];
    // The time is the start of the day, and the remaining bytes are the id of the context.
    CheckCount = 54, "number of checks", [Time, Remaining];
    CheckTotal = 55, "number of checks of all contexts", [Time];
}

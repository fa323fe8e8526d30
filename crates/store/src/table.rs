//! The tables and the layouts of their keys.
//!
//! The first byte of a key is its table. Keys of what belongs to a client lead with the client's number, so that one
//! client's data lies together and no range can wander into another's. Numbers are big-endian, so that bytes sort as
//! the numbers do.

use crate::identity::Identity;
use crate::record::{
    Aged, ClaimEnd, ClientTotal, ContextPlace, Counts, EvidenceHead, EvidenceTotal, InputOwner, KeyOwner, KeyPlace,
    NameOwner, NumberedClient, Record, Unsettled,
};
use std::marker::PhantomData;
use voight_domain::check::{Concluded, EvidenceBatch, InputDigest};
use voight_domain::metering::{LedgerRow, MeterState, Opening, StoredClaim};
use voight_domain::registry::{AuditEntry, Context, Key};
use voight_domain::secrets::{ClaimDigest, KeyDigest};
use voight_domain::verdict::{Event, Verdict};
use voight_domain::vocabulary::{CheckId, ClientId, ClientName, ContextId, Environment, EoaAddress, KeyId, Timestamp};

macro_rules! tables {
    ($($(#[$meta:meta])* $table:ident = $byte:literal, $name:literal;)*) => {
        /// A table. The bytes are in every stored key, so they are never given to another table.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Table { $($(#[$meta])* $table = $byte),* }

        impl Table {
            /// The table's name in messages.
            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$table => $name),* }
            }
        }
    };
}

tables! {
    Identity = 1, "identity";
    // The three tables that make up the holder of a key lie side by side: see `HOLDERS`.
    Client = 2, "client";
    Key = 3, "key";
    KeyDigest = 4, "key digest";
    KeyOwner = 5, "key owner";
    ClientName = 6, "client name";
    ClientTotal = 7, "number of clients";
    Counts = 8, "numbers of a client";
    Context = 9, "context";
    ContextPlace = 10, "context place";
    Verdict = 11, "verdict";
    Event = 12, "event";
    Input = 13, "input";
    Concluded = 14, "concluded check";
    Meter = 15, "meter";
    Row = 16, "ledger row";
    Opening = 17, "opening";
    Claim = 18, "claim";
    ClaimEnd = 19, "end of a claim";
    Audit = 20, "audit entry";
    EvidenceHead = 32, "evidence of a check";
    Evidence = 33, "evidence batch";
    EvidenceAge = 34, "age of evidence";
    Unsettled = 35, "unsettled check";
    EvidenceTotal = 36, "size of the evidence";
}

/// The tables that a cached holder of a key is read from, first and last.
pub(crate) const HOLDERS: (Table, Table) = (Table::Client, Table::KeyDigest);

/// A client's number within the store; keys carry it in place of the 16 bytes of the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Tenant(pub(crate) u32);

/// Where a context lies: its client, and its number within the client.
pub(crate) type Place = ContextPlace;

/// The key of a record of type `R`.
#[derive(Debug)]
pub(crate) struct At<R> {
    pub(crate) key: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

/// The keys of records of type `R`, from the first to before the last.
#[derive(Debug)]
pub(crate) struct Span<R> {
    pub(crate) from: Vec<u8>,
    pub(crate) to: Vec<u8>,
    record: PhantomData<fn() -> R>,
}

impl<R: Record> At<R> {
    fn new(parts: &[&[u8]]) -> Self {
        Self { key: join(R::TABLE, parts), record: PhantomData }
    }
}

impl<R: Record> Span<R> {
    /// Every record of the table.
    pub(crate) fn all() -> Self {
        Self::under(&[])
    }

    /// Every record whose key begins with these parts.
    fn under(parts: &[&[u8]]) -> Self {
        let from = join(R::TABLE, parts);
        let mut to = from.clone();
        // The next key that does not begin so. It ends at the table's byte at the latest, which is never 255.
        while to.pop_if(|byte| *byte == u8::MAX).is_some() {}
        if let Some(last) = to.last_mut() {
            *last += 1;
        }
        Self { from, to, record: PhantomData }
    }

    /// Only what comes after `at`.
    pub(crate) fn after(mut self, at: At<R>) -> Self {
        self.from = at.key;
        self.from.push(0);
        self
    }

    /// Only what comes after the record, if one is given.
    pub(crate) fn after_any(self, at: Option<At<R>>) -> Self {
        match at {
            Some(at) => self.after(at),
            None => self,
        }
    }

    /// Only what comes before keys that begin with these parts.
    fn before(mut self, parts: &[&[u8]]) -> Self {
        self.to = join(R::TABLE, parts);
        self
    }
}

fn join(table: Table, parts: &[&[u8]]) -> Vec<u8> {
    let mut key = Vec::with_capacity(1 + parts.iter().map(|part| part.len()).sum::<usize>());
    key.push(table as u8);
    for part in parts {
        key.extend_from_slice(part);
    }
    key
}

/// The last `N` bytes of a key.
pub(crate) fn tail<const N: usize>(key: &[u8]) -> Option<[u8; N]> {
    key.last_chunk::<N>().copied()
}

/// A time as bytes that sort as times do, also before 1970.
fn sortable(at: Timestamp) -> [u8; 8] {
    (at.as_millis().cast_unsigned() ^ 1 << 63).to_be_bytes()
}

fn ledger(tenant: Tenant, environment: Environment) -> [u8; 5] {
    let [a, b, c, d] = tenant.0.to_be_bytes();
    [a, b, c, d, u8::from(environment.is_test())]
}

fn place(place: Place) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&place.tenant.0.to_be_bytes());
    bytes[4..].copy_from_slice(&place.number.to_be_bytes());
    bytes
}

/// The store's identity.
pub(crate) fn identity() -> At<Identity> {
    At::new(&[])
}

/// A client by its id.
pub(crate) fn client(id: ClientId) -> At<NumberedClient> {
    At::new(&[&id.to_bytes()])
}

/// Who has a name.
pub(crate) fn name(name: &ClientName) -> At<NameOwner> {
    At::new(&[name.as_str().as_bytes()])
}

/// How many clients there are.
pub(crate) fn client_total() -> At<ClientTotal> {
    At::new(&[])
}

/// The last numbers that a client has given out.
pub(crate) fn counts(tenant: Tenant) -> At<Counts> {
    At::new(&[&tenant.0.to_be_bytes()])
}

/// A key of a client.
pub(crate) fn key(tenant: Tenant, id: KeyId) -> At<Key> {
    At::new(&[&tenant.0.to_be_bytes(), &id.to_bytes()])
}

/// The keys of a client.
pub(crate) fn keys(tenant: Tenant) -> Span<Key> {
    Span::under(&[&tenant.0.to_be_bytes()])
}

/// Whose key this is.
pub(crate) fn key_owner(id: KeyId) -> At<KeyOwner> {
    At::new(&[&id.to_bytes()])
}

/// Which key has this digest.
pub(crate) fn key_digest(digest: KeyDigest) -> At<KeyPlace> {
    At::new(&[&digest.0])
}

/// A context of a client.
pub(crate) fn context(tenant: Tenant, id: &ContextId) -> At<Context> {
    At::new(&[&tenant.0.to_be_bytes(), id.as_str().as_bytes()])
}

/// The contexts of a client, in the order of their ids.
pub(crate) fn contexts(tenant: Tenant) -> Span<Context> {
    Span::under(&[&tenant.0.to_be_bytes()])
}

/// Where a context lies.
pub(crate) fn context_place(id: &ContextId) -> At<ContextPlace> {
    At::new(&[id.as_str().as_bytes()])
}

/// The verdict on an address.
pub(crate) fn verdict(context: Place, address: &EoaAddress) -> At<Verdict> {
    At::new(&[&place(context), address.as_bytes()])
}

/// The verdicts of a context, in the order of the addresses.
pub(crate) fn verdicts(context: Place) -> Span<Verdict> {
    Span::under(&[&place(context)])
}

/// An event of an address's timeline.
pub(crate) fn event(context: Place, address: &EoaAddress, number: u64) -> At<Event> {
    At::new(&[&place(context), address.as_bytes(), &number.to_be_bytes()])
}

/// The timeline of an address.
pub(crate) fn timeline(context: Place, address: &EoaAddress) -> Span<Event> {
    Span::under(&[&place(context), address.as_bytes()])
}

/// Who presented an input first.
pub(crate) fn input(context: Place, digest: InputDigest) -> At<InputOwner> {
    At::new(&[&place(context), &digest.0])
}

/// How a check was concluded.
pub(crate) fn concluded(check: CheckId) -> At<Concluded> {
    At::new(&[&check.to_bytes()])
}

/// A client's meter.
pub(crate) fn meter(tenant: Tenant, environment: Environment) -> At<MeterState> {
    At::new(&[&ledger(tenant, environment)])
}

/// A row of a client's ledger.
pub(crate) fn row(tenant: Tenant, environment: Environment, seq: u64) -> At<LedgerRow> {
    At::new(&[&ledger(tenant, environment), &seq.to_be_bytes()])
}

/// The rows of a client's ledger.
pub(crate) fn rows(tenant: Tenant, environment: Environment) -> Span<LedgerRow> {
    Span::under(&[&ledger(tenant, environment)])
}

/// The opening of a row's commitment.
pub(crate) fn opening(tenant: Tenant, environment: Environment, seq: u64) -> At<Opening> {
    At::new(&[&ledger(tenant, environment), &seq.to_be_bytes()])
}

/// An idempotency claim of a client.
pub(crate) fn claim(tenant: Tenant, digest: ClaimDigest) -> At<StoredClaim> {
    At::new(&[&tenant.0.to_be_bytes(), &digest.0])
}

/// When a claim ends.
pub(crate) fn claim_end(until: Timestamp, tenant: Tenant, digest: ClaimDigest) -> At<ClaimEnd> {
    At::new(&[&sortable(until), &tenant.0.to_be_bytes(), &digest.0])
}

/// Which claim the key of a [`claim_end`] is about, and when it ends.
pub(crate) fn of_claim_end(key: &[u8]) -> Option<(Timestamp, Tenant, ClaimDigest)> {
    let (until, rest) = key.get(1..)?.split_first_chunk()?;
    let (tenant, digest) = rest.split_first_chunk()?;
    let until = Timestamp::from_millis((u64::from_be_bytes(*until) ^ 1 << 63).cast_signed());
    Some((until, Tenant(u32::from_be_bytes(*tenant)), ClaimDigest(digest.try_into().ok()?)))
}

/// The claims that end before `now`.
pub(crate) fn claims_ended(now: Timestamp) -> Span<ClaimEnd> {
    Span::all().before(&[&sortable(now)])
}

/// An audit entry by its number.
pub(crate) fn audit(seq: u64) -> At<AuditEntry> {
    At::new(&[&seq.to_be_bytes()])
}

/// What is kept of a check's evidence.
pub(crate) fn evidence_head(check: CheckId) -> At<EvidenceHead> {
    At::new(&[&check.to_bytes()])
}

/// A batch of a check.
pub(crate) fn evidence(check: CheckId, number: u8) -> At<EvidenceBatch> {
    At::new(&[&check.to_bytes(), &[number]])
}

/// The batches of a check.
pub(crate) fn evidence_of(check: CheckId) -> Span<EvidenceBatch> {
    Span::under(&[&check.to_bytes()])
}

/// The place of a check among all with evidence, oldest first.
pub(crate) fn aged(opened_at: Timestamp, check: CheckId) -> At<Aged> {
    At::new(&[&sortable(opened_at), &check.to_bytes()])
}

/// Checks with evidence that were opened before this.
pub(crate) fn aged_before(opened_before: Timestamp) -> Span<Aged> {
    Span::all().before(&[&sortable(opened_before)])
}

/// The place of a check among those not settled, oldest first.
pub(crate) fn unsettled(opened_at: Timestamp, check: CheckId) -> At<Unsettled> {
    At::new(&[&sortable(opened_at), &check.to_bytes()])
}

/// Checks not settled that were opened before this.
pub(crate) fn unsettled_before(opened_before: Timestamp) -> Span<Unsettled> {
    Span::all().before(&[&sortable(opened_before)])
}

/// How many bytes of evidence there are.
pub(crate) fn evidence_total() -> At<EvidenceTotal> {
    At::new(&[])
}

//! Record keys of the main database.

use super::{ClientNumber, ContextKey, KeyRange, RecordKey, Segment};
use crate::identity::Identity;
use crate::record::{
    ApiKeyIndex, ApiKeyLocation, ByteEnum, ClientCount, ClientCounters, ClientNameIndex,
    ClientRecord, ContextLocation, LinkRecord, PresentedInputIndex, Record, SigningKeyNumber,
};
use voight_domain::billing::{PriceBook, PriceBookDigest};
use voight_domain::check::{Concluded, InputDigest};
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::linkage::{ClusterKey, FingerprintPage};
use voight_domain::metering::{
    Alert, AlertKind, EndedPeriod, IdempotencyRecord, LedgerRow, MeterState, Opening,
};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key, User};
use voight_domain::secrets::{AddressDigest, IdempotencyDigest, KeyDigest};
use voight_domain::snapshot::{Snapshot, SnapshotSlice};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ClientName, ContextId, Environment, EoaAddress, KeyId,
    SnapshotId, Timestamp, UserId,
};
pub(crate) use voight_encoding::keyspace::{LedgerPrefix, ledger_prefix, parse_idempotency_key};
use voight_encoding::keyspace::{idempotency_key, meter_key, to_sortable_bytes};

/// Byte that replaces the kind of a cluster in keys of assigned clusters. No kind has this code.
const ASSIGNED_KIND: u8 = u8::MAX;

fn context_key_bytes(context_key: ContextKey) -> [u8; 8] {
    let mut bytes = [0; 8];
    bytes[..4].copy_from_slice(&context_key.client_number.0.to_be_bytes());
    bytes[4..].copy_from_slice(&context_key.number.to_be_bytes());
    bytes
}

/// Key of the store's identity.
pub(crate) fn identity() -> RecordKey<Identity> {
    RecordKey::new(&[])
}

/// Key of a client.
pub(crate) fn client(id: ClientId) -> RecordKey<ClientRecord> {
    RecordKey::new(&[&id.to_bytes()])
}

/// Key of the index entry of a client name.
pub(crate) fn name(name: &ClientName) -> RecordKey<ClientNameIndex> {
    RecordKey::new(&[name.as_str().as_bytes()])
}

/// Key of the number of clients.
pub(crate) fn client_total() -> RecordKey<ClientCount> {
    RecordKey::new(&[])
}

/// Key of a named admin token.
pub(crate) fn admin_token(id: AdminTokenId) -> RecordKey<AdminToken> {
    RecordKey::new(&[&id.to_bytes()])
}

/// Key of a user.
pub(crate) fn user(id: UserId) -> RecordKey<User> {
    RecordKey::new(&[&id.to_bytes()])
}

/// Key of the counters of a client.
pub(crate) fn counts(client_number: ClientNumber) -> RecordKey<ClientCounters> {
    RecordKey::new(&[&client_number.0.to_be_bytes()])
}

/// Key of an API key of a client.
pub(crate) fn key(client_number: ClientNumber, id: KeyId) -> RecordKey<Key> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &id.to_bytes()])
}

/// Range of the API keys of a client.
pub(crate) fn keys(client_number: ClientNumber) -> KeyRange<Key> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of the index entry that maps an API key id to its client.
pub(crate) fn key_owner(id: KeyId) -> RecordKey<ApiKeyIndex> {
    RecordKey::new(&[&id.to_bytes()])
}

/// Key of the index entry that maps a digest to its API key.
pub(crate) fn key_digest(digest: KeyDigest) -> RecordKey<ApiKeyLocation> {
    RecordKey::new(&[&digest.0])
}

/// Key of a context of a client.
pub(crate) fn context(client_number: ClientNumber, id: &ContextId) -> RecordKey<Context> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), id.as_str().as_bytes()])
}

/// Range of the contexts of a client, sorted by id.
pub(crate) fn contexts(client_number: ClientNumber) -> KeyRange<Context> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of the index entry that maps a context id to its location.
pub(crate) fn context_key(id: &ContextId) -> RecordKey<ContextLocation> {
    RecordKey::new(&[id.as_str().as_bytes()])
}

/// Key of the verdict of an address.
pub(crate) fn verdict(context: ContextKey, address: &EoaAddress) -> RecordKey<Verdict> {
    RecordKey::new(&[&context_key_bytes(context), address.as_bytes()])
}

/// Range of the verdicts of a context, sorted by address.
pub(crate) fn verdicts(context: ContextKey) -> KeyRange<Verdict> {
    KeyRange::with_prefix(&[&context_key_bytes(context)])
}

/// Range of the records of an address in a context, in one of the [address tables](super::address_tables).
pub(crate) fn records_of<R: Record>(context: ContextKey, address: &EoaAddress) -> KeyRange<R> {
    KeyRange::with_prefix(&[&context_key_bytes(context), address.as_bytes()])
}

/// Key of one event of an address's timeline.
pub(crate) fn event(context: ContextKey, address: &EoaAddress, number: u64) -> RecordKey<Event> {
    RecordKey::new(&[
        &context_key_bytes(context),
        address.as_bytes(),
        &number.to_be_bytes(),
    ])
}

/// Range of the timeline of an address.
pub(crate) fn timeline(context: ContextKey, address: &EoaAddress) -> KeyRange<Event> {
    records_of(context, address)
}

/// Key of the index entry that names the first presenter of an input.
pub(crate) fn input(context: ContextKey, digest: InputDigest) -> RecordKey<PresentedInputIndex> {
    RecordKey::new(&[&context_key_bytes(context), &digest.0])
}

/// Key of the conclusion of a check.
pub(crate) fn concluded(check: CheckId) -> RecordKey<Concluded> {
    RecordKey::new(&[&check.to_bytes()])
}

/// Range of the conclusions of checks opened before `opened_before`: a check id starts with its time.
pub(crate) fn concluded_before(opened_before: Timestamp) -> KeyRange<Concluded> {
    KeyRange::all().ending_before(&[&CheckId::new(opened_before, [0; 10]).to_bytes()])
}

/// Key of a client's meter.
pub(crate) fn meter(
    client_number: ClientNumber,
    environment: Environment,
) -> RecordKey<MeterState> {
    meter_of(ledger_prefix(client_number, environment))
}

/// Key of the meter of a ledger.
pub(crate) fn meter_of(ledger: LedgerPrefix) -> RecordKey<MeterState> {
    RecordKey::from_bytes(meter_key(ledger))
}

/// Key of a row of a client's ledger.
pub(crate) fn row(
    client_number: ClientNumber,
    environment: Environment,
    seq: u64,
) -> RecordKey<LedgerRow> {
    RecordKey::new(&[
        &ledger_prefix(client_number, environment),
        &seq.to_be_bytes(),
    ])
}

/// Range of the rows of a client's ledger.
pub(crate) fn rows(client_number: ClientNumber, environment: Environment) -> KeyRange<LedgerRow> {
    KeyRange::with_prefix(&[&ledger_prefix(client_number, environment)])
}

/// Key of the opening of a row's commitment.
pub(crate) fn opening(
    client_number: ClientNumber,
    environment: Environment,
    seq: u64,
) -> RecordKey<Opening> {
    RecordKey::new(&[
        &ledger_prefix(client_number, environment),
        &seq.to_be_bytes(),
    ])
}

/// Range of the openings of a client's ledger.
pub(crate) fn openings(client_number: ClientNumber, environment: Environment) -> KeyRange<Opening> {
    KeyRange::with_prefix(&[&ledger_prefix(client_number, environment)])
}

/// Key of an alert: the row that raised it, and its kind.
pub(crate) fn alert(
    client_number: ClientNumber,
    environment: Environment,
    seq: u64,
    kind: AlertKind,
) -> RecordKey<Alert> {
    RecordKey::new(&[
        &ledger_prefix(client_number, environment),
        &seq.to_be_bytes(),
        &[kind as u8],
    ])
}

/// Range of the alerts of a client's ledger that rows from `seq` on raised.
pub(crate) fn alerts_from(
    client_number: ClientNumber,
    environment: Environment,
    seq: u64,
) -> KeyRange<Alert> {
    KeyRange::with_prefix(&[&ledger_prefix(client_number, environment)]).from(&[
        &ledger_prefix(client_number, environment),
        &seq.to_be_bytes(),
    ])
}

/// Key of a price book.
pub(crate) fn price_book(digest: PriceBookDigest) -> RecordKey<PriceBook> {
    RecordKey::new(&[&digest.0])
}

/// Key of an ended period: the last row of the period.
pub(crate) fn ended_period(
    client_number: ClientNumber,
    environment: Environment,
    last: u64,
) -> RecordKey<EndedPeriod> {
    RecordKey::new(&[
        &ledger_prefix(client_number, environment),
        &last.to_be_bytes(),
    ])
}

/// Range of the ended periods of a client's ledger.
pub(crate) fn ended_periods(
    client_number: ClientNumber,
    environment: Environment,
) -> KeyRange<EndedPeriod> {
    KeyRange::with_prefix(&[&ledger_prefix(client_number, environment)])
}

/// Key of an invoice of a client.
pub(crate) fn invoice(client_number: ClientNumber, number: u32) -> RecordKey<Invoice> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &number.to_be_bytes()])
}

/// Range of the invoices of a client.
pub(crate) fn invoices(client_number: ClientNumber) -> KeyRange<Invoice> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of an adjustment (credit or correction) of a client.
pub(crate) fn adjustment(client_number: ClientNumber, number: u32) -> RecordKey<Adjustment> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &number.to_be_bytes()])
}

/// Range of the adjustments of a client.
pub(crate) fn adjustments(client_number: ClientNumber) -> KeyRange<Adjustment> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of a client's account.
pub(crate) fn account(client_number: ClientNumber) -> RecordKey<Account> {
    RecordKey::new(&[&client_number.0.to_be_bytes()])
}

/// Key of an idempotency record of a client.
pub(crate) fn idempotency_record(
    segment: Segment,
    client_number: ClientNumber,
    digest: IdempotencyDigest,
) -> RecordKey<IdempotencyRecord> {
    RecordKey::from_bytes(idempotency_key(segment, client_number, digest))
}

/// Range of the idempotency records of a segment.
pub(crate) fn idempotency_records_in(segment: Segment) -> KeyRange<IdempotencyRecord> {
    KeyRange::with_prefix(&[&to_sortable_bytes(segment.0)])
}

/// Key of an audit entry.
pub(crate) fn audit(seq: u64) -> RecordKey<AuditEntry> {
    RecordKey::new(&[&seq.to_be_bytes()])
}

/// Key of the head of the audit log.
pub(crate) fn audit_head() -> RecordKey<AuditHead> {
    RecordKey::new(&[])
}

/// Key of the number of the signing key in use.
pub(crate) fn signing_key() -> RecordKey<SigningKeyNumber> {
    RecordKey::new(&[])
}

/// Key of the tombstone of an erased address.
pub(crate) fn tombstone(context: ContextKey, digest: AddressDigest) -> RecordKey<Tombstone> {
    RecordKey::new(&[&context_key_bytes(context), &digest.0])
}

/// Range of the tombstones of a context.
pub(crate) fn tombstones(context: ContextKey) -> KeyRange<Tombstone> {
    KeyRange::with_prefix(&[&context_key_bytes(context)])
}

/// Key of the label of an address.
pub(crate) fn label(context: ContextKey, address: &EoaAddress) -> RecordKey<Label> {
    RecordKey::new(&[&context_key_bytes(context), address.as_bytes()])
}

/// Range of the labels of a context, sorted by address.
pub(crate) fn labels(context: ContextKey) -> KeyRange<Label> {
    KeyRange::with_prefix(&[&context_key_bytes(context)])
}

/// Key of one page of the movement fingerprint index of a context.
pub(crate) fn traces(context: ContextKey, page: u16) -> RecordKey<FingerprintPage> {
    RecordKey::new(&[&context_key_bytes(context), &page.to_be_bytes()])
}

/// Range of the pages of the movement fingerprint index of a context.
pub(crate) fn all_traces(context: ContextKey) -> KeyRange<FingerprintPage> {
    KeyRange::with_prefix(&[&context_key_bytes(context)])
}

/// Key of the members of a cluster of a context.
pub(crate) fn cluster(context: ContextKey, key: ClusterKey) -> RecordKey<LinkRecord> {
    RecordKey::new(&[&context_key_bytes(context), &[key.kind.code()], &key.digest])
}

/// Key of the cluster that an operator assigned to an address.
pub(crate) fn assigned(context: ContextKey, member: AddressDigest) -> RecordKey<LinkRecord> {
    RecordKey::new(&[&context_key_bytes(context), &[ASSIGNED_KIND], &member.0])
}

/// Key of a snapshot of a client.
pub(crate) fn snapshot(client_number: ClientNumber, id: SnapshotId) -> RecordKey<Snapshot> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &id.to_bytes()])
}

/// Range of the snapshots of a client, sorted by id.
pub(crate) fn snapshots(client_number: ClientNumber) -> KeyRange<Snapshot> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of a slice of a snapshot.
pub(crate) fn snapshot_slice(
    client_number: ClientNumber,
    id: SnapshotId,
    index: u32,
) -> RecordKey<SnapshotSlice> {
    RecordKey::new(&[
        &client_number.0.to_be_bytes(),
        &id.to_bytes(),
        &index.to_be_bytes(),
    ])
}

/// Range of the slices of a snapshot.
pub(crate) fn snapshot_slices(
    client_number: ClientNumber,
    id: SnapshotId,
) -> KeyRange<SnapshotSlice> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes(), &id.to_bytes()])
}

/// Key of an event of a client.
pub(crate) fn client_event(client_number: ClientNumber, number: u64) -> RecordKey<ClientEvent> {
    RecordKey::new(&[&client_number.0.to_be_bytes(), &number.to_be_bytes()])
}

/// Range of the events of a client.
pub(crate) fn client_events(client_number: ClientNumber) -> KeyRange<ClientEvent> {
    KeyRange::with_prefix(&[&client_number.0.to_be_bytes()])
}

/// Key of the state of a client's feed.
pub(crate) fn event_feed(client_number: ClientNumber) -> RecordKey<EventFeed> {
    RecordKey::new(&[&client_number.0.to_be_bytes()])
}

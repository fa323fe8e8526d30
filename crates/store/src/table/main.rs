//! The keys of the main database.

use super::{At, Place, Run, Span, Tenant};
use crate::identity::Identity;
use crate::record::{
    ClaimByDigest, ClaimEnd, ClientTotal, Coded, ContextPlace, Counts, InputOwner, KeyOwner, KeyPlace, LinkRecord,
    NameOwner, NumberedClient, SigningKeyNumber,
};
use voight_domain::billing::{BookDigest, PriceBook};
use voight_domain::check::{Concluded, InputDigest};
use voight_domain::invoicing::{Account, Adjustment, Invoice};
use voight_domain::links::{ClusterKey, TracePage};
use voight_domain::metering::{Alert, AlertKind, EndedPeriod, LedgerRow, MeterState, Opening, StoredClaim};
use voight_domain::registry::{AdminToken, AuditEntry, AuditHead, Context, Key};
use voight_domain::secrets::{AddressDigest, ClaimDigest, KeyDigest};
use voight_domain::verdict::{Event, Label, Tombstone, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ClientName, ContextId, Environment, EoaAddress, KeyId, Timestamp,
};
use voight_record::ordered::{of_sortable, sortable};

/// Stands in keys where the kind of a cluster does; no kind has it.
const ASSIGNED: u8 = u8::MAX;

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

/// A named admin token.
pub(crate) fn admin_token(id: AdminTokenId) -> At<AdminToken> {
    At::new(&[&id.to_bytes()])
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

/// How checks that were opened before this were concluded: their ids lead with that time.
pub(crate) fn concluded_before(opened_before: Timestamp) -> Span<Concluded> {
    Span::all().before(&[&CheckId::new(opened_before, [0; 10]).to_bytes()])
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

/// The openings of a client's ledger.
pub(crate) fn openings(tenant: Tenant, environment: Environment) -> Span<Opening> {
    Span::under(&[&ledger(tenant, environment)])
}

/// An alert, by the row that raised it.
pub(crate) fn alert(tenant: Tenant, environment: Environment, seq: u64, kind: AlertKind) -> At<Alert> {
    At::new(&[&ledger(tenant, environment), &seq.to_be_bytes(), &[kind as u8]])
}

/// The alerts of a client's ledger that rows from `seq` on have raised.
pub(crate) fn alerts_from(tenant: Tenant, environment: Environment, seq: u64) -> Span<Alert> {
    Span::under(&[&ledger(tenant, environment)]).from(&[&ledger(tenant, environment), &seq.to_be_bytes()])
}

/// A price book.
pub(crate) fn price_book(digest: BookDigest) -> At<PriceBook> {
    At::new(&[&digest.0])
}

/// An ended period, by the row that marks its end.
pub(crate) fn ended_period(tenant: Tenant, environment: Environment, last: u64) -> At<EndedPeriod> {
    At::new(&[&ledger(tenant, environment), &last.to_be_bytes()])
}

/// The ended periods of a client's ledger.
pub(crate) fn ended_periods(tenant: Tenant, environment: Environment) -> Span<EndedPeriod> {
    Span::under(&[&ledger(tenant, environment)])
}

/// An invoice of a client.
pub(crate) fn invoice(tenant: Tenant, number: u32) -> At<Invoice> {
    At::new(&[&tenant.0.to_be_bytes(), &number.to_be_bytes()])
}

/// The invoices of a client.
pub(crate) fn invoices(tenant: Tenant) -> Span<Invoice> {
    Span::under(&[&tenant.0.to_be_bytes()])
}

/// A credit or correction of a client.
pub(crate) fn adjustment(tenant: Tenant, number: u32) -> At<Adjustment> {
    At::new(&[&tenant.0.to_be_bytes(), &number.to_be_bytes()])
}

/// The credits and corrections of a client.
pub(crate) fn adjustments(tenant: Tenant) -> Span<Adjustment> {
    Span::under(&[&tenant.0.to_be_bytes()])
}

/// A client's account.
pub(crate) fn account(tenant: Tenant) -> At<Account> {
    At::new(&[&tenant.0.to_be_bytes()])
}

/// An idempotency claim of a client.
pub(crate) fn claim(run: Run, tenant: Tenant, digest: ClaimDigest) -> At<StoredClaim> {
    At::new(&[&sortable(run.0), &tenant.0.to_be_bytes(), &digest.0])
}

/// The claims of a run.
pub(crate) fn claims_of(run: Run) -> Span<StoredClaim> {
    Span::under(&[&sortable(run.0)])
}

/// Which claim the key of a [`claim`] is of.
pub(crate) fn of_claim(key: &[u8]) -> Option<(Run, Tenant, ClaimDigest)> {
    of_timed_claim(key).map(|(run, tenant, digest)| (Run(run), tenant, digest))
}

/// A claim in stores up to format 5.
pub(crate) fn claim_by_digest(tenant: Tenant, digest: ClaimDigest) -> At<ClaimByDigest> {
    At::new(&[&tenant.0.to_be_bytes(), &digest.0])
}

/// When a claim ends, in stores up to format 5.
pub(crate) fn claim_end(until: Timestamp, tenant: Tenant, digest: ClaimDigest) -> At<ClaimEnd> {
    At::new(&[&sortable(until), &tenant.0.to_be_bytes(), &digest.0])
}

/// Which claim the key of a [`claim_end`] is about, and when it ends.
pub(crate) fn of_claim_end(key: &[u8]) -> Option<(Timestamp, Tenant, ClaimDigest)> {
    of_timed_claim(key)
}

fn of_timed_claim(key: &[u8]) -> Option<(Timestamp, Tenant, ClaimDigest)> {
    let (time, rest) = key.get(1..)?.split_first_chunk()?;
    let (tenant, digest) = rest.split_first_chunk()?;
    Some((of_sortable(*time), Tenant(u32::from_be_bytes(*tenant)), ClaimDigest(digest.try_into().ok()?)))
}

/// An audit entry by its number.
pub(crate) fn audit(seq: u64) -> At<AuditEntry> {
    At::new(&[&seq.to_be_bytes()])
}

/// Where the audit log ends.
pub(crate) fn audit_head() -> At<AuditHead> {
    At::new(&[])
}

/// The number of the signing key in use.
pub(crate) fn signing_key() -> At<SigningKeyNumber> {
    At::new(&[])
}

/// What an erase has left of an address.
pub(crate) fn tombstone(context: Place, digest: AddressDigest) -> At<Tombstone> {
    At::new(&[&place(context), &digest.0])
}

/// What erases have left in a context.
pub(crate) fn tombstones(context: Place) -> Span<Tombstone> {
    Span::under(&[&place(context)])
}

/// The label on an address.
pub(crate) fn label(context: Place, address: &EoaAddress) -> At<Label> {
    At::new(&[&place(context), address.as_bytes()])
}

/// The labels of a context, in the order of the addresses.
pub(crate) fn labels(context: Place) -> Span<Label> {
    Span::under(&[&place(context)])
}

/// A page of the index of traces of a context.
pub(crate) fn traces(context: Place, page: u16) -> At<TracePage> {
    At::new(&[&place(context), &page.to_be_bytes()])
}

/// The index of traces of a context, page by page.
pub(crate) fn all_traces(context: Place) -> Span<TracePage> {
    Span::under(&[&place(context)])
}

/// The members of a cluster of a context.
pub(crate) fn cluster(context: Place, key: ClusterKey) -> At<LinkRecord> {
    At::new(&[&place(context), &[key.kind.code()], &key.digest])
}

/// The cluster that an operator has put an address into.
pub(crate) fn assigned(context: Place, member: AddressDigest) -> At<LinkRecord> {
    At::new(&[&place(context), &[ASSIGNED], &member.0])
}

//! Port implementations that forward every call.

use super::FaultyStore;
use async_trait::async_trait;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::PriceBook;
use voight_domain::check::{
    CheckConclusion, CheckCountKey, CheckCounts, ConcludeOutcome, Concluded, EvidenceBatch,
    RedeemOutcome, Redemption,
};
use voight_domain::events::{ClientEvent, EventFeed};
use voight_domain::invoicing::{
    Adjustment, BillingFacts, CloseScope, Invoice, InvoiceChange, InvoiceId, NewAdjustment,
};
use voight_domain::linkage::{Cluster, ClusterKey, FingerprintIndex};
use voight_domain::metering::{
    Alert, BatchLookupRequest, Day, EndedPeriod, IdempotencyInput, LedgerId, Limit, LookupOutcome,
    LookupRequest, MeterRules, MeterState, RecordedBatch,
};
use voight_domain::ports::{
    AdminStore, AdminTokenStore, AppendOutcome, AuditRecord, BillingStore, CheckCountStore,
    CheckStore, ClaimedDeliveries, ContextDayCounts, ContextFilter, DayTotal, EndpointOutcome,
    EndpointStore, Erasure, ErasureCounts, ErasureStore, EventStore, EvidenceStore, FeedOfClient,
    Health, LabelRecord, LabelStore, LedgerEntry, LinkStore, LookupStore, MaintenanceStore,
    NumberedDelivery, Override, ReceiptStore, RegisterOutcome, RegistryStore, ReplayStore,
    ScrubProgress, SnapshotOutcome, SnapshotStore, StoreError, StoreInfo, StoreStatus, UserStore,
    VerdictRecord, VerdictReplacement,
};
use voight_domain::registry::{
    Actor, AdminToken, AdminTokenChange, AuditEntry, AuditHead, Client, ClientChange, Context,
    ContextChange, ContextTransfer, Key, KeyChange, KeyUse, KeyWithClient, NewClient, NewContext,
    NewKey, TransferOutcome, User, UserChange,
};
use voight_domain::secrets::{AddressDigest, KeyDigest};
use voight_domain::snapshot::{Snapshot, SnapshotChange, SnapshotCreation, SnapshotSlice};
use voight_domain::verdict::{Event, Tombstone, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ClientName, ContextId, EoaAddress, KeyId, SnapshotId,
    Timestamp, UserId,
};
use voight_domain::webhooks::{
    AuditedChange, DeliveryConclusion, DeliveryLane, DeliveryReport, Endpoint, EndpointCreation,
    EndpointName, EndpointRecord,
};

type StoreResult<T> = Result<T, StoreError>;

#[async_trait]
impl LookupStore for FaultyStore {
    async fn answer(&self, request: LookupRequest) -> StoreResult<LookupOutcome> {
        self.change(self.inner.answer(request)).await
    }

    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> StoreResult<LookupOutcome<RecordedBatch>> {
        self.change(self.inner.answer_batch(request)).await
    }
}

#[async_trait]
impl CheckStore for FaultyStore {
    async fn conclude(&self, conclusion: CheckConclusion) -> StoreResult<ConcludeOutcome> {
        self.change(self.inner.conclude(conclusion)).await
    }

    async fn concluded(&self, check: CheckId) -> StoreResult<Option<Concluded>> {
        self.inner.concluded(check).await
    }

    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.sweep(opened_before, limit)).await
    }

    async fn verdict(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> StoreResult<Option<Verdict>> {
        self.inner.verdict(context, address).await
    }

    async fn timeline(
        &self,
        context: &ContextId,
        address: &EoaAddress,
        limit: usize,
    ) -> StoreResult<Vec<Event>> {
        self.inner.timeline(context, address, limit).await
    }
}

#[async_trait]
impl ReceiptStore for FaultyStore {
    async fn redeem(&self, redemption: Redemption) -> StoreResult<RedeemOutcome> {
        self.change(self.inner.redeem(redemption)).await
    }
}

#[async_trait]
impl LinkStore for FaultyStore {
    async fn traces(&self, context: &ContextId) -> StoreResult<FingerprintIndex> {
        self.inner.traces(context).await
    }

    async fn cluster(&self, context: &ContextId, key: ClusterKey) -> StoreResult<Option<Cluster>> {
        self.inner.cluster(context, key).await
    }

    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> StoreResult<()> {
        self.change(self.inner.assign(context, members, audit))
            .await
    }
}

#[async_trait]
impl EvidenceStore for FaultyStore {
    async fn append(
        &self,
        batch: EvidenceBatch,
        keep_until: Timestamp,
    ) -> StoreResult<AppendOutcome> {
        self.change(self.inner.append(batch, keep_until)).await
    }

    async fn batches(&self, check: CheckId) -> StoreResult<Vec<EvidenceBatch>> {
        self.inner.batches(check).await
    }

    async fn unjudged_checks(
        &self,
        opened_before: Timestamp,
        limit: usize,
    ) -> StoreResult<Vec<CheckId>> {
        self.inner.unjudged_checks(opened_before, limit).await
    }

    async fn mark_judged(&self, check: CheckId) -> StoreResult<()> {
        self.change(self.inner.mark_judged(check)).await
    }

    async fn evict(&self, now: Timestamp, retention: Duration, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.evict(now, retention, limit)).await
    }
}

#[async_trait]
impl RegistryStore for FaultyStore {
    async fn create_client(&self, client: NewClient, audit: AuditEntry) -> StoreResult<Client> {
        self.change(self.inner.create_client(client, audit)).await
    }

    async fn client(&self, id: ClientId) -> StoreResult<Option<Client>> {
        self.inner.client(id).await
    }

    async fn client_named(&self, name: &ClientName) -> StoreResult<Option<Client>> {
        self.inner.client_named(name).await
    }

    async fn clients(&self, after: Option<ClientId>, limit: usize) -> StoreResult<Vec<Client>> {
        self.inner.clients(after, limit).await
    }

    async fn change_client(
        &self,
        id: ClientId,
        change: ClientChange,
        audit: AuditEntry,
    ) -> StoreResult<Option<Client>> {
        self.change(self.inner.change_client(id, change, audit))
            .await
    }

    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> StoreResult<Option<Key>> {
        self.change(self.inner.create_key(key, audit)).await
    }

    async fn key(&self, id: KeyId) -> StoreResult<Option<Key>> {
        self.inner.key(id).await
    }

    async fn keys(&self, client: ClientId) -> StoreResult<Vec<Key>> {
        self.inner.keys(client).await
    }

    async fn change_key(
        &self,
        id: KeyId,
        change: KeyChange,
        audit: AuditEntry,
    ) -> StoreResult<Option<Key>> {
        self.change(self.inner.change_key(id, change, audit)).await
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> StoreResult<()> {
        self.change(self.inner.store_key_uses(uses)).await
    }

    async fn key_by_digest(&self, digest: KeyDigest) -> StoreResult<Option<KeyWithClient>> {
        self.inner.key_by_digest(digest).await
    }

    async fn register_context(
        &self,
        context: NewContext,
        idempotency: Option<IdempotencyInput>,
        audit: AuditEntry,
    ) -> StoreResult<RegisterOutcome> {
        self.change(self.inner.register_context(context, idempotency, audit))
            .await
    }

    async fn context(&self, id: &ContextId) -> StoreResult<Option<Context>> {
        self.inner.context(id).await
    }

    async fn context_of_client(
        &self,
        client: ClientId,
        id: &ContextId,
    ) -> StoreResult<Option<Context>> {
        self.inner.context_of_client(client, id).await
    }

    async fn contexts(
        &self,
        filter: ContextFilter,
        after: Option<ContextId>,
        limit: usize,
    ) -> StoreResult<Vec<Context>> {
        self.inner.contexts(filter, after, limit).await
    }

    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> StoreResult<Option<Context>> {
        self.change(self.inner.change_context(id, change, audit))
            .await
    }

    async fn transfer_contexts(&self, transfer: ContextTransfer) -> StoreResult<TransferOutcome> {
        self.change(self.inner.transfer_contexts(transfer)).await
    }

    async fn append_audit(&self, entry: AuditEntry) -> StoreResult<()> {
        self.change(self.inner.append_audit(entry)).await
    }
}

#[async_trait]
impl BillingStore for FaultyStore {
    async fn meter(&self, ledger: LedgerId) -> StoreResult<Option<MeterState>> {
        self.inner.meter(ledger).await
    }

    async fn rows(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> StoreResult<Vec<LedgerEntry>> {
        self.inner.rows(ledger, after, limit).await
    }

    async fn ended_periods(
        &self,
        ledger: LedgerId,
        after: u64,
        limit: usize,
    ) -> StoreResult<Vec<EndedPeriod>> {
        self.inner.ended_periods(ledger, after, limit).await
    }

    async fn alerts(&self, ledger: LedgerId, after: u64, limit: usize) -> StoreResult<Vec<Alert>> {
        self.inner.alerts(ledger, after, limit).await
    }

    async fn set_limit(
        &self,
        ledger: LedgerId,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> StoreResult<()> {
        self.change(self.inner.set_limit(ledger, limit, book, audit))
            .await
    }

    async fn billing(&self, client: ClientId) -> StoreResult<Option<BillingFacts>> {
        self.inner.billing(client).await
    }

    async fn close(
        &self,
        client: ClientId,
        which: CloseScope,
        rules: MeterRules,
        actor: Actor,
    ) -> StoreResult<Option<Vec<Invoice>>> {
        self.change(self.inner.close(client, which, rules, actor))
            .await
    }

    async fn invoice(&self, id: InvoiceId) -> StoreResult<Option<Invoice>> {
        self.inner.invoice(id).await
    }

    async fn invoices(
        &self,
        client: ClientId,
        after: u32,
        limit: usize,
    ) -> StoreResult<Vec<Invoice>> {
        self.inner.invoices(client, after, limit).await
    }

    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> StoreResult<Option<Invoice>> {
        self.change(self.inner.change_invoice(id, change, audit))
            .await
    }

    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> StoreResult<Option<Adjustment>> {
        self.change(self.inner.adjust(client, adjustment, audit))
            .await
    }

    async fn forget_openings(&self, before: Timestamp, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.forget_openings(before, limit)).await
    }

    async fn expire_sandbox_rows(&self, before: Timestamp, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.expire_sandbox_rows(before, limit))
            .await
    }
}

#[async_trait]
impl AdminStore for FaultyStore {
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> StoreResult<Vec<VerdictRecord>> {
        self.inner.verdicts(context, after, limit).await
    }

    async fn override_verdict(&self, change: Override, audit: AuditEntry) -> StoreResult<Verdict> {
        self.change(self.inner.override_verdict(change, audit))
            .await
    }

    async fn audit(&self, after: u64, limit: usize) -> StoreResult<Vec<AuditRecord>> {
        self.inner.audit(after, limit).await
    }

    async fn audit_head(&self) -> StoreResult<AuditHead> {
        self.inner.audit_head().await
    }

    async fn signing_key(&self) -> StoreResult<u32> {
        self.inner.signing_key().await
    }

    async fn activate_signing_key(&self, number: u32, audit: AuditEntry) -> StoreResult<()> {
        self.change(self.inner.activate_signing_key(number, audit))
            .await
    }

    fn backup(&self, out: &mut dyn io::Write) -> StoreResult<u64> {
        self.inner.backup(out)
    }

    fn info(&self) -> StoreInfo {
        self.inner.info()
    }

    fn health(&self) -> Health {
        self.inner.health()
    }
}

#[async_trait]
impl EventStore for FaultyStore {
    async fn events(
        &self,
        client: ClientId,
        after: u64,
        limit: usize,
    ) -> StoreResult<Vec<ClientEvent>> {
        self.inner.events(client, after, limit).await
    }

    async fn event_feed(&self, client: ClientId) -> StoreResult<EventFeed> {
        self.inner.event_feed(client).await
    }

    async fn recent_feeds(
        &self,
        since: Timestamp,
        after: Option<ClientId>,
        limit: usize,
    ) -> StoreResult<Vec<FeedOfClient>> {
        self.inner.recent_feeds(since, after, limit).await
    }

    async fn purge_events(&self, before: Timestamp, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.purge_events(before, limit)).await
    }
}

#[async_trait]
impl EndpointStore for FaultyStore {
    async fn create_endpoint(
        &self,
        endpoint: Endpoint,
        audit: AuditEntry,
    ) -> StoreResult<EndpointCreation> {
        self.change(self.inner.create_endpoint(endpoint, audit))
            .await
    }

    async fn endpoint(&self, name: EndpointName) -> StoreResult<Option<EndpointRecord>> {
        self.inner.endpoint(name).await
    }

    async fn endpoints(&self, client: ClientId) -> StoreResult<Vec<EndpointRecord>> {
        self.inner.endpoints(client).await
    }

    async fn change_endpoint(
        &self,
        name: EndpointName,
        changes: Vec<AuditedChange>,
    ) -> StoreResult<Option<EndpointOutcome>> {
        self.change(self.inner.change_endpoint(name, changes)).await
    }

    async fn delete_endpoint(&self, name: EndpointName, audit: AuditEntry) -> StoreResult<bool> {
        self.change(self.inner.delete_endpoint(name, audit)).await
    }

    async fn due_endpoints(
        &self,
        lane: DeliveryLane,
        limit: usize,
    ) -> StoreResult<Vec<EndpointName>> {
        self.inner.due_endpoints(lane, limit).await
    }

    async fn claim_deliveries(
        &self,
        name: EndpointName,
        limit: usize,
    ) -> StoreResult<Option<ClaimedDeliveries>> {
        self.change(self.inner.claim_deliveries(name, limit)).await
    }

    async fn conclude_deliveries(
        &self,
        name: EndpointName,
        conclusion: DeliveryConclusion,
    ) -> StoreResult<Option<Vec<DeliveryReport>>> {
        self.change(self.inner.conclude_deliveries(name, conclusion))
            .await
    }

    async fn deliveries(
        &self,
        name: EndpointName,
        before: Option<u64>,
        limit: usize,
    ) -> StoreResult<Vec<NumberedDelivery>> {
        self.inner.deliveries(name, before, limit).await
    }

    async fn purge_deliveries(&self, before: Timestamp, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.purge_deliveries(before, limit))
            .await
    }
}

#[async_trait]
impl AdminTokenStore for FaultyStore {
    async fn create_admin_token(&self, token: AdminToken, audit: AuditEntry) -> StoreResult<()> {
        self.change(self.inner.create_admin_token(token, audit))
            .await
    }

    async fn admin_tokens(&self) -> StoreResult<Vec<AdminToken>> {
        self.inner.admin_tokens().await
    }

    async fn admin_token(&self, id: AdminTokenId) -> StoreResult<Option<AdminToken>> {
        self.inner.admin_token(id).await
    }

    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> StoreResult<Option<AdminToken>> {
        self.change(self.inner.change_admin_token(id, change, audit))
            .await
    }
}

#[async_trait]
impl CheckCountStore for FaultyStore {
    async fn add_check_counts(&self, counts: Vec<(CheckCountKey, CheckCounts)>) -> StoreResult<()> {
        self.change(self.inner.add_check_counts(counts)).await
    }

    async fn check_counts(
        &self,
        contexts: &[ContextId],
        first: Day,
        last: Day,
    ) -> StoreResult<Vec<ContextDayCounts>> {
        self.inner.check_counts(contexts, first, last).await
    }

    async fn check_totals(&self, first: Day, last: Day) -> StoreResult<Vec<DayTotal>> {
        self.inner.check_totals(first, last).await
    }

    async fn purge_check_counts(&self, before: Day, limit: usize) -> StoreResult<usize> {
        self.change(self.inner.purge_check_counts(before, limit))
            .await
    }
}

#[async_trait]
impl UserStore for FaultyStore {
    async fn create_user(&self, user: User, audit: AuditEntry) -> StoreResult<()> {
        self.change(self.inner.create_user(user, audit)).await
    }

    async fn users(&self) -> StoreResult<Vec<User>> {
        self.inner.users().await
    }

    async fn user(&self, id: UserId) -> StoreResult<Option<User>> {
        self.inner.user(id).await
    }

    async fn change_user(
        &self,
        id: UserId,
        change: UserChange,
        audit: Option<AuditEntry>,
    ) -> StoreResult<Option<User>> {
        self.change(self.inner.change_user(id, change, audit)).await
    }
}

#[async_trait]
impl LabelStore for FaultyStore {
    async fn put_labels(
        &self,
        context: &ContextId,
        labels: Vec<LabelRecord>,
        audit: AuditEntry,
    ) -> StoreResult<()> {
        self.change(self.inner.put_labels(context, labels, audit))
            .await
    }

    async fn labels(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> StoreResult<Vec<LabelRecord>> {
        self.inner.labels(context, after, limit).await
    }
}

#[async_trait]
impl ReplayStore for FaultyStore {
    async fn replace_verdict(
        &self,
        change: VerdictReplacement,
        audit: AuditEntry,
    ) -> StoreResult<Option<Verdict>> {
        self.change(self.inner.replace_verdict(change, audit)).await
    }
}

#[async_trait]
impl SnapshotStore for FaultyStore {
    fn slice_addresses(&self) -> usize {
        self.inner.slice_addresses()
    }

    async fn create_snapshot(&self, snapshot: Snapshot) -> StoreResult<SnapshotCreation> {
        self.change(self.inner.create_snapshot(snapshot)).await
    }

    async fn snapshot(&self, client: ClientId, id: SnapshotId) -> StoreResult<Option<Snapshot>> {
        self.inner.snapshot(client, id).await
    }

    async fn snapshots(
        &self,
        client: ClientId,
        after: Option<SnapshotId>,
        limit: usize,
    ) -> StoreResult<Vec<Snapshot>> {
        self.inner.snapshots(client, after, limit).await
    }

    async fn snapshot_slice(
        &self,
        client: ClientId,
        id: SnapshotId,
        index: u32,
    ) -> StoreResult<Option<SnapshotSlice>> {
        self.inner.snapshot_slice(client, id, index).await
    }

    async fn change_snapshot(
        &self,
        client: ClientId,
        id: SnapshotId,
        change: SnapshotChange,
    ) -> StoreResult<Option<SnapshotOutcome>> {
        self.change(self.inner.change_snapshot(client, id, change))
            .await
    }

    async fn delete_snapshot(&self, client: ClientId, id: SnapshotId) -> StoreResult<bool> {
        self.change(self.inner.delete_snapshot(client, id)).await
    }
}

#[async_trait]
impl ErasureStore for FaultyStore {
    async fn erase(&self, erasure: &Erasure) -> StoreResult<ErasureCounts> {
        self.change(self.inner.erase(erasure)).await
    }

    async fn tombstone(
        &self,
        context: &ContextId,
        digest: AddressDigest,
    ) -> StoreResult<Option<Tombstone>> {
        self.inner.tombstone(context, digest).await
    }
}

#[async_trait]
impl MaintenanceStore for FaultyStore {
    fn scrub(&self, records: usize) -> StoreResult<Option<ScrubProgress>> {
        self.inner.scrub(records)
    }

    fn status(&self) -> StoreResult<StoreStatus> {
        self.inner.status()
    }

    async fn try_acquire_lease(&self) -> StoreResult<bool> {
        self.inner.try_acquire_lease().await
    }
}

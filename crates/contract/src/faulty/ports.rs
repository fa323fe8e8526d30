//! Every port, each call handed on.

use super::Faulty;
use async_trait::async_trait;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::PriceBook;
use voight_domain::check::{CheckConclusion, ConcludeOutcome, Concluded, EvidenceBatch, RedeemOutcome, Redemption};
use voight_domain::invoicing::{Adjustment, BillingFacts, Close, Invoice, InvoiceChange, InvoiceId, NewAdjustment};
use voight_domain::links::{Cluster, ClusterKey, TracePages};
use voight_domain::metering::{Alert, Claim, EndedPeriod, Limit, LookupOutcome, LookupRequest, MeterRules, MeterState};
use voight_domain::ports::{
    AdminStore, AdminTokenStore, Appended, AuditRecord, BillingStore, CheckStore, ContextFilter, Erased, Erasure,
    ErasureStore, EvidenceStore, Health, LabelRecord, LabelStore, LedgerEntry, LinkStore, LookupStore, Override,
    ReceiptStore, RegisterOutcome, RegistryStore, Replacement, ReplayStore, ScrubProgress, StoreError, StoreInfo,
    Upkeep, UpkeepStore, VerdictRecord,
};
use voight_domain::registry::{
    Actor, AdminToken, AdminTokenChange, AuditEntry, AuditHead, Client, ClientChange, Context, ContextChange,
    ContextTransfer, Key, KeyChange, KeyHolder, KeyUse, NewClient, NewContext, NewKey, TransferOutcome,
};
use voight_domain::secrets::{AddressDigest, KeyDigest};
use voight_domain::verdict::{Event, Tombstone, Verdict};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ClientName, ContextId, Environment, EoaAddress, KeyId, Timestamp,
};

type Outcome<T> = Result<T, StoreError>;

#[async_trait]
impl LookupStore for Faulty {
    async fn answer(&self, request: LookupRequest) -> Outcome<LookupOutcome> {
        self.change(self.inner.answer(request)).await
    }
}

#[async_trait]
impl CheckStore for Faulty {
    async fn conclude(&self, conclusion: CheckConclusion) -> Outcome<ConcludeOutcome> {
        self.change(self.inner.conclude(conclusion)).await
    }

    async fn concluded(&self, check: CheckId) -> Outcome<Option<Concluded>> {
        self.inner.concluded(check).await
    }

    async fn sweep(&self, opened_before: Timestamp, limit: usize) -> Outcome<usize> {
        self.change(self.inner.sweep(opened_before, limit)).await
    }

    async fn verdict(&self, context: &ContextId, address: &EoaAddress) -> Outcome<Option<Verdict>> {
        self.inner.verdict(context, address).await
    }

    async fn timeline(&self, context: &ContextId, address: &EoaAddress, limit: usize) -> Outcome<Vec<Event>> {
        self.inner.timeline(context, address, limit).await
    }
}

#[async_trait]
impl ReceiptStore for Faulty {
    async fn redeem(&self, redemption: Redemption) -> Outcome<RedeemOutcome> {
        self.change(self.inner.redeem(redemption)).await
    }
}

#[async_trait]
impl LinkStore for Faulty {
    async fn traces(&self, context: &ContextId) -> Outcome<TracePages> {
        self.inner.traces(context).await
    }

    async fn cluster(&self, context: &ContextId, key: ClusterKey) -> Outcome<Option<Cluster>> {
        self.inner.cluster(context, key).await
    }

    async fn assign(
        &self,
        context: &ContextId,
        members: Vec<(AddressDigest, ClusterKey)>,
        audit: AuditEntry,
    ) -> Outcome<()> {
        self.change(self.inner.assign(context, members, audit)).await
    }
}

#[async_trait]
impl EvidenceStore for Faulty {
    async fn append(&self, batch: EvidenceBatch, keep_until: Timestamp) -> Outcome<Appended> {
        self.change(self.inner.append(batch, keep_until)).await
    }

    async fn batches(&self, check: CheckId) -> Outcome<Vec<EvidenceBatch>> {
        self.inner.batches(check).await
    }

    async fn unsettled(&self, opened_before: Timestamp, limit: usize) -> Outcome<Vec<CheckId>> {
        self.inner.unsettled(opened_before, limit).await
    }

    async fn settle(&self, check: CheckId) -> Outcome<()> {
        self.change(self.inner.settle(check)).await
    }

    async fn evict(&self, now: Timestamp, retention: Duration, limit: usize) -> Outcome<usize> {
        self.change(self.inner.evict(now, retention, limit)).await
    }
}

#[async_trait]
impl RegistryStore for Faulty {
    async fn create_client(&self, client: NewClient, audit: AuditEntry) -> Outcome<Client> {
        self.change(self.inner.create_client(client, audit)).await
    }

    async fn client(&self, id: ClientId) -> Outcome<Option<Client>> {
        self.inner.client(id).await
    }

    async fn client_named(&self, name: &ClientName) -> Outcome<Option<Client>> {
        self.inner.client_named(name).await
    }

    async fn clients(&self, after: Option<ClientId>, limit: usize) -> Outcome<Vec<Client>> {
        self.inner.clients(after, limit).await
    }

    async fn change_client(&self, id: ClientId, change: ClientChange, audit: AuditEntry) -> Outcome<Option<Client>> {
        self.change(self.inner.change_client(id, change, audit)).await
    }

    async fn create_key(&self, key: NewKey, audit: AuditEntry) -> Outcome<Option<Key>> {
        self.change(self.inner.create_key(key, audit)).await
    }

    async fn key(&self, id: KeyId) -> Outcome<Option<Key>> {
        self.inner.key(id).await
    }

    async fn keys(&self, client: ClientId) -> Outcome<Vec<Key>> {
        self.inner.keys(client).await
    }

    async fn change_key(&self, id: KeyId, change: KeyChange, audit: AuditEntry) -> Outcome<Option<Key>> {
        self.change(self.inner.change_key(id, change, audit)).await
    }

    async fn store_key_uses(&self, uses: Vec<KeyUse>) -> Outcome<()> {
        self.change(self.inner.store_key_uses(uses)).await
    }

    async fn holder(&self, digest: KeyDigest) -> Outcome<Option<KeyHolder>> {
        self.inner.holder(digest).await
    }

    async fn register_context(
        &self,
        context: NewContext,
        claim: Option<Claim>,
        audit: AuditEntry,
    ) -> Outcome<RegisterOutcome> {
        self.change(self.inner.register_context(context, claim, audit)).await
    }

    async fn context(&self, id: &ContextId) -> Outcome<Option<Context>> {
        self.inner.context(id).await
    }

    async fn contexts(&self, filter: ContextFilter, after: Option<ContextId>, limit: usize) -> Outcome<Vec<Context>> {
        self.inner.contexts(filter, after, limit).await
    }

    async fn change_context(
        &self,
        id: &ContextId,
        change: ContextChange,
        audit: AuditEntry,
    ) -> Outcome<Option<Context>> {
        self.change(self.inner.change_context(id, change, audit)).await
    }

    async fn transfer_contexts(&self, transfer: ContextTransfer) -> Outcome<TransferOutcome> {
        self.change(self.inner.transfer_contexts(transfer)).await
    }

    async fn append_audit(&self, entry: AuditEntry) -> Outcome<()> {
        self.change(self.inner.append_audit(entry)).await
    }
}

#[async_trait]
impl BillingStore for Faulty {
    async fn meter(&self, client: ClientId, environment: Environment) -> Outcome<Option<MeterState>> {
        self.inner.meter(client, environment).await
    }

    async fn rows(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Outcome<Vec<LedgerEntry>> {
        self.inner.rows(client, environment, after, limit).await
    }

    async fn ended_periods(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Outcome<Vec<EndedPeriod>> {
        self.inner.ended_periods(client, environment, after, limit).await
    }

    async fn alerts(
        &self,
        client: ClientId,
        environment: Environment,
        after: u64,
        limit: usize,
    ) -> Outcome<Vec<Alert>> {
        self.inner.alerts(client, environment, after, limit).await
    }

    async fn set_limit(
        &self,
        client: ClientId,
        environment: Environment,
        limit: Limit,
        book: Arc<PriceBook>,
        audit: AuditEntry,
    ) -> Outcome<()> {
        self.change(self.inner.set_limit(client, environment, limit, book, audit)).await
    }

    async fn billing(&self, client: ClientId) -> Outcome<Option<BillingFacts>> {
        self.inner.billing(client).await
    }

    async fn close(
        &self,
        client: ClientId,
        which: Close,
        rules: MeterRules,
        actor: Actor,
    ) -> Outcome<Option<Vec<Invoice>>> {
        self.change(self.inner.close(client, which, rules, actor)).await
    }

    async fn invoice(&self, id: InvoiceId) -> Outcome<Option<Invoice>> {
        self.inner.invoice(id).await
    }

    async fn invoices(&self, client: ClientId, after: u32, limit: usize) -> Outcome<Vec<Invoice>> {
        self.inner.invoices(client, after, limit).await
    }

    async fn change_invoice(
        &self,
        id: InvoiceId,
        change: InvoiceChange,
        audit: AuditEntry,
    ) -> Outcome<Option<Invoice>> {
        self.change(self.inner.change_invoice(id, change, audit)).await
    }

    async fn adjust(
        &self,
        client: ClientId,
        adjustment: NewAdjustment,
        audit: AuditEntry,
    ) -> Outcome<Option<Adjustment>> {
        self.change(self.inner.adjust(client, adjustment, audit)).await
    }

    async fn forget_openings(&self, before: Timestamp, limit: usize) -> Outcome<usize> {
        self.change(self.inner.forget_openings(before, limit)).await
    }
}

#[async_trait]
impl AdminStore for Faulty {
    async fn verdicts(
        &self,
        context: &ContextId,
        after: Option<EoaAddress>,
        limit: usize,
    ) -> Outcome<Vec<VerdictRecord>> {
        self.inner.verdicts(context, after, limit).await
    }

    async fn override_verdict(&self, change: Override, audit: AuditEntry) -> Outcome<Verdict> {
        self.change(self.inner.override_verdict(change, audit)).await
    }

    async fn audit(&self, after: u64, limit: usize) -> Outcome<Vec<AuditRecord>> {
        self.inner.audit(after, limit).await
    }

    async fn audit_head(&self) -> Outcome<AuditHead> {
        self.inner.audit_head().await
    }

    async fn signing_key(&self) -> Outcome<u32> {
        self.inner.signing_key().await
    }

    async fn use_signing_key(&self, number: u32, audit: AuditEntry) -> Outcome<()> {
        self.change(self.inner.use_signing_key(number, audit)).await
    }

    fn backup(&self, out: &mut dyn io::Write) -> Outcome<u64> {
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
impl AdminTokenStore for Faulty {
    async fn create_admin_token(&self, token: AdminToken, audit: AuditEntry) -> Outcome<()> {
        self.change(self.inner.create_admin_token(token, audit)).await
    }

    async fn admin_tokens(&self) -> Outcome<Vec<AdminToken>> {
        self.inner.admin_tokens().await
    }

    async fn admin_token(&self, id: AdminTokenId) -> Outcome<Option<AdminToken>> {
        self.inner.admin_token(id).await
    }

    async fn change_admin_token(
        &self,
        id: AdminTokenId,
        change: AdminTokenChange,
        audit: AuditEntry,
    ) -> Outcome<Option<AdminToken>> {
        self.change(self.inner.change_admin_token(id, change, audit)).await
    }
}

#[async_trait]
impl LabelStore for Faulty {
    async fn label(&self, context: &ContextId, labels: Vec<LabelRecord>, audit: AuditEntry) -> Outcome<()> {
        self.change(self.inner.label(context, labels, audit)).await
    }

    async fn labels(&self, context: &ContextId, after: Option<EoaAddress>, limit: usize) -> Outcome<Vec<LabelRecord>> {
        self.inner.labels(context, after, limit).await
    }
}

#[async_trait]
impl ReplayStore for Faulty {
    async fn replace_verdict(&self, change: Replacement, audit: AuditEntry) -> Outcome<Option<Verdict>> {
        self.change(self.inner.replace_verdict(change, audit)).await
    }
}

#[async_trait]
impl ErasureStore for Faulty {
    async fn erase(&self, erasure: &Erasure) -> Outcome<Erased> {
        self.change(self.inner.erase(erasure)).await
    }

    async fn tombstone(&self, context: &ContextId, digest: AddressDigest) -> Outcome<Option<Tombstone>> {
        self.inner.tombstone(context, digest).await
    }
}

#[async_trait]
impl UpkeepStore for Faulty {
    fn scrub(&self, records: usize) -> Outcome<Option<ScrubProgress>> {
        self.inner.scrub(records)
    }

    fn upkeep(&self) -> Outcome<Upkeep> {
        self.inner.upkeep()
    }

    async fn take_turn(&self) -> Outcome<bool> {
        self.inner.take_turn().await
    }
}

//! Operations of a history with all their arguments.

use crate::block_on::block_on;
use crate::fixture::ALL;
use crate::generate::{address, audit, audited, book, concluded_attempt, upload_changes};
use std::fmt::Debug;
use std::time::Duration;
use voight_domain::check::{CheckConclusion, EvidenceBatch, Redemption};
use voight_domain::invoicing::{CloseScope, InvoiceChange, InvoiceId, NewAdjustment};
use voight_domain::metering::{
    BatchLookupRequest, IdempotencyInput, LedgerId, Limit, LookupRequest, MeterRules,
};
use voight_domain::ports::{
    ContextFilter, Erasure, LabelRecord, Override, Store, StoreError, VerdictReplacement,
};
use voight_domain::registry::{
    Actor, AdminToken, AdminTokenChange, AuditAction, Client, ClientChange, Context, ContextChange,
    ContextTransfer, Key, KeyChange, User, UserChange,
};
use voight_domain::snapshot::{ListedAddress, Snapshot, SnapshotChange};
use voight_domain::vocabulary::{
    AdminTokenId, CheckId, ClientId, ContextId, EoaAddress, KeyId, SnapshotId, Timestamp, UserId,
};
use voight_domain::webhooks::{
    AttemptOutcome, DeliveryConclusion, Endpoint, EndpointChange, EndpointName,
};

/// Call of a storage port, or a change of the clock.
#[derive(Debug, Clone)]
pub(crate) enum Operation {
    SetClock(Timestamp),
    CreateClient(Client),
    ChangeClient(ClientId, ClientChange),
    CreateKey(Key),
    ChangeKey(KeyId, KeyChange),
    Register(Context, Option<IdempotencyInput>),
    ChangeContext(ContextId, ContextChange),
    Transfer(ContextTransfer),
    Contexts(ContextFilter, Option<ContextId>, usize),
    Answer(LookupRequest),
    AnswerBatch(BatchLookupRequest),
    SetLimit(LedgerId, Limit),
    Close(ClientId, CloseScope, MeterRules),
    ChangeInvoice(InvoiceId, InvoiceChange),
    Adjust(ClientId, NewAdjustment),
    ForgetOpenings(Timestamp, usize),
    Rows(LedgerId, u64, usize),
    Conclude(CheckConclusion),
    Redeem(Redemption),
    Sweep(Timestamp, usize),
    Override(Override),
    UseSigningKey(u32),
    CreateAdminToken(AdminToken),
    ChangeAdminToken(AdminTokenId, AdminTokenChange),
    CreateUser(User),
    ChangeUser(UserId, UserChange),
    Label(ContextId, Vec<LabelRecord>),
    Labels(ContextId, Option<EoaAddress>, usize),
    Replace(VerdictReplacement),
    Erase(Erasure),
    Verdicts(ContextId, Option<EoaAddress>, usize),
    Timeline(ContextId, EoaAddress, usize),
    Append(EvidenceBatch, Timestamp),
    Settle(CheckId),
    Unsettled(Timestamp, usize),
    Evict(Timestamp, Duration, usize),
    Audit(u64, usize),
    CreateSnapshot(Snapshot),
    /// Uploads these slices of addresses. Only a complete upload is looked up.
    Upload(ClientId, SnapshotId, Vec<Vec<ListedAddress>>, UploadEnd),
    ChangeSnapshot(ClientId, SnapshotId, SnapshotChange),
    DeleteSnapshot(ClientId, SnapshotId),
    CreateEndpoint(Endpoint),
    ChangeEndpoint(EndpointName, Vec<EndpointChange>),
    DeleteEndpoint(EndpointName),
    ClaimDeliveries(EndpointName, usize),
    ConcludeDeliveries(EndpointName, DeliveryConclusion),
    /// Claims attempts and concludes them with these outcomes in turn; `None` postpones an attempt.
    Deliver(EndpointName, usize, Vec<Option<AttemptOutcome>>),
    Deliveries(EndpointName, Option<u64>, usize),
    PurgeDeliveries(Timestamp),
    PurgeEvents(Timestamp),
}

/// End of an upload of a snapshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum UploadEnd {
    Complete,
    Interrupted,
}

impl Operation {
    /// Makes the call at `now` and formats its result.
    #[expect(clippy::too_many_lines, reason = "an arm for each operation")]
    pub(crate) fn apply(&self, store: &dyn Store, now: Timestamp) -> String {
        let entry = |action, subject: String| audit(action, &subject, now);
        match self.clone() {
            Self::SetClock(_) => String::new(),
            Self::CreateClient(client) => {
                let entry = entry(AuditAction::ClientCreated, client.id.to_string());
                format_outcome(store.create_client(client, entry))
            }
            Self::ChangeClient(id, change) => format_outcome(store.change_client(
                id,
                change,
                entry(AuditAction::ClientChanged, id.to_string()),
            )),
            Self::CreateKey(key) => {
                let entry = entry(AuditAction::KeyIssued, key.id.to_string());
                format_outcome(store.create_key(key, entry))
            }
            Self::ChangeKey(id, change) => format_outcome(store.change_key(
                id,
                change,
                entry(AuditAction::KeyRotated, id.to_string()),
            )),
            Self::Register(context, idempotency) => {
                let entry = entry(AuditAction::ContextRegistered, context.id.to_string());
                format_outcome(store.register_context(context, idempotency, entry))
            }
            Self::ChangeContext(id, change) => format_outcome(store.change_context(
                &id,
                change,
                entry(AuditAction::ContextChanged, id.to_string()),
            )),
            Self::Transfer(transfer) => format_outcome(store.transfer_contexts(transfer)),
            Self::Contexts(filter, after, limit) => {
                format_outcome(store.contexts(filter, after, limit))
            }
            Self::Answer(request) => format_outcome(store.answer(request)),
            Self::AnswerBatch(request) => format_outcome(store.answer_batch(request)),
            Self::SetLimit(ledger, limit) => {
                let entry = entry(AuditAction::LimitChanged, ledger.client.to_string());
                format_outcome(store.set_limit(ledger, limit, book(), entry))
            }
            Self::Close(client, which, rules) => {
                format_outcome(store.close(client, which, rules, Actor::Operator))
            }
            Self::ChangeInvoice(id, change) => format_outcome(store.change_invoice(
                id,
                change,
                entry(AuditAction::InvoicePaid, id.to_string()),
            )),
            Self::Adjust(client, made) => format_outcome(store.adjust(
                client,
                made,
                entry(AuditAction::AdjustmentMade, client.to_string()),
            )),
            Self::ForgetOpenings(before, limit) => {
                format_outcome(store.forget_openings(before, limit))
            }
            Self::Rows(ledger, after, limit) => format_outcome(store.rows(ledger, after, limit)),
            Self::Conclude(conclusion) => format_outcome(store.conclude(conclusion)),
            Self::Redeem(redemption) => format_outcome(store.redeem(redemption)),
            Self::Sweep(before, limit) => format_outcome(store.sweep(before, limit)),
            Self::Override(change) => {
                let entry = entry(AuditAction::VerdictOverridden, change.context.to_string());
                format_outcome(store.override_verdict(change, entry))
            }
            Self::UseSigningKey(number) => format_outcome(store.activate_signing_key(
                number,
                entry(AuditAction::SigningKeyRotated, number.to_string()),
            )),
            Self::CreateAdminToken(token) => {
                let entry = entry(AuditAction::AdminTokenCreated, token.id.to_string());
                format_outcome(store.create_admin_token(token, entry))
            }
            Self::ChangeAdminToken(id, change) => format_outcome(store.change_admin_token(
                id,
                change,
                entry(AuditAction::AdminTokenRotated, id.to_string()),
            )),
            Self::CreateUser(user) => {
                let entry = entry(AuditAction::UserInvited, user.id.to_string());
                format_outcome(store.create_user(user, entry))
            }
            Self::ChangeUser(id, change) => {
                let entry = entry(AuditAction::UserChanged, id.to_string());
                format_outcome(store.change_user(id, change, Some(entry)))
            }
            Self::Label(context, labels) => {
                let entry = entry(AuditAction::AddressLabelled, context.to_string());
                format_outcome(store.put_labels(&context, labels, entry))
            }
            Self::Labels(context, after, limit) => {
                format_outcome(store.labels(&context, after, limit))
            }
            Self::Replace(change) => {
                let entry = entry(AuditAction::VerdictReplayed, change.context.to_string());
                format_outcome(store.replace_verdict(change, entry))
            }
            Self::Erase(erasure) => format_outcome(store.erase(&erasure)),
            Self::Verdicts(context, after, limit) => {
                format_outcome(store.verdicts(&context, after, limit))
            }
            Self::Timeline(context, address, limit) => {
                format_outcome(store.timeline(&context, &address, limit))
            }
            Self::Append(batch, keep_until) => format_outcome(store.append(batch, keep_until)),
            Self::Settle(check) => format_outcome(store.mark_judged(check)),
            Self::Unsettled(before, limit) => format_outcome(store.unjudged_checks(before, limit)),
            Self::Evict(at, retention, limit) => format_outcome(store.evict(at, retention, limit)),
            Self::Audit(after, limit) => format_outcome(store.audit(after, limit)),
            Self::CreateSnapshot(snapshot) => format_outcome(store.create_snapshot(snapshot)),
            Self::Upload(client, id, slices, end) => upload(store, client, id, slices, end),
            Self::ChangeSnapshot(client, id, change) => {
                format_outcome(store.change_snapshot(client, id, change))
            }
            Self::DeleteSnapshot(client, id) => format_outcome(store.delete_snapshot(client, id)),
            Self::CreateEndpoint(endpoint) => {
                let entry = entry(AuditAction::WebhookCreated, endpoint.id.to_string());
                format_outcome(store.create_endpoint(endpoint, entry))
            }
            Self::ChangeEndpoint(name, changes) => {
                let changes = changes
                    .into_iter()
                    .map(|change| audited(change, name.id, now));
                format_outcome(store.change_endpoint(name, changes.collect()))
            }
            Self::DeleteEndpoint(name) => {
                let entry = entry(AuditAction::WebhookDeleted, name.id.to_string());
                format_outcome(store.delete_endpoint(name, entry))
            }
            Self::ClaimDeliveries(name, limit) => {
                format_outcome(store.claim_deliveries(name, limit))
            }
            Self::ConcludeDeliveries(name, conclusion) => {
                format_outcome(store.conclude_deliveries(name, conclusion))
            }
            Self::Deliver(name, limit, outcomes) => deliver(store, name, limit, &outcomes, now),
            Self::Deliveries(name, before, limit) => {
                format_outcome(store.deliveries(name, before, limit))
            }
            Self::PurgeDeliveries(before) => format_outcome(store.purge_deliveries(before, ALL)),
            Self::PurgeEvents(before) => format_outcome(store.purge_events(before, ALL)),
        }
    }
}

/// Uploads slices of addresses, and formats the results of all calls.
fn upload(
    store: &dyn Store,
    client: ClientId,
    id: SnapshotId,
    slices: Vec<Vec<ListedAddress>>,
    end: UploadEnd,
) -> String {
    let outcome = block_on(store.change_snapshot(client, id, SnapshotChange::BeginUpload));
    let Ok(Some(Ok(snapshot))) = &outcome else {
        return format!("{outcome:?}");
    };
    let mut changes = upload_changes(snapshot.progress.attempt, slices);
    if end == UploadEnd::Interrupted {
        changes.pop();
    }
    let outcomes = changes
        .into_iter()
        .map(|change| format_outcome(store.change_snapshot(client, id, change)));
    outcomes.collect::<Vec<_>>().join("; ")
}

/// Claims attempts, concludes them, and formats the results of both calls. Each response repeats an address.
fn deliver(
    store: &dyn Store,
    name: EndpointName,
    limit: usize,
    outcomes: &[Option<AttemptOutcome>],
    now: Timestamp,
) -> String {
    let claim = block_on(store.claim_deliveries(name, limit));
    let Ok(Some(claimed_deliveries)) = &claim else {
        return format!("{claim:?}");
    };
    let mut conclusion = DeliveryConclusion {
        lease: claimed_deliveries.lease,
        ..DeliveryConclusion::default()
    };
    let attempts = claimed_deliveries.attempts.iter();
    for ((attempt, event), outcome) in attempts.zip(outcomes.iter().cycle()) {
        let Some(outcome) = outcome else {
            conclusion.postponed.push(*attempt);
            continue;
        };
        let number = u32::try_from(event.number % 5).unwrap_or(0);
        let response = address(number).to_string();
        let concluded_attempt = concluded_attempt(*attempt, *outcome, &response, now);
        conclusion.attempts.push(concluded_attempt);
    }
    let reports = format_outcome(store.conclude_deliveries(name, conclusion));
    format!("{claim:?}; {reports}")
}

/// Formats the result of a call, without the text of a conflict, which is specific to the adapter.
fn format_outcome<T: Debug>(call: impl Future<Output = Result<T, StoreError>>) -> String {
    match block_on(call) {
        Err(StoreError::Conflict(_)) => "Err(Conflict)".to_owned(),
        outcome => format!("{outcome:?}"),
    }
}

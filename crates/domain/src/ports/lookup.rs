//! The hot path.

use super::StoreError;
use crate::metering::{LookupOutcome, LookupRequest};
use async_trait::async_trait;

/// Answers lookups and records them.
#[async_trait]
pub trait LookupStore: Send + Sync {
    /// Answers one lookup in one atomic step: reads key, client, context, verdict, meter and claim, calls
    /// [`answer_lookup`](crate::metering::answer_lookup) at the adapter's own clock, and writes its step whole.
    ///
    /// - `answer_is_atomic`: rows, meter, opening and claim are written together or not at all.
    /// - `answer_is_durable`: they are on disk when the call returns `Recorded`.
    /// - `answer_has_one_row`: a `Recorded` lookup has exactly one lookup row; every other outcome has none.
    /// - `ledger_is_gapless`: sequence numbers of a (client, environment) run from 1 without gaps, in the order of their dates.
    /// - `ledger_is_chained`: the meter's head is the chain over all rows in order.
    /// - `allowance_is_exact`: under any concurrency exactly the first `allowance` billable rows of a client are free.
    /// - `cap_is_exact`: under any concurrency no period holds more billable rows than the cap.
    /// - `idempotent_request_is_replayed`: the same claim with the same parameters replays the first answer and adds no row.
    /// - `idempotency_mismatch_is_rejected`: the same claim with other parameters is `KeyReused`.
    /// - `idempotency_is_shared_across_environments`: the claim of a live lookup is `KeyReused` for one of the sandbox, also at the same time.
    /// - `claim_replays_the_detail`: a detailed answer is replayed with its detail, whatever has become of the verdict since.
    /// - `idempotency_record_expires`: after 24 hours a claim's key is free again.
    /// - `claim_lasts_its_last_hour`: until then it is replayed, however many claims were made since, and also by a clock that was
    ///   up to a day ahead in between.
    /// - `revoked_key_is_refused`: once a revocation has returned, no later lookup with the key is recorded.
    /// - `foreign_context_is_refused`: a context that the key may not use is refused exactly as one that does not exist.
    /// - `shared_context_is_answered`: where the client's contexts are shared, each of its keys in the context's environment looks
    ///   up in it, until they are not shared any more.
    /// - `suspended_client_is_refused`: a suspended client's lookups add no row.
    /// - `sandbox_is_metered_apart`: sandbox and live lookups have ledgers and meters of their own.
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError>;
}

//! Port of lookups, the hot path.

use super::StoreError;
use crate::metering::{BatchLookupRequest, LookupOutcome, LookupRequest, RecordedBatch};
use async_trait::async_trait;

/// Answers and records lookups.
#[async_trait]
pub trait LookupStore: Send + Sync {
    /// Answers one lookup in one transaction.
    ///
    /// Reads key, client, context, verdict, meter and idempotency record, calls
    /// [`answer_lookup`](crate::metering::answer_lookup) at the adapter's own clock, and writes the complete result.
    ///
    /// - `answer_is_atomic`: rows, meter, opening and idempotency record are written together or not at all.
    /// - `answer_is_durable`: they are on disk when the call returns `Recorded`.
    /// - `answer_has_one_row`: a `Recorded` lookup has exactly one lookup row; every other outcome has none.
    /// - `ledger_is_gapless`: sequence numbers of a (client, environment) run from 1 without gaps, in the order of
    ///   their dates.
    /// - `ledger_is_chained`: the meter's head is the hash chain over all rows in order.
    /// - `allowance_is_exact`: under any concurrency exactly the first `allowance` billable rows of a client are free.
    /// - `cap_is_exact`: under any concurrency no period holds more billable rows than the cap.
    /// - `idempotent_request_is_replayed`: a repeated idempotency key with the same parameters replays the first answer
    ///   and adds no row.
    /// - `idempotency_mismatch_is_rejected`: a repeated idempotency key with other parameters is
    ///   `IdempotencyKeyReused`.
    /// - `idempotency_is_shared_across_environments`: the idempotency key of a live lookup is `IdempotencyKeyReused`
    ///   for a sandbox lookup, also under concurrency.
    /// - `retry_replays_the_detail`: a detailed answer is replayed with its detail, even if the verdict has changed
    ///   since.
    /// - `idempotency_record_expires`: after 24 hours an idempotency key can be used again.
    /// - `idempotency_record_lasts_its_last_hour`: until then it is replayed, however many records were written since, and also if
    ///   the clock was up to a day ahead in between.
    /// - `revoked_key_is_rejected`: once a revocation has returned, no later lookup with the key is recorded.
    /// - `foreign_context_is_rejected`: a context that the key may not use is rejected exactly as a context that does
    ///   not exist.
    /// - `shared_context_is_answered`: while the client's contexts are shared, each of its keys in the context's
    ///   environment can look up addresses in the context.
    /// - `suspended_client_is_rejected`: a suspended client's lookups add no row.
    /// - `sandbox_lookups_of_a_day_are_limited`: the sandbox of a client has
    ///   [`DailyLookups::SANDBOX_LIMIT`](crate::metering::DailyLookups::SANDBOX_LIMIT) lookups a day, by any key and in any batches.
    /// - `sandbox_is_metered_apart`: sandbox and live lookups have separate ledgers and meters.
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError>;

    /// Answers one lookup of each address of the request in one transaction, or none.
    ///
    /// Reads the facts as [`answer`](Self::answer) does, calls [`answer_batch`](crate::metering::answer_batch), and writes
    /// the complete result. The promises of `answer` about keys, contexts, clients, caps and idempotency hold for the
    /// batch as a whole; beside them:
    ///
    /// - `batch_equals_single_lookups`: answers, free and charged rows, alerts and ended periods are those of single lookups
    ///   of the addresses in ascending order.
    /// - `batch_is_authorised`: a batch with an invalid key, of a suspended client or in a foreign context is rejected as a
    ///   lookup is; a batch of a sandbox key is recorded in the sandbox ledger.
    /// - `batch_is_contiguous`: the rows of a batch have consecutive sequence numbers, also under concurrency.
    /// - `batch_is_all_or_nothing`: a batch that exceeds a cap adds no row, and `CapReached` tells how many lookups remain.
    /// - `batch_is_replayed`: a repeated idempotency key with the same set of addresses replays the first answers, also if a
    ///   verdict has changed since, and adds no row.
    /// - `batch_mismatch_is_rejected`: a repeated idempotency key with another set of addresses is `IdempotencyKeyReused`.
    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError>;
}

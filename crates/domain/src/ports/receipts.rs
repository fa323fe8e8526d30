//! Port of receipts.

use super::StoreError;
use crate::check::{RedeemOutcome, Redemption};
use async_trait::async_trait;

/// Redeems receipts.
#[async_trait]
pub trait ReceiptStore: Send + Sync {
    /// Redeems a receipt in one transaction.
    ///
    /// Reads the requesting key, the receipt's context, the previous redemption and the idempotency record, calls
    /// [`redeem`](crate::check::redeem) at the adapter's own clock, and stores the resulting idempotency records. They
    /// hold no address and expire as those of lookups and registrations do.
    ///
    /// - `redeem_once_under_concurrency`: of concurrent redemptions of one receipt exactly one is `Valid`.
    /// - `redemption_is_durable`: a receipt that was `Valid` is `Used` after the store is opened again.
    /// - `redemption_is_replayed`: the same idempotency key for the same receipt is `Replayed`, at any concurrency;
    ///   with another key or none the receipt is `Used`.
    /// - `redemption_key_reuse_is_rejected`: the idempotency key of another receipt, a lookup or a registration is
    ///   `KeyReused`, and the receipt does not change.
    /// - `revoked_key_redeems_nothing`: once a revocation has returned, a redemption for the key is `KeyRejected`.
    /// - `foreign_receipt_is_forged`: a receipt of a context that is missing or that the key may not use is `Forged`,
    ///   and is not used up.
    /// - `receipt_of_another_environment_is_forged`: a sandbox receipt of a live context is `Forged`, and so is a live
    ///   receipt of a sandbox context.
    /// - `receipt_expires`: an expired receipt is never `Valid`, also after its redemption was deleted.
    /// - `redemption_is_no_lookup`: a redemption adds no row to a ledger and no event to a timeline.
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError>;
}

//! Redeeming receipts.

use super::StoreError;
use crate::check::{RedeemOutcome, Redemption};
use async_trait::async_trait;

/// Redeems receipts.
#[async_trait]
pub trait ReceiptStore: Send + Sync {
    /// Redeems a receipt in one atomic step: reads the key that asks, the receipt's context, whether it was redeemed before and the claim, calls
    /// [`redeem`](crate::check::redeem) at the adapter's own clock, and keeps the claims of its step. They are kept and
    /// swept as those of lookups and registrations are, and hold no address.
    ///
    /// - `redeem_once_under_concurrency`: of redemptions of one receipt at the same time, one is `Valid`.
    /// - `redemption_is_durable`: a receipt that was found `Valid` is `Used` after the store is opened again.
    /// - `redemption_is_replayed`: the same claim for the same receipt is `Replayed`, at any concurrency; another claim or
    ///   none finds it `Used`.
    /// - `redemption_claim_reuse_is_refused`: the claim of another receipt, a lookup or a registration is `KeyReused`, and
    ///   the receipt stays as it is.
    /// - `revoked_key_redeems_nothing`: once a revocation has returned, a redemption for the key is `KeyRefused`.
    /// - `foreign_receipt_is_forged`: a receipt of a context that the key may not use or of none is `Forged`, and is not used up by that.
    /// - `receipt_of_another_environment_is_forged`: so is a sandbox receipt of a live context, and the other way round.
    /// - `receipt_expires`: from the end of its life on a receipt is never `Valid`, also when nothing is kept of it any more.
    /// - `redemption_is_no_lookup`: it adds no row to a ledger and no event to a timeline.
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError>;
}

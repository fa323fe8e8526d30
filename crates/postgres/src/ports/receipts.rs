//! Redemption of receipts.

use super::registry::keys;
use crate::PostgresStore;
use crate::common;
use crate::connection::Transaction;
use crate::error::Error;
use async_trait::async_trait;
use voight_domain::check::{RedeemFacts, RedeemOutcome, Redemption, redeem};
use voight_domain::ports::{ReceiptStore, StoreError};

#[async_trait]
impl ReceiptStore for PostgresStore {
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError> {
        self.write(redemption, |step, redemption| Box::pin(redeem_in(step, redemption))).await
    }
}

/// Redeems a receipt. Locks the client, because an idempotency key covers receipts of all its contexts.
async fn redeem_in(step: &Transaction, request: &Redemption) -> Result<RedeemOutcome, Error> {
    let Some((client, context)) = common::context(step, &request.receipt.context).await? else {
        return Ok(RedeemOutcome::Forged);
    };
    common::lock_client(step, client).await?;
    let burnt = common::idempotency_record(step, client, request.receipt_digest).await?;
    let claim = match &request.idempotency {
        Some(claim) => common::idempotency_record(step, client, claim.key_digest).await?,
        None => None,
    };
    let holder = keys::holder(step, request.key).await?;
    let facts = RedeemFacts {
        holder: holder.as_ref(),
        context: Some(&context),
        previous_redemption: burnt.as_ref(),
        claim: claim.as_ref(),
    };
    let decided = redeem(request, facts, step.now());
    for (digest, claim) in &decided.claims {
        common::put_idempotency_record(step, client, *digest, claim);
    }
    Ok(decided.outcome)
}

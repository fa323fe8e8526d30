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
        self.write(redemption, |transaction, redemption| {
            Box::pin(redeem_in(transaction, redemption))
        })
        .await
    }
}

/// Redeems a receipt. Locks the client of the key, because an idempotency key covers receipts of all its contexts.
///
/// All further statements are about this client, so a receipt of another client takes those of one whose context does not
/// exist.
async fn redeem_in(
    transaction: &Transaction,
    request: &Redemption,
) -> Result<RedeemOutcome, Error> {
    let Some(client) = keys::owner(transaction, request.key).await? else {
        return Ok(redeem(request, RedeemFacts::default(), transaction.now()).outcome);
    };
    common::lock_client(transaction, client).await?;
    let context = common::context_of_client(transaction, client, &request.receipt.context).await?;
    let previous_redemption =
        common::idempotency_record(transaction, client, request.receipt_digest).await?;
    let idempotency_record = match &request.idempotency {
        Some(input) => common::idempotency_record(transaction, client, input.key_digest).await?,
        None => None,
    };
    let key = keys::find_with_client(transaction, request.key).await?;
    let facts = RedeemFacts {
        holder: key.as_ref(),
        context: context.as_ref(),
        previous_redemption: previous_redemption.as_ref(),
        idempotency_record: idempotency_record.as_ref(),
    };
    let step = redeem(request, facts, transaction.now());
    for (digest, record) in &step.idempotency_records {
        common::put_idempotency_record(transaction, client, *digest, record);
    }
    Ok(step.outcome)
}

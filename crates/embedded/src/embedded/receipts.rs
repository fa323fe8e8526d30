//! Redeems receipts.

use super::idempotency::IdempotencyTable;
use super::registry::keys;
use super::{EmbeddedStore, common};
use crate::Engine;
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::check::{RedeemFacts, RedeemOutcome, Redemption, redeem};
use voight_domain::ports::{ReceiptStore, StoreError};
use voight_domain::vocabulary::Timestamp;

#[async_trait]
impl<E: Engine> ReceiptStore for EmbeddedStore<E> {
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError> {
        let (idempotency, clock) = (Arc::clone(&self.idempotency), Arc::clone(&self.clock));
        self.main.write(move |transaction| redeem_in(transaction, &redemption, &idempotency, clock.now())).await
    }
}

fn redeem_in(
    transaction: &mut WriteTransaction<'_>,
    request: &Redemption,
    idempotency: &IdempotencyTable,
    now: Timestamp,
) -> Result<RedeemOutcome, StoreError> {
    let Some((context_key, context)) = common::context(transaction, &request.receipt.context)? else {
        return Ok(RedeemOutcome::Forged);
    };
    let burnt = idempotency.find(transaction, context_key.client_number, request.receipt_digest)?;
    let idempotency_record = match &request.idempotency {
        Some(input) => idempotency.find(transaction, context_key.client_number, input.key_digest)?,
        None => None,
    };
    let holder = keys::holder(transaction, request.key)?;
    let facts = RedeemFacts {
        holder: holder.as_ref(),
        context: Some(&context),
        previous_redemption: burnt.as_ref(),
        idempotency_record: idempotency_record.as_ref(),
    };
    let decided = redeem(request, facts, now);
    for (digest, record) in &decided.idempotency_records {
        idempotency.put(transaction, context_key.client_number, *digest, record, now)?;
    }
    Ok(decided.outcome)
}

//! Redeems receipts.

use super::registry::keys;
use crate::EmbeddedStore;
use crate::idempotency::IdempotencyTable;
use crate::read_records::ReadRecords;
use crate::table;
use crate::write_transaction::WriteTransaction;
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::check::{RedeemFacts, RedeemOutcome, Redemption, redeem};
use voight_domain::ports::{ReceiptStore, StoreError};
use voight_domain::vocabulary::Timestamp;
use voight_engine::Engine;

#[async_trait]
impl<E: Engine> ReceiptStore for EmbeddedStore<E> {
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError> {
        let idempotency = Arc::clone(&self.idempotency);
        let clock = Arc::clone(&self.clock);
        self.main
            .write(move |transaction| {
                redeem_in(transaction, &redemption, &idempotency, clock.now())
            })
            .await
    }
}

fn redeem_in(
    transaction: &mut WriteTransaction<'_>,
    request: &Redemption,
    idempotency: &IdempotencyTable,
    now: Timestamp,
) -> Result<RedeemOutcome, StoreError> {
    // All reads are of the key's client, so a receipt of another client takes those of one whose context does not exist.
    let Some((client_number, key)) = keys::find_with_client(transaction, request.key)? else {
        return Ok(redeem(request, RedeemFacts::default(), now).outcome);
    };
    let context = transaction.fetch(&table::context(client_number, &request.receipt.context))?;
    let previous_redemption =
        idempotency.find(transaction, client_number, request.receipt_digest)?;
    let idempotency_record = match &request.idempotency {
        Some(input) => idempotency.find(transaction, client_number, input.key_digest)?,
        None => None,
    };
    let facts = RedeemFacts {
        holder: Some(&key),
        context: context.as_ref(),
        previous_redemption: previous_redemption.as_ref(),
        idempotency_record: idempotency_record.as_ref(),
    };
    let step = redeem(request, facts, now);
    for (digest, record) in &step.idempotency_records {
        idempotency.put(transaction, client_number, *digest, record, now)?;
    }
    Ok(step.outcome)
}

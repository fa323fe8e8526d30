//! Redeems receipts.

use crate::MemoryStore;
use async_trait::async_trait;
use voight_domain::check::{RedeemFacts, RedeemOutcome, Redemption, redeem};
use voight_domain::ports::{ReceiptStore, StoreError};

#[async_trait]
impl ReceiptStore for MemoryStore {
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError> {
        let mut state = self.state()?;
        let key = state.find_key(redemption.key);
        let Some(client) = key.as_ref().map(|key| key.client.id) else {
            return Ok(redeem(&redemption, RedeemFacts::default(), self.clock.now()).outcome);
        };
        let context = state
            .contexts
            .get(&redemption.receipt.context)
            .filter(|context| context.client == client);
        let facts = RedeemFacts {
            holder: key.as_ref(),
            context,
            previous_redemption: state
                .idempotency_records
                .get(&(client, redemption.receipt_digest)),
            idempotency_record: redemption
                .idempotency
                .and_then(|input| state.idempotency_records.get(&(client, input.key_digest))),
        };
        let step = redeem(&redemption, facts, self.clock.now());
        state.idempotency_records.extend(
            step.idempotency_records
                .into_iter()
                .map(|(key, record)| ((client, key), record)),
        );
        Ok(step.outcome)
    }
}

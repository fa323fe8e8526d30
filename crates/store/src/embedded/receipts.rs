//! Redeeming receipts.

use super::{EmbeddedStore, shared};
use crate::step::Step;
use crate::typed::ReadRecords;
use crate::{Engine, table};
use async_trait::async_trait;
use std::sync::Arc;
use voight_domain::check::{RedeemFacts, RedeemOutcome, Redemption, redeem};
use voight_domain::ports::{ReceiptStore, StoreError};
use voight_domain::vocabulary::Timestamp;

#[async_trait]
impl<E: Engine> ReceiptStore for EmbeddedStore<E> {
    async fn redeem(&self, redemption: Redemption) -> Result<RedeemOutcome, StoreError> {
        let clock = Arc::clone(&self.clock);
        self.main.write(move |step| redeem_in(step, &redemption, clock.now())).await
    }
}

fn redeem_in(step: &mut Step<'_>, request: &Redemption, now: Timestamp) -> Result<RedeemOutcome, StoreError> {
    let Some((place, context)) = shared::context(step, &request.receipt.context)? else {
        return Ok(RedeemOutcome::Forged);
    };
    let burnt = step.fetch(&table::claim(place.tenant, request.burnt))?;
    let claim = match &request.claim {
        Some(claim) => step.fetch(&table::claim(place.tenant, claim.key))?,
        None => None,
    };
    let facts = RedeemFacts { context: Some(&context), burnt: burnt.as_ref(), claim: claim.as_ref() };
    let decided = redeem(request, facts, now);
    for (digest, claim) in &decided.claims {
        shared::claim(step, place.tenant, *digest, claim, now)?;
    }
    Ok(decided.outcome)
}

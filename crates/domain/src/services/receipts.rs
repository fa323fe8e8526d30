//! Redeeming a receipt: the platform's backend asks once whether a check was completed.

use crate::check::{Receipt, RedeemOutcome, Redemption};
use crate::metering::IdempotencyInput;
use crate::ports::{ReceiptStore, StoreError};
use crate::registry::KeyWithClient;
use crate::secrets::Secrets;
use crate::vocabulary::IdempotencyKey;
use std::sync::Arc;

/// A receipt as a caller brings it.
#[derive(Debug, Clone)]
pub struct RedeemReceipt {
    /// The signed token, or anything else.
    pub token: String,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// What became of a receipt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redeemed {
    /// The outcome.
    pub outcome: RedeemOutcome,
    /// What the receipt says; `None` if it is forged, whoever signed it.
    pub receipt: Option<Receipt>,
}

/// Redeems receipts.
#[derive(Clone)]
pub struct ReceiptService {
    store: Arc<dyn ReceiptStore>,
    secrets: Secrets,
}

impl ReceiptService {
    /// Redemptions over this port.
    pub fn new(store: Arc<dyn ReceiptStore>, secrets: Secrets) -> Self {
        Self { store, secrets }
    }

    /// Redeems a receipt for the key that asks. When it is `Valid`, that it was used is on disk.
    pub async fn redeem(&self, holder: &KeyWithClient, request: RedeemReceipt) -> Result<Redeemed, StoreError> {
        let Some(receipt) = Receipt::from_token(&request.token, &self.secrets) else {
            return Ok(Redeemed { outcome: RedeemOutcome::Forged, receipt: None });
        };
        let burnt = self.secrets.redemption_fingerprint(receipt.id);
        let claim = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest("redeem", &key),
            fingerprint: burnt,
        });
        let redemption =
            Redemption { receipt: receipt.clone(), key: holder.key.id, receipt_digest: burnt, idempotency: claim };
        let outcome = self.store.redeem(redemption).await?;
        Ok(Redeemed { outcome, receipt: (outcome != RedeemOutcome::Forged).then_some(receipt) })
    }
}

//! Redemption of a receipt: the platform's backend asks once whether a check was completed.

use super::Ports;
use crate::check::{Receipt, RedeemOutcome, Redemption};
use crate::metering::IdempotencyInput;
use crate::ports::{ReceiptStore, StoreError};
use crate::registry::KeyWithClient;
use crate::secrets::Secrets;
use crate::vocabulary::IdempotencyKey;
use std::sync::Arc;

/// Request to redeem a receipt.
#[derive(Debug, Clone)]
pub struct RedeemReceipt {
    /// The signed token, unverified.
    pub token: String,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Result of a redemption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redeemed {
    /// The outcome.
    pub outcome: RedeemOutcome,
    /// The content of the receipt; `None` if the outcome is `Forged`, even with a valid signature.
    pub receipt: Option<Receipt>,
}

/// Use cases of receipts.
#[derive(Clone)]
pub struct ReceiptService {
    store: Arc<dyn ReceiptStore>,
    secrets: Secrets,
}

impl ReceiptService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports) -> Self {
        Self {
            store: ports.store.clone(),
            secrets: ports.secrets.clone(),
        }
    }

    /// Redeems a receipt for the requesting key. If the outcome is `Valid`, the redemption is on disk.
    pub async fn redeem(
        &self,
        holder: &KeyWithClient,
        request: RedeemReceipt,
    ) -> Result<Redeemed, StoreError> {
        let Some(receipt) = Receipt::from_token(&request.token, &self.secrets) else {
            return Ok(Redeemed {
                outcome: RedeemOutcome::Forged,
                receipt: None,
            });
        };
        let redemption_digest = self.secrets.redemption_fingerprint(receipt.id);
        let idempotency = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest("redeem", &key),
            fingerprint: redemption_digest,
        });
        let redemption = Redemption {
            receipt: receipt.clone(),
            key: holder.key.id,
            receipt_digest: redemption_digest,
            idempotency,
        };
        let outcome = self.store.redeem(redemption).await?;
        Ok(Redeemed {
            outcome,
            receipt: (outcome != RedeemOutcome::Forged).then_some(receipt),
        })
    }
}

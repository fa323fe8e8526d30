//! The lookup: is this address operated by a bot, in this context?

use crate::metering::{IdempotencyInput, LookupOutcome, LookupRequest, MeterRules};
use crate::ports::{Entropy, LookupStore, StoreError};
use crate::secrets::{KeyDigest, Secrets};
use crate::vocabulary::{ContextId, EoaAddress, IdempotencyKey};
use std::sync::Arc;

/// A lookup as a caller asks for it.
#[derive(Debug, Clone)]
pub struct LookupQuery {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context asked about.
    pub context: ContextId,
    /// The address asked about.
    pub address: EoaAddress,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// `true` if the detail is asked for, too.
    pub is_detailed: bool,
}

/// Answers lookups.
#[derive(Clone)]
pub struct LookupService {
    store: Arc<dyn LookupStore>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    rules: MeterRules,
}

impl LookupService {
    /// Lookups over these ports, metered by these rules.
    pub fn new(store: Arc<dyn LookupStore>, entropy: Arc<dyn Entropy>, secrets: Secrets, rules: MeterRules) -> Self {
        Self { store, entropy, secrets, rules }
    }

    /// Answers one lookup; when it is `Recorded`, its row is on disk.
    pub async fn look_up(&self, request: LookupQuery) -> Result<LookupOutcome, StoreError> {
        // Idempotency keys are scoped to a route, and the detail has one of its own.
        let route = if request.is_detailed { "lookup_detail" } else { "lookup" };
        let claim = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest(route, &key),
            fingerprint: self.secrets.lookup_fingerprint(&request.context, &request.address),
        });
        let nonce = self.entropy.bytes();
        let digest = self.secrets.address_digest(&request.context, &request.address);
        let LookupQuery { key, context, address, is_detailed, .. } = request;
        let rules = self.rules.clone();
        self.store.answer(LookupRequest { key, context, address, digest, nonce, claim, rules, is_detailed }).await
    }
}

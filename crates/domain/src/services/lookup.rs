//! Lookup: answers the question whether an address is operated by a bot, in a context.

use crate::metering::{
    AddressSet, BatchLookupRequest, IdempotencyInput, LookupOutcome, LookupRequest, MeterRules,
    RecordedBatch,
};
use crate::ports::{Entropy, LookupStore, StoreError};
use crate::secrets::{KeyDigest, Secrets};
use crate::vocabulary::{ContextId, EoaAddress, IdempotencyKey};
use std::sync::Arc;

/// Lookup request of a caller.
#[derive(Debug, Clone)]
pub struct LookupQuery {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context of the lookup.
    pub context: ContextId,
    /// The address to look up.
    pub address: EoaAddress,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
    /// `true` if the caller asks for the detailed answer.
    pub is_detailed: bool,
}

/// Batch lookup request of a caller.
#[derive(Debug, Clone)]
pub struct BatchLookupQuery {
    /// The digest of the caller's key.
    pub key: KeyDigest,
    /// The context of the lookups.
    pub context: ContextId,
    /// The addresses to look up. If there are none, nothing is recorded.
    pub addresses: AddressSet,
    /// The caller's idempotency key.
    pub idempotency_key: Option<IdempotencyKey>,
}

/// Use cases of lookups.
#[derive(Clone)]
pub struct LookupService {
    store: Arc<dyn LookupStore>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    rules: MeterRules,
}

impl LookupService {
    /// Creates the service with these ports and metering rules.
    pub fn new(
        store: Arc<dyn LookupStore>,
        entropy: Arc<dyn Entropy>,
        secrets: Secrets,
        rules: MeterRules,
    ) -> Self {
        Self {
            store,
            entropy,
            secrets,
            rules,
        }
    }

    /// Answers one lookup. If the outcome is `Recorded`, the row is on disk.
    pub async fn look_up(&self, request: LookupQuery) -> Result<LookupOutcome, StoreError> {
        // Idempotency keys are scoped to a route, and detailed lookups have their own route.
        let route = if request.is_detailed {
            "lookup_detail"
        } else {
            "lookup"
        };
        let idempotency = request.idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest(route, &key),
            fingerprint: self
                .secrets
                .lookup_fingerprint(&request.context, &request.address),
        });
        let nonce = self.entropy.bytes();
        let address_key = self.secrets.address_key();
        let LookupQuery {
            key,
            context,
            address,
            is_detailed,
            ..
        } = request;
        let rules = self.rules.clone();
        self.store
            .answer(LookupRequest {
                key,
                context,
                address,
                address_key,
                nonce,
                idempotency,
                rules,
                is_detailed,
            })
            .await
    }

    /// Answers one lookup of each address, or none. If the outcome is `Recorded`, the rows are on disk.
    pub async fn look_up_batch(
        &self,
        request: BatchLookupQuery,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        let BatchLookupQuery {
            key,
            context,
            addresses,
            idempotency_key,
        } = request;
        let idempotency = idempotency_key.map(|key| IdempotencyInput {
            key_digest: self.secrets.idempotency_key_digest("lookup_batch", &key),
            fingerprint: self
                .secrets
                .batch_fingerprint(&context, addresses.as_slice()),
        });
        let address_key = self.secrets.address_key();
        let nonce_seed = self.entropy.bytes();
        let rules = self.rules.clone();
        self.store
            .answer_batch(BatchLookupRequest {
                key,
                context,
                addresses,
                address_key,
                nonce_seed,
                idempotency,
                rules,
            })
            .await
    }
}

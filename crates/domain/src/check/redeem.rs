//! Redemption of a receipt as a pure decision: a receipt is valid once.

use super::Receipt;
use crate::metering::{
    IdempotencyInput, IdempotencyRecord, IdempotencyState, RecordedResponse, idempotency_state,
};
use crate::registry::{Context, KeyWithClient};
use crate::secrets::IdempotencyDigest;
use crate::vocabulary::{KeyId, Timestamp};

/// Request to redeem a receipt. The caller verifies that the receipt is authentic ([`Receipt::from_token`]).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redemption {
    /// The content of the receipt.
    pub receipt: Receipt,
    /// The requesting key.
    pub key: KeyId,
    /// The digest of the receipt's id, under which the redemption is stored.
    pub receipt_digest: IdempotencyDigest,
    /// The digests of the idempotency key and parameters, if the caller sent a key.
    pub idempotency: Option<IdempotencyInput>,
}

/// Facts that a store has read inside its write transaction.
#[derive(Debug, Clone, Copy, Default)]
pub struct RedeemFacts<'a> {
    /// The requesting key, with its client.
    pub holder: Option<&'a KeyWithClient>,
    /// The receipt's context, if it belongs to the client of the key.
    pub context: Option<&'a Context>,
    /// The idempotency record under the client and the receipt's digest.
    pub previous_redemption: Option<&'a IdempotencyRecord>,
    /// The idempotency record under the client and the caller's idempotency key.
    pub idempotency_record: Option<&'a IdempotencyRecord>,
}

/// Outcome of a redemption.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RedeemOutcome {
    /// The receipt is valid, and used up by this redemption.
    Valid,
    /// An earlier call with the same idempotency key redeemed the receipt.
    Replayed,
    /// Another request redeemed the receipt before.
    Used {
        /// The time of that redemption.
        at: Timestamp,
    },
    /// The receipt has expired.
    Expired,
    /// The receipt is not authentic, or of a context that the key may not use.
    ///
    /// The caller cannot tell these cases apart.
    Forged,
    /// The key is revoked or expired.
    KeyRejected,
    /// The idempotency key was used with other parameters.
    KeyReused,
}

/// Changes that a store writes atomically, and the outcome that it returns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RedeemStep {
    /// The outcome.
    pub outcome: RedeemOutcome,
    /// The idempotency records to store for the client; empty unless the receipt is valid.
    pub idempotency_records: Vec<(IdempotencyDigest, IdempotencyRecord)>,
}

/// Decides a redemption from the stored facts at `now`. Pure: adapters read the facts, call this, and write the step.
///
/// A redemption is stored as an idempotency record of the receipt's id, with the lifetime of all such records: far
/// longer than that of the receipt, so that a clock that is set back makes no receipt valid again.
pub fn redeem(request: &Redemption, facts: RedeemFacts<'_>, now: Timestamp) -> RedeemStep {
    let redemption_input = IdempotencyInput {
        key_digest: request.receipt_digest,
        fingerprint: request.receipt_digest,
    };
    if let Some(outcome) = rejection(request, &redemption_input, facts, now) {
        return RedeemStep {
            outcome,
            idempotency_records: Vec::new(),
        };
    }
    let new_record = |input: IdempotencyInput| {
        (
            input.key_digest,
            IdempotencyRecord::new(&input, RecordedResponse::Redeemed(now), now),
        )
    };
    RedeemStep {
        outcome: RedeemOutcome::Valid,
        idempotency_records: [redemption_input]
            .into_iter()
            .chain(request.idempotency)
            .map(new_record)
            .collect(),
    }
}

/// Returns the reason for which the receipt is not valid now, if there is one.
fn rejection(
    request: &Redemption,
    redemption_input: &IdempotencyInput,
    facts: RedeemFacts<'_>,
    now: Timestamp,
) -> Option<RedeemOutcome> {
    let receipt = &request.receipt;
    let Some(holder) = facts.holder.filter(|holder| holder.key.is_active(now)) else {
        return Some(RedeemOutcome::KeyRejected);
    };
    let is_usable = |context: &Context| {
        context.is_usable_by(holder) && context.environment == receipt.environment
    };
    if !facts.context.is_some_and(is_usable) {
        return Some(RedeemOutcome::Forged);
    }
    match idempotency_state(request.idempotency.as_ref(), facts.idempotency_record, now) {
        IdempotencyState::Free => {}
        IdempotencyState::Replay(RecordedResponse::Redeemed(_)) => {
            return Some(RedeemOutcome::Replayed);
        }
        IdempotencyState::Replay(_) | IdempotencyState::Mismatch => {
            return Some(RedeemOutcome::KeyReused);
        }
    }
    match idempotency_state(Some(redemption_input), facts.previous_redemption, now) {
        IdempotencyState::Replay(RecordedResponse::Redeemed(at)) => {
            Some(RedeemOutcome::Used { at: *at })
        }
        _ => (now >= receipt.expires_at()).then_some(RedeemOutcome::Expired),
    }
}

#[cfg(test)]
mod tests {
    use super::super::challenge::tests::challenge;
    use super::super::receipt::tests::receipt;
    use super::*;
    use crate::check::RECEIPT_TTL;
    use crate::registry::{ContextAccess, ContextSettings, KeyChange, testing};
    use crate::vocabulary::{ClientId, Environment};
    use std::time::Duration;

    fn key() -> KeyId {
        KeyId::from_bytes([2; 16])
    }

    /// Returns key `number` of the context's client.
    fn holder(number: u8) -> KeyWithClient {
        KeyWithClient {
            key: testing::key(number),
            client: testing::client(1),
        }
    }

    fn context() -> Context {
        Context {
            id: challenge().context,
            number: 1,
            client: ClientId::from_bytes([1; 16]),
            key: key(),
            environment: Environment::Live,
            settings: ContextSettings::default(),
            created_at: receipt().issued_at,
            archived_at: None,
        }
    }

    fn request(retry: Option<u8>) -> Redemption {
        let receipt_digest = IdempotencyDigest([3; 16]);
        let idempotency = retry.map(|key| IdempotencyInput {
            key_digest: IdempotencyDigest([key; 16]),
            fingerprint: receipt_digest,
        });
        Redemption {
            receipt: receipt(),
            key: key(),
            receipt_digest,
            idempotency,
        }
    }

    /// Returns the outcome of `request` after `kept` was written, at `after` from the receipt's date.
    fn outcome(
        request: &Redemption,
        records: &[(IdempotencyDigest, IdempotencyRecord)],
        after: Duration,
    ) -> RedeemOutcome {
        let find_record = |key| {
            records
                .iter()
                .find(|(digest, _)| *digest == key)
                .map(|(_, record)| record)
        };
        let context = context();
        let idempotency_record = request
            .idempotency
            .and_then(|input| find_record(input.key_digest));
        let holder = holder(2);
        let facts = RedeemFacts {
            holder: Some(&holder),
            context: Some(&context),
            previous_redemption: find_record(request.receipt_digest),
            idempotency_record,
        };
        redeem(request, facts, receipt().issued_at.saturating_add(after)).outcome
    }

    fn redeemed(request: &Redemption) -> Vec<(IdempotencyDigest, IdempotencyRecord)> {
        let context = context();
        let holder = holder(2);
        let facts = RedeemFacts {
            holder: Some(&holder),
            context: Some(&context),
            previous_redemption: None,
            idempotency_record: None,
        };
        let step = redeem(request, facts, receipt().issued_at);
        assert_eq!(step.outcome, RedeemOutcome::Valid);
        step.idempotency_records
    }

    #[test]
    fn receipt_is_valid_once_or_replayed() {
        let first = redeemed(&request(Some(7)));
        assert_eq!(first.len(), 2);
        let later = Duration::from_secs(1);
        let used_outcome = RedeemOutcome::Used {
            at: receipt().issued_at,
        };
        assert_eq!(
            outcome(&request(Some(7)), &first, later),
            RedeemOutcome::Replayed
        );
        assert_eq!(outcome(&request(Some(8)), &first, later), used_outcome);
        assert_eq!(outcome(&request(None), &first, later), used_outcome);
        let bare = redeemed(&request(None));
        assert_eq!(
            (bare.len(), outcome(&request(None), &bare, later)),
            (1, used_outcome)
        );
    }

    #[test]
    fn receipt_expires_even_if_unredeemed() {
        let last = RECEIPT_TTL.saturating_sub(Duration::from_millis(1));
        assert_eq!(outcome(&request(None), &[], last), RedeemOutcome::Valid);
        assert_eq!(
            outcome(&request(None), &[], RECEIPT_TTL),
            RedeemOutcome::Expired
        );
        let records = redeemed(&request(Some(7)));
        let day = Duration::from_hours(24);
        assert_eq!(
            outcome(
                &request(Some(7)),
                &records,
                day.saturating_sub(Duration::from_millis(1))
            ),
            RedeemOutcome::Replayed
        );
        for retry in [None, Some(7)] {
            assert_eq!(
                outcome(&request(retry), &records, day),
                RedeemOutcome::Expired
            );
        }
    }

    #[test]
    fn receipt_of_another_context_is_forged() {
        let context = context();
        let at = receipt().issued_at;
        let decide = |holder: &KeyWithClient, request: &Redemption, context: Option<&Context>| {
            redeem(
                request,
                RedeemFacts {
                    holder: Some(holder),
                    context,
                    previous_redemption: None,
                    idempotency_record: None,
                },
                at,
            )
        };
        let forged_step = RedeemStep {
            outcome: RedeemOutcome::Forged,
            idempotency_records: vec![],
        };
        let own_key = holder(2);
        let mut sibling = holder(9);
        assert_eq!(
            decide(&sibling, &request(None), Some(&context)),
            forged_step
        );
        assert_eq!(decide(&own_key, &request(None), None), forged_step);
        let sandbox = Receipt {
            environment: Environment::Sandbox,
            ..receipt()
        };
        assert_eq!(
            decide(
                &own_key,
                &Redemption {
                    receipt: sandbox,
                    ..request(None)
                },
                Some(&context)
            ),
            forged_step
        );
        assert_eq!(
            decide(&own_key, &request(None), Some(&context)).outcome,
            RedeemOutcome::Valid
        );
        sibling.client.contexts = ContextAccess::Client;
        assert_eq!(
            decide(&sibling, &request(None), Some(&context)).outcome,
            RedeemOutcome::Valid
        );
    }

    #[test]
    fn revoked_key_redeems_nothing() {
        let context = context();
        let mut holder = holder(2);
        let at = receipt().issued_at;
        let decide = |holder: Option<&KeyWithClient>| {
            redeem(
                &request(None),
                RedeemFacts {
                    holder,
                    context: Some(&context),
                    previous_redemption: None,
                    idempotency_record: None,
                },
                at,
            )
        };
        let rejected_step = RedeemStep {
            outcome: RedeemOutcome::KeyRejected,
            idempotency_records: vec![],
        };
        assert_eq!(decide(None), rejected_step);
        holder.key = holder.key.with_change(KeyChange::Revoke { at }, at);
        assert_eq!(decide(Some(&holder)), rejected_step);
    }

    #[test]
    fn idempotency_key_is_for_one_receipt() {
        let records = redeemed(&request(Some(7)));
        let other_digest = IdempotencyDigest([4; 16]);
        let idempotency = Some(IdempotencyInput {
            key_digest: IdempotencyDigest([7; 16]),
            fingerprint: other_digest,
        });
        let second_redemption = Redemption {
            receipt_digest: other_digest,
            idempotency,
            ..request(None)
        };
        assert_eq!(
            outcome(&second_redemption, &records, Duration::ZERO),
            RedeemOutcome::KeyReused
        );
    }
}

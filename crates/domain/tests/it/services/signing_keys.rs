//! Rotation of the signing keys, and the receipts that retired keys signed.

use crate::services::fixture::{ADDRESS, Fixture, person};
use std::time::Duration;
use voight_domain::check::{Receipt, RedeemOutcome};
use voight_domain::metering::SignedHead;
use voight_domain::ports::Clock;
use voight_domain::registry::{Actor, AuditAction, AuditEntry, KeyWithClient};
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::services::RedeemReceipt;
use voight_domain::vocabulary::ReceiptId;
use voight_domain::{ContextId, Environment};
use voight_support::poll_now;

/// Returns the secrets of an attacker who has obtained the first signing key.
fn first_key() -> Secrets {
    Secrets::derive(&Pepper::from_bytes([7; 32]), 0)
}

/// Returns a receipt that is dated now and signed by the key in use of these secrets.
fn receipt(bench: &Fixture, context: &ContextId, id: u8, secrets: &Secrets) -> String {
    let receipt = Receipt {
        id: ReceiptId::from_bytes([id; 16]),
        context: context.clone(),
        address: ADDRESS,
        origin: "https://quest.example".parse().unwrap(),
        origin_allowlisted: true,
        owned: false,
        environment: Environment::Live,
        issued_at: bench.clock.now(),
    };
    receipt.to_token(secrets)
}

fn redeem(bench: &Fixture, holder: &KeyWithClient, token: &str) -> RedeemOutcome {
    let request = RedeemReceipt {
        token: token.to_owned(),
        idempotency_key: None,
    };
    poll_now(bench.receipts.redeem(holder, request))
        .unwrap()
        .outcome
}

#[test]
fn retired_key_verifies_only_earlier_receipts() {
    let bench = Fixture::new(person());
    let (holder, context) = bench.context("acme");
    let honest = receipt(&bench, &context, 1, &bench.ports.secrets);
    bench.clock.advance(Duration::from_secs(1));
    poll_now(bench.operator.rotate_signing_key()).unwrap();
    bench.clock.advance(Duration::from_mins(9));
    assert_eq!(
        redeem(&bench, &holder, &honest),
        RedeemOutcome::Valid,
        "it was issued before the rotation"
    );
    let forged_receipt = receipt(&bench, &context, 2, &first_key());
    assert_eq!(
        redeem(&bench, &holder, &forged_receipt),
        RedeemOutcome::Forged,
        "it is dated after the rotation"
    );
    let new = receipt(&bench, &context, 3, &bench.ports.secrets);
    assert_eq!(redeem(&bench, &holder, &new), RedeemOutcome::Valid);
    bench.clock.advance(Duration::from_hours(24));
    assert_eq!(
        redeem(&bench, &holder, &honest),
        RedeemOutcome::Expired,
        "an honest one is never called forged"
    );
}

#[test]
fn rotation_reaches_other_nodes() {
    let [first, second] = Fixture::nodes();
    let (holder, context) = first.context("acme");
    let old_receipt = receipt(&second, &context, 1, &second.ports.secrets);
    poll_now(first.operator.rotate_signing_key()).unwrap();
    let new_receipt = receipt(&first, &context, 2, &first.ports.secrets);
    assert_eq!(
        redeem(&second, &holder, &new_receipt),
        RedeemOutcome::Valid,
        "it has not yet heard of the rotation"
    );
    let late_receipt = receipt(&second, &context, 3, &second.ports.secrets);
    assert_eq!(
        redeem(&first, &holder, &late_receipt),
        RedeemOutcome::Valid,
        "signed by a node that has not yet heard of it"
    );
    poll_now(second.operator.load_signing_key()).unwrap();
    assert_eq!(second.ports.secrets.signer().number(), 1);
    assert_eq!(redeem(&second, &holder, &old_receipt), RedeemOutcome::Valid);
    first.clock.advance(Duration::from_mins(2));
    let forged_receipt = receipt(&second, &context, 4, &first_key());
    assert_eq!(
        redeem(&second, &holder, &forged_receipt),
        RedeemOutcome::Forged
    );
}

#[test]
fn rotation_dates_come_from_the_audit_log() {
    let [first, second] = Fixture::nodes();
    let mut dates = Vec::new();
    for _ in 0..3 {
        first.clock.advance(Duration::from_hours(1));
        dates.push(first.clock.now());
        poll_now(first.operator.rotate_signing_key()).unwrap();
        for _ in 0..700 {
            let at = first.clock.now();
            let subject = String::new();
            let detail = String::new();
            let entry = AuditEntry {
                at,
                actor: Actor::Operator,
                action: AuditAction::ClockAcknowledged,
                subject,
                detail,
            };
            poll_now(first.ports.store.append_audit(entry)).unwrap();
        }
    }
    poll_now(second.operator.load_signing_key()).unwrap();
    let signer = second.ports.secrets.signer();
    let retirement_dates: Vec<_> = (0..4).map(|number| signer.retired_at(number)).collect();
    assert_eq!(
        retirement_dates,
        [Some(dates[0]), Some(dates[1]), Some(dates[2]), None]
    );
    assert_eq!(
        first.ports.secrets.signer().retired_at(1),
        Some(dates[1]),
        "the node that rotated knows the same"
    );
}

#[test]
fn retired_key_verifies_ledger_heads() {
    let bench = Fixture::new(person());
    let (holder, _) = bench.context("acme");
    let ledger = holder.ledger();
    let (_, head) = poll_now(bench.ledgers.signed_head(ledger)).unwrap();
    poll_now(bench.operator.rotate_signing_key()).unwrap();
    bench.clock.advance(Duration::from_hours(24 * 365));
    assert!(SignedHead::from_token(&head, bench.ports.secrets.signer().public_keys()).is_some());
}

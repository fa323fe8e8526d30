//! Measures the hashes that every lookup needs.

use std::hint::black_box;
use std::time::Instant;
use voight_contract::generate::{START, ValueGenerator, address};
use voight_domain::metering::{ChainHead, LedgerRow, LookupRow, Opening, RowKind};
use voight_domain::registry::Context;
use voight_domain::verdict::Answer;
use voight_domain::vocabulary::Environment;

/// Number of hashes per measurement.
const HASHES: u32 = 200_000;

/// Prints the time of each kind of hash in a lookup.
#[expect(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub(crate) fn report() {
    let make = ValueGenerator::default();
    let opening = Opening { nonce: make.bytes(), address: address(1) };
    let key = make.key(make.client(START).id, Environment::Live, START);
    let context = make.context(&key, START);
    let started = Instant::now();
    for _ in 0..HASHES {
        black_box(black_box(&opening).commit(&context.id));
    }
    println!("  commitment: {:.3} microseconds", started.elapsed().as_secs_f64() * 1e6 / f64::from(HASHES));
    let row = row(opening, &context, &make);
    let mut head = ChainHead([0; 32]);
    let started = Instant::now();
    for _ in 0..HASHES {
        head = head.extend(&black_box(&row).to_bytes());
    }
    black_box(head);
    println!("  chain: {:.3} microseconds", started.elapsed().as_secs_f64() * 1e6 / f64::from(HASHES));
}

fn row(opening: Opening, context: &Context, make: &ValueGenerator) -> LedgerRow {
    let idempotency = Some(make.idempotency().key_digest);
    let commitment = opening.commit(&context.id);
    let answer = Answer::UNKNOWN;
    let kind = LookupRow { context: 1, key: 1, free: false, answer, commitment, idempotency, cap: Some(1_000_000_000) };
    LedgerRow { seq: 1_000_000, at: START, kind: RowKind::Lookup(kind) }
}

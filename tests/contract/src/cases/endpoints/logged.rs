//! Delivery logs.

use super::super::cases;
use super::{claim, conclude, create, log, log_numbers, log_tests, record};
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture};
use crate::generate::{answered, concluded_attempt};
use crate::paging::assert_paged;
use std::time::Duration;
use voight_domain::webhooks::{
    AttemptError, AttemptOutcome, DeliveryConclusion, DeliveryLog, DeliveryRecord, DueAttempt,
    EndpointName, MAX_LOG_RECORDS, MAX_RESPONSE_BYTES,
};

cases![
    delivery_log_is_bounded,
    deliveries_are_paged_in_order,
    old_deliveries_are_purged,
];

fn delivery_log_is_bounded(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = create(fixture, &account);
    let other_name = create(fixture, &account);
    log_tests(fixture, other_name, 2);
    let limit = usize::try_from(MAX_LOG_RECORDS).unwrap_or(usize::MAX);
    let mut last = 0;
    // The last conclusion alone exceeds the limit.
    for count in [limit - 2, 2, 5, 1, limit + 1] {
        log_tests(fixture, name, count);
        last += count as u64;
        let purged = last.saturating_sub(MAX_LOG_RECORDS);
        let expected_numbers: Vec<_> = (purged + 1..=last).rev().collect();
        assert_eq!(log_numbers(fixture, name), expected_numbers);
        assert_eq!(record(fixture, name).log, DeliveryLog { last, purged });
    }
    assert_eq!(log_numbers(fixture, other_name), [2, 1]);
}

fn deliveries_are_paged_in_order(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = create(fixture, &account);
    let other_name = create(fixture, &account);
    fixture.key(&account.client);
    let attempts = claim(fixture, name, 1);
    conclude(fixture, name, &attempts, answered(200));
    let mut various_records = log_every_kind(fixture, name);
    for _ in 0..3 {
        log_tests(fixture, other_name, 1);
        log_tests(fixture, name, 1);
    }
    let deliveries = log(fixture, name);
    let record_count = deliveries.len();
    various_records.reverse();
    assert_eq!(record_count, various_records.len() + 4);
    for (delivery, record) in deliveries[3..].iter().zip(&various_records) {
        assert_eq!(delivery.record, *record);
    }
    let numbers = log_numbers(fixture, name);
    let expected_numbers: Vec<_> = (1..=record_count as u64).rev().collect();
    assert_eq!(numbers, expected_numbers);
    assert_paged(&deliveries, &[1, 2, 3, record_count, ALL], |last, limit| {
        let before = last.map(|delivery| delivery.number);
        block_on_ok(fixture.store().deliveries(name, before, limit))
    });
}

/// Logs a record with every outcome and with different responses, and returns the records.
fn log_every_kind(fixture: &Fixture, name: EndpointName) -> Vec<DeliveryRecord> {
    let mut outcomes: Vec<_> = AttemptError::ALL.map(AttemptOutcome::Failed).to_vec();
    outcomes.extend([100, 204, 999].map(answered));
    outcomes.push(AttemptOutcome::Answered {
        status: 429,
        retry_after: Some(Duration::from_secs(77)),
    });
    let long_response = "\u{20ac}".repeat(MAX_RESPONSE_BYTES);
    let responses = [
        "",
        "\0\n\u{1b}",
        "{\"ok\":true}",
        "\u{fffd}",
        &long_response,
    ];
    let attempts: Vec<_> = outcomes
        .into_iter()
        .zip(responses.into_iter().cycle())
        .zip(1..)
        .map(|((outcome, response), number)| {
            let attempt = DueAttempt { event: 1, number };
            concluded_attempt(attempt, outcome, response, fixture.now())
        })
        .collect();
    let records = attempts
        .iter()
        .map(|attempt| attempt.record.clone())
        .collect();
    let conclusion = DeliveryConclusion {
        lease: None,
        attempts,
        postponed: Vec::new(),
    };
    block_on_ok(fixture.store().conclude_deliveries(name, conclusion));
    records
}

fn old_deliveries_are_purged(fixture: &mut Fixture) {
    let account = fixture.account();
    let other_account = fixture.account();
    let name = create(fixture, &account);
    let other_name = create(fixture, &other_account);
    let young_name = create(fixture, &account);
    log_tests(fixture, name, 4);
    log_tests(fixture, other_name, 3);
    fixture.clock.advance(Duration::from_secs(1));
    let cutoff = fixture.now();
    log_tests(fixture, name, 2);
    log_tests(fixture, young_name, 1);
    let purge = |limit| block_on_ok(fixture.store().purge_deliveries(cutoff, limit));
    assert_eq!(purge(5), 5);
    // The oldest records of each endpoint are deleted first.
    for (name, newest) in [(name, 6), (other_name, 3)] {
        let numbers = log_numbers(fixture, name);
        let last_purged = record(fixture, name).log.purged;
        let expected_numbers: Vec<_> = (last_purged + 1..=newest).rev().collect();
        assert_eq!(numbers, expected_numbers);
    }
    assert_eq!([purge(5), purge(5)], [2, 0]);
    assert_eq!(log_numbers(fixture, name), [6, 5]);
    assert_eq!(log(fixture, other_name), []);
    assert_eq!(log_numbers(fixture, young_name), [1]);
    let logs = [name, other_name, young_name].map(|name| record(fixture, name).log);
    assert_eq!(
        logs.map(|log| (log.last, log.purged)),
        [(6, 4), (3, 3), (1, 0)]
    );
    // Numbers are not assigned again.
    log_tests(fixture, other_name, 1);
    assert_eq!(log_numbers(fixture, other_name), [4]);
}

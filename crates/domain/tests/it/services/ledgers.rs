//! Ledgers, as their clients read them.

use crate::services::fixture::{ADDRESS, ALLOWANCE, Fixture, person};
use proptest::prelude::*;
use std::time::Duration;
use voight_domain::metering::LedgerId;
use voight_domain::metering::{ChainHead, LedgerRow, Period, RowKind, SignedHead, UsageTotals};
use voight_domain::registry::KeyWithClient;
use voight_domain::services::{LookupQuery, NameCache, UsageReport};
use voight_domain::{ContextId, Environment, Timestamp};
use voight_support::poll_now;

/// Client with two contexts, the second of which sorts before the first.
struct LedgerFixture {
    bench: Fixture,
    holder: KeyWithClient,
    contexts: [ContextId; 2],
}

impl LedgerFixture {
    fn new() -> Self {
        let bench = Fixture::new(person());
        let (holder, first) = bench.context("acme");
        let second = bench.register(&holder, "autumn");
        Self {
            bench,
            holder,
            contexts: [first, second],
        }
    }

    fn ledger(&self) -> LedgerId {
        self.holder.ledger()
    }

    fn look_up(&self, context: usize) {
        let key = self.holder.key.secrets[0].digest;
        let context = self.contexts[context].clone();
        poll_now(self.bench.lookups.look_up(LookupQuery {
            key,
            context,
            address: ADDRESS,
            idempotency_key: None,
            is_detailed: false,
        }))
        .unwrap();
    }

    /// Performs lookups, each after a pause in hours, in the context with this index.
    fn run(&self, steps: &[(u64, usize)]) {
        for (hours, context) in steps {
            self.bench.clock.advance(Duration::from_hours(*hours));
            self.look_up(*context);
        }
    }

    fn rows(&self) -> Vec<LedgerRow> {
        let entries = poll_now(self.bench.ports.store.rows(self.ledger(), 0, usize::MAX));
        entries
            .unwrap()
            .into_iter()
            .map(|entry| entry.row)
            .collect()
    }

    fn usage(&self, span: Period) -> UsageReport {
        poll_now(self.bench.ledgers.usage(self.ledger(), span)).unwrap()
    }

    /// Returns the sequence numbers of the lookups in a range, read in pages of `limit` rows.
    fn records(&self, span: Period, limit: usize) -> Vec<u64> {
        let range = poll_now(self.bench.ledgers.range(self.ledger(), span)).unwrap();
        let mut names = NameCache::default();
        let mut sequence_numbers = Vec::new();
        let mut cursor = Some(0);
        while let Some(from) = cursor {
            let page =
                poll_now(self.bench.ledgers.records(&range, &mut names, from, limit)).unwrap();
            assert!(
                page.records
                    .iter()
                    .all(|record| self.contexts.contains(&record.context))
            );
            assert!(
                page.records
                    .iter()
                    .all(|record| record.key == self.holder.key.id)
            );
            sequence_numbers.extend(page.records.iter().map(|record| record.seq));
            cursor = page.next;
        }
        sequence_numbers
    }
}

fn span(from: i64, to: i64) -> Period {
    Period {
        start: Timestamp::from_millis(from),
        end: Timestamp::from_millis(to),
    }
}

fn all() -> Period {
    span(0, i64::MAX)
}

#[test]
fn client_without_lookups_has_no_usage() {
    let stage = LedgerFixture::new();
    let report = stage.usage(all());
    assert_eq!((report.total.billable, report.seq), (0, 0));
    assert_eq!(report.head, ChainHead::genesis(stage.ledger()));
    assert!(report.days.is_empty() && report.contexts.is_empty());
    assert_eq!(stage.records(all(), 10), Vec::<u64>::new());
}

#[test]
fn usage_is_counted_by_day_and_context() {
    let stage = LedgerFixture::new();
    stage.run(&[(0, 0), (0, 1), (0, 1), (24, 1), (0, 1), (0, 0), (0, 0)]);
    let report = stage.usage(all());
    assert_eq!(
        (
            report.total.billable,
            report.total.free,
            report.total.charged()
        ),
        (7, ALLOWANCE, 2)
    );
    let days: Vec<_> = report
        .days
        .iter()
        .map(|(day, counts)| (day.to_string(), counts.billable, counts.free))
        .collect();
    assert_eq!(
        days,
        [
            ("2027-01-15".to_owned(), 3, 3),
            ("2027-01-16".to_owned(), 4, 2)
        ]
    );
    let contexts: Vec<_> = report
        .contexts
        .iter()
        .map(|(id, counts)| (id, counts.billable, counts.charged()))
        .collect();
    assert_eq!(
        contexts,
        [(&stage.contexts[0], 3, 2), (&stage.contexts[1], 4, 0)]
    );
    let chain_head = stage
        .rows()
        .iter()
        .fold(ChainHead::genesis(stage.ledger()), |head, row| {
            head.extend(&row.to_bytes())
        });
    assert_eq!((report.seq, report.head), (7, chain_head));
}

#[test]
fn span_is_half_open() {
    let stage = LedgerFixture::new();
    stage.run(&[(0, 0), (0, 0), (31 * 24, 0), (1, 1)]);
    let rows = stage.rows();
    assert!(matches!(rows[2].kind, RowKind::PeriodEnd(_)));
    let first = rows[0].at.as_millis();
    let third = rows[3].at.as_millis();
    assert_eq!(stage.usage(span(first, third)).total.billable, 2);
    assert_eq!(stage.usage(span(first + 1, third + 1)).total.billable, 1);
    assert_eq!(stage.usage(span(third, i64::MAX)).total.billable, 2);
    assert_eq!(stage.records(all(), 1), [1, 2, 4, 5]);
    // For a range of any length, the head is that of the whole ledger.
    assert_eq!(stage.usage(span(0, 1)).seq, 5);
}

#[test]
fn later_rows_are_outside_the_range() {
    let stage = LedgerFixture::new();
    stage.run(&[(0, 0), (0, 0)]);
    let stretch = poll_now(stage.bench.ledgers.range(stage.ledger(), all())).unwrap();
    stage.run(&[(0, 1)]);
    let page = poll_now(
        stage
            .bench
            .ledgers
            .records(&stretch, &mut NameCache::default(), 0, 10),
    )
    .unwrap();
    assert_eq!((page.records.len(), page.next), (2, None));
}

#[test]
fn signed_head_names_its_ledger() {
    let stage = LedgerFixture::new();
    stage.run(&[(0, 0)]);
    let (head, token) = poll_now(stage.bench.ledgers.signed_head(stage.ledger())).unwrap();
    assert_eq!(
        SignedHead::from_token(&token, stage.bench.ports.secrets.signer().public_keys()),
        Some(head)
    );
    assert_eq!(
        (head.client, head.seq, head.head),
        (stage.ledger().client, 1, stage.usage(all()).head)
    );
    let sandbox = LedgerId {
        environment: Environment::Sandbox,
        ..stage.ledger()
    };
    assert_eq!(
        poll_now(stage.bench.ledgers.signed_head(sandbox))
            .unwrap()
            .0
            .seq,
        0
    );
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn usage_equals_the_sum_over_rows(
        steps in proptest::collection::vec((0..200_u64, 0..2_usize), 0..40),
        ends in (-100..9_000_i64, 0..9_000_i64),
        limit in 1..9_usize,
    ) {
        let stage = LedgerFixture::new();
        stage.run(&steps);
        let start = 1_800_000_000_000 + ends.0 * 3_600_000;
        let span = span(start, start + ends.1 * 3_600_000);
        let rows = stage.rows();
        let mut expected_totals = UsageTotals::default();
        let within = || rows.iter().filter(|row| span.contains(row.at));
        for row in within() {
            expected_totals.count(row);
        }
        let report = stage.usage(span);
        prop_assert_eq!((report.total, &report.days), (expected_totals.total, &expected_totals.days));
        let by_context: Vec<_> = report.contexts.iter().map(|(_, counts)| *counts).collect();
        prop_assert_eq!(by_context, expected_totals.contexts.into_values().collect::<Vec<_>>());
        let lookups: Vec<_> =
            within().filter(|row| matches!(row.kind, RowKind::Lookup(_))).map(|row| row.seq).collect();
        prop_assert_eq!(stage.records(span, limit), lookups);
    }
}

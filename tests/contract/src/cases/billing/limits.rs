//! Limits and their alerts.

use super::super::cases;
use crate::block_on::block_on_ok;
use crate::fixture::{ALL, Fixture, THREADS, together};
use crate::generate::{address, book};
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::{Currency, Money, PriceBook, PriceBookParts};
use voight_domain::metering::{
    AlertKind, LedgerId, Limit, LookupOutcome, LookupRequest, MeterRules,
};

cases![
    alerts_are_raised_once,
    money_cap_is_exact,
    price_book_is_kept
];

const fn dollars(minor: i64) -> Money {
    Money {
        minor,
        currency: Currency::USD,
    }
}

/// Looks up an address; returns the alerts that its row raised, each with the number of the row.
fn alerts_of_lookup(fixture: &Fixture, request: &LookupRequest) -> Vec<(AlertKind, u64)> {
    match fixture.answer(request) {
        LookupOutcome::Recorded(lookup, alerts) => {
            alerts.iter().map(|kind| (kind, lookup.seq)).collect()
        }
        outcome => panic!("not recorded: {outcome:?}"),
    }
}

fn alerts_are_raised_once(fixture: &mut Fixture) {
    const ROUNDS: usize = 12;
    const { assert!(THREADS * ROUNDS > 600) }
    let account = fixture.account();
    let rules = MeterRules {
        allowance: 100,
        ..MeterRules::default()
    };
    // Budget of one dollar: 498 paid lookups cost it, and 398 cost four fifths of it.
    fixture.set_limit(&account.client, Limit::Budget(Some(dollars(100))));
    let request = || LookupRequest {
        rules: rules.clone(),
        ..fixture.request(&account, address(1))
    };
    let alerts_by_thread = together(|_| {
        let alerts_by_lookup = [0; ROUNDS].map(|_| alerts_of_lookup(fixture, &request()));
        alerts_by_lookup.concat()
    });
    let mut raised_alerts: Vec<_> = alerts_by_thread.into_iter().flatten().collect();
    raised_alerts.sort_by_key(|(_, seq)| *seq);
    let expected_alerts = [
        (AlertKind::Allowance80, 80),
        (AlertKind::Allowance100, 100),
        (AlertKind::Budget80, 498),
        (AlertKind::Budget100, 598),
    ];
    assert_eq!(raised_alerts, expected_alerts);
    let alerts = || -> Vec<_> {
        let alerts = block_on_ok(
            fixture
                .store()
                .alerts(LedgerId::live(account.client.id), 0, ALL),
        );
        alerts
            .into_iter()
            .map(|alert| (alert.kind, alert.seq))
            .collect()
    };
    assert_eq!(alerts(), expected_alerts);
    // The budget applies again to the next period; the allowance is used up permanently.
    fixture.clock.advance(Duration::from_hours(24 * 31));
    for _ in 0..498 {
        fixture.answer(&request());
    }
    let new_kinds: Vec<_> = alerts()[4..].iter().map(|(kind, _)| *kind).collect();
    assert_eq!(new_kinds, [AlertKind::Budget80, AlertKind::Budget100]);
    let later_alerts = block_on_ok(fixture.store().alerts(
        LedgerId::live(account.client.id),
        498,
        ALL,
    ));
    assert_eq!(later_alerts.len(), 3, "the alerts after row 498");
}

fn money_cap_is_exact(fixture: &mut Fixture) {
    let account = fixture.account();
    let rules = MeterRules {
        allowance: 10,
        ..MeterRules::default()
    };
    // Ten cents are 52 lookups: 0.104 is rounded to 0.10, and 0.106 to 0.11.
    fixture.set_limit(&account.client, Limit::Money(Some(dollars(10))));
    for _ in 0..2 {
        let outcomes = together(|_| {
            [0; 2].map(|_| {
                fixture.answer(&LookupRequest {
                    rules: rules.clone(),
                    ..fixture.request(&account, address(1))
                })
            })
        });
        let is_recorded = |outcome: &&LookupOutcome| matches!(outcome, LookupOutcome::Recorded(..));
        let charged_lookups = block_on_ok(fixture.store().meter(LedgerId::live(account.client.id)))
            .map(|meter| meter.charged);
        assert_eq!(
            charged_lookups,
            Some(52),
            "the period does not cost what the cap allows"
        );
        assert!(outcomes.iter().flatten().filter(is_recorded).count() >= 52);
        fixture.clock.advance(Duration::from_hours(24 * 31));
    }
}

fn price_book_is_kept(fixture: &mut Fixture) {
    let account = fixture.account();
    let name = "other".to_owned();
    let currency = Currency::USD;
    let mode = book().mode();
    let tiers = book().tiers().to_vec();
    let other_book = match PriceBook::new(PriceBookParts {
        name,
        version: 2,
        currency,
        mode,
        tiers,
    }) {
        Ok(price_book) => Arc::new(price_book),
        Err(error) => panic!("the price book is invalid: {error}"),
    };
    let stored_price_books = || {
        let facts = block_on_ok(fixture.store().billing(account.client.id));
        facts.map_or_else(Vec::new, |facts| facts.price_books)
    };
    assert_eq!(stored_price_books(), []);
    let look_up = |book: &Arc<PriceBook>| {
        let rules = MeterRules {
            price_book: Arc::clone(book),
            ..MeterRules::default()
        };
        fixture.answer(&LookupRequest {
            rules,
            ..fixture.request(&account, address(1))
        });
    };
    look_up(&book());
    look_up(&other_book);
    assert_eq!(
        stored_price_books(),
        [PriceBook::clone(&book())],
        "a period has the price book of its start"
    );
    fixture.clock.advance(Duration::from_hours(24 * 31));
    look_up(&other_book);
    look_up(&book());
    assert_eq!(
        stored_price_books(),
        [PriceBook::clone(&book()), PriceBook::clone(&other_book)]
    );
}

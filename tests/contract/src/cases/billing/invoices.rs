//! Invoices: each period is invoiced once, numbers are consecutive, and closing is atomic.

use super::super::cases;
use crate::block_on::{block_on, block_on_ok};
use crate::fixture::{ALL, Fixture, THREADS, TestAccount, together};
use crate::generate::{address, audit};
use crate::ledger::lookups;
use std::time::Duration;
use voight_domain::billing::{Currency, Money};
use voight_domain::invoicing::{
    Adjustment, AdjustmentKind, CloseScope, Invoice, InvoiceChange, InvoiceId, InvoiceState,
    NewAdjustment,
};
use voight_domain::metering::{LedgerId, LookupRequest, MeterRules, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::registry::{Actor, AuditAction};

cases![
    period_is_invoiced_once,
    invoice_numbers_are_gapless,
    close_and_marker_are_one,
    void_returns_the_period,
    open_invoice_never_changes,
    adjustment_is_charged_once,
];

fn rules() -> MeterRules {
    MeterRules {
        allowance: 2,
        ..MeterRules::default()
    }
}

/// Does lookups, and moves the clock to the end of their month.
fn month(fixture: &Fixture, account: &TestAccount, lookups: u32) {
    for number in 0..lookups {
        let request = fixture.request(account, address(number));
        fixture.answer(&LookupRequest {
            rules: rules(),
            ..request
        });
    }
    fixture.clock.advance(Duration::from_hours(24 * 31));
}

fn close(fixture: &Fixture, account: &TestAccount) -> Vec<Invoice> {
    match block_on_ok(fixture.store().close(
        account.client.id,
        CloseScope::EndedPeriods,
        rules(),
        Actor::Operator,
    )) {
        Some(issued) => issued,
        None => panic!("the client is missing"),
    }
}

fn change(
    fixture: &Fixture,
    id: InvoiceId,
    change: InvoiceChange,
) -> Result<Option<Invoice>, StoreError> {
    let entry = audit(AuditAction::InvoiceVoided, &id, fixture.now());
    block_on(fixture.store().change_invoice(id, change, entry))
}

fn void(fixture: &Fixture, id: InvoiceId) -> Invoice {
    match change(
        fixture,
        id,
        InvoiceChange::Void {
            reason: "a wrong book".to_owned(),
        },
    ) {
        Ok(Some(invoice)) => invoice,
        other => panic!("not voided: {other:?}"),
    }
}

fn credit(fixture: &Fixture, account: &TestAccount, minor: i64) -> Adjustment {
    let amount = Money {
        minor,
        currency: Currency::USD,
    };
    let adjustment = NewAdjustment {
        kind: AdjustmentKind::Credit,
        amount,
        reason: "for the wait".to_owned(),
    };
    let entry = audit(
        AuditAction::AdjustmentMade,
        &account.client.id,
        fixture.now(),
    );
    match block_on_ok(fixture.store().adjust(account.client.id, adjustment, entry)) {
        Some(adjustment) => adjustment,
        None => panic!("the client is missing"),
    }
}

fn stored_invoices(fixture: &Fixture, account: &TestAccount) -> Vec<Invoice> {
    block_on_ok(fixture.store().invoices(account.client.id, 0, ALL))
}

fn period_is_invoiced_once(fixture: &mut Fixture) {
    let account = fixture.account();
    month(fixture, &account, 7);
    month(fixture, &account, 3);
    let invoices: Vec<_> = together(|_| close(fixture, &account))
        .into_iter()
        .flatten()
        .collect();
    assert_eq!(invoices.len(), 2, "two periods were over");
    assert_eq!(stored_invoices(fixture, &account), invoices);
    assert_eq!(
        invoices
            .iter()
            .map(|invoice| invoice.statement.charged)
            .collect::<Vec<_>>(),
        [5, 3]
    );
    assert_eq!(
        close(fixture, &account),
        [],
        "closing again issues no invoice"
    );
    month(fixture, &account, 1);
    assert_eq!(close(fixture, &account).len(), 1);
    close_under_lookups(fixture);
}

/// Runs lookups while months end and other threads close them. In the end each row is on exactly one invoice.
fn close_under_lookups(fixture: &Fixture) {
    let account = fixture.account();
    together(|thread| {
        for round in 0..3 {
            fixture.answer(&LookupRequest {
                rules: rules(),
                ..fixture.request(&account, address(round))
            });
            if thread % 8 == 0 {
                fixture.clock.advance(Duration::from_hours(24 * 9));
                close(fixture, &account);
            }
        }
    });
    month(fixture, &account, 1);
    close(fixture, &account);
    let ledger = fixture.ledger(account.client.id);
    let invoices = stored_invoices(fixture, &account);
    let mut next = 1;
    for invoice in &invoices {
        let first = invoice.statement.first_seq;
        let last = invoice.statement.last_seq;
        assert_eq!(first, next, "a row is on no invoice, or on two");
        let rows = ledger
            .iter()
            .filter(|entry| (first..last).contains(&entry.row.seq));
        assert_eq!(rows.count() as u64, invoice.statement.billable);
        next = last + 1;
    }
    assert_eq!(next, ledger.len() as u64 + 1, "rows are on no invoice");
    assert_eq!(lookups(&ledger).len(), THREADS * 3 + 1);
    assert!(
        invoices.len() > 3,
        "too few months ended: {}",
        invoices.len()
    );
}

fn invoice_numbers_are_gapless(fixture: &mut Fixture) {
    let accounts = [fixture.account(), fixture.account()];
    for lookups in 1..4 {
        for account in &accounts {
            month(fixture, account, lookups);
            close(fixture, account);
        }
    }
    void(
        fixture,
        InvoiceId {
            client: accounts[0].client.id,
            number: 2,
        },
    );
    close(fixture, &accounts[0]);
    let numbers = accounts.each_ref().map(|account| {
        let numbers = stored_invoices(fixture, account);
        assert!(
            numbers
                .iter()
                .all(|invoice| invoice.id.client == account.client.id)
        );
        numbers
            .iter()
            .map(|invoice| invoice.id.number)
            .collect::<Vec<_>>()
    });
    assert_eq!(numbers, [vec![1, 2, 3, 4], vec![1, 2, 3]]);
    let second = block_on_ok(fixture.store().invoices(accounts[0].client.id, 1, 1));
    assert_eq!(second.first().map(|invoice| invoice.id.number), Some(2));
}

fn close_and_marker_are_one(fixture: &mut Fixture) {
    let account = fixture.account();
    let client = account.client.id;
    month(fixture, &account, 4);
    let credit = credit(fixture, &account, -1);
    let invoices = close(fixture, &account);
    let [invoice] = invoices.as_slice() else {
        panic!("one period was over: {invoices:?}")
    };
    let ledger = fixture.ledger(client);
    let Some(last) = ledger.last() else {
        panic!("the ledger is empty")
    };
    assert!(
        matches!(last.row.kind, RowKind::PeriodEnd(end) if (end.billable, end.paid) == (4, 2)),
        "{last:?}"
    );
    let statement = &invoice.statement;
    assert_eq!((statement.first_seq, statement.last_seq), (1, last.row.seq));
    let meter = block_on_ok(fixture.store().meter(LedgerId::live(client)));
    assert_eq!(
        meter.map(|meter| (meter.seq, meter.head, meter.period)),
        Some((last.row.seq, statement.head, None))
    );
    let ended_periods = block_on_ok(
        fixture
            .store()
            .ended_periods(LedgerId::live(client), 0, ALL),
    );
    assert_eq!(
        ended_periods
            .iter()
            .map(|period| (period.last_seq, period.invoice))
            .collect::<Vec<_>>(),
        [(last.row.seq, Some(1))]
    );
    assert_eq!(
        statement
            .adjustments
            .iter()
            .map(|adjustment| adjustment.number)
            .collect::<Vec<_>>(),
        [credit.number]
    );
    let Some(facts) = block_on_ok(fixture.store().billing(client)) else {
        panic!("the client is missing")
    };
    assert_eq!(
        (facts.ended, facts.pending_adjustments),
        (Vec::new(), Vec::new())
    );
    let [.., entry] = &block_on_ok(fixture.store().audit(0, ALL))[..] else {
        panic!("no change is audited")
    };
    assert_eq!(
        (entry.entry.action, entry.entry.subject.clone()),
        (AuditAction::InvoiceIssued, invoice.id.to_string())
    );
}

fn void_returns_the_period(fixture: &mut Fixture) {
    let account = fixture.account();
    month(fixture, &account, 5);
    credit(fixture, &account, -100);
    let first = close(fixture, &account).remove(0);
    assert_eq!(
        first.statement.carried_forward().minor,
        -99,
        "three lookups are a cent"
    );
    month(fixture, &account, 1);
    let second = close(fixture, &account).remove(0);
    assert_eq!(second.statement.carried_forward.minor, -99);
    let voided_invoice = void(fixture, first.id);
    assert!(matches!(voided_invoice.state, InvoiceState::Void { .. }));
    let invoices = close(fixture, &account);
    let [replacement] = invoices.as_slice() else {
        panic!("one invoice replaces it: {invoices:?}")
    };
    assert_eq!((replacement.id.number, replacement.replaces), (3, Some(1)));
    assert_eq!(
        (
            replacement.statement.first_seq,
            replacement.statement.last_seq,
            &replacement.statement.lines
        ),
        (
            first.statement.first_seq,
            first.statement.last_seq,
            &first.statement.lines
        )
    );
    // The second invoice consumed the remainder of the first and leaves 99 itself; the third compensates for the first.
    assert_eq!(
        (
            second.statement.carried_forward().minor,
            replacement.statement.carried_forward.minor
        ),
        (-99, 0)
    );
    assert_eq!(
        replacement.statement.adjustments.len(),
        1,
        "the credit is applied to this invoice only"
    );
    let twice = change(
        fixture,
        first.id,
        InvoiceChange::Void {
            reason: "again".to_owned(),
        },
    );
    assert!(matches!(twice, Err(StoreError::Conflict(_))), "{twice:?}");
    assert_eq!(close(fixture, &account), []);
}

fn open_invoice_never_changes(fixture: &mut Fixture) {
    let account = fixture.account();
    month(fixture, &account, 5);
    let invoice = close(fixture, &account).remove(0);
    credit(fixture, &account, -5);
    month(fixture, &account, 9);
    close(fixture, &account);
    assert_eq!(
        block_on_ok(fixture.store().invoice(invoice.id)),
        Some(invoice.clone())
    );
    let Ok(Some(paid)) = change(fixture, invoice.id, InvoiceChange::Pay) else {
        panic!("the invoice is open and can be paid")
    };
    assert_eq!(paid.state, InvoiceState::Paid(fixture.now()));
    assert_eq!(
        Invoice {
            state: InvoiceState::Open,
            ..paid
        },
        invoice,
        "more than its state has changed"
    );
    let outcome = change(
        fixture,
        invoice.id,
        InvoiceChange::Void {
            reason: "late".to_owned(),
        },
    );
    assert!(
        matches!(outcome, Err(StoreError::Conflict(_))),
        "a paid invoice was voided: {outcome:?}"
    );
    let unknown = InvoiceId {
        number: 9,
        ..invoice.id
    };
    assert_eq!(change(fixture, unknown, InvoiceChange::Pay), Ok(None));
}

fn adjustment_is_charged_once(fixture: &mut Fixture) {
    let account = fixture.account();
    let adjustments = together(|_| credit(fixture, &account, -1));
    let mut numbers: Vec<_> = adjustments
        .iter()
        .map(|adjustment| adjustment.number)
        .collect();
    numbers.sort_unstable();
    assert_eq!(numbers.len(), THREADS);
    assert!(
        (1..)
            .zip(&numbers)
            .all(|(number, adjustments)| *adjustments == number),
        "{numbers:?}"
    );
    month(fixture, &account, 3);
    let first = close(fixture, &account).remove(0);
    void(fixture, first.id);
    month(fixture, &account, 3);
    close(fixture, &account);
    let valid = stored_invoices(fixture, &account)
        .into_iter()
        .filter(|invoice| invoice.state == InvoiceState::Open);
    let mut charged_numbers: Vec<_> = valid
        .flat_map(|invoice| invoice.statement.adjustments)
        .map(|adjustments| adjustments.number)
        .collect();
    charged_numbers.sort_unstable();
    assert_eq!(charged_numbers, numbers);
}

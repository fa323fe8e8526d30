//! Invoices, verified against the ledger and the price books.

use super::life::{Life, book};
use super::*;
use crate::billing::{Currency, Money};
use crate::invoicing::InvoiceState;

fn invoice(export: &mut Export, number: usize) -> &mut ListedInvoice {
    let mut invoices = export.bills.iter_mut().filter_map(|line| match line {
        ExportLine::Invoice(invoice) => Some(invoice.as_mut()),
        _ => None,
    });
    invoices.nth(number - 1).unwrap()
}

/// Returns the error after `change`, made and signed by an operator of the service.
#[track_caller]
fn flaw(change: impl FnOnce(&mut Export)) -> AuditError {
    let mut export = Life::billed().export();
    change(&mut export);
    export.check().unwrap_err()
}

#[test]
fn uninvoiced_periods_are_listed() {
    let verified_export = Life::billed().export().check().unwrap();
    assert_eq!((verified_export.invoices, verified_export.void), (2, 0));
    let on: Vec<_> = verified_export
        .periods
        .iter()
        .map(|period| (period.last_seq, period.invoice))
        .collect();
    assert_eq!(on, [(5, Some(1)), (8, Some(2)), (10, None)]);
}

#[test]
fn changed_invoice_is_reported() {
    let says = |change: fn(&mut ListedInvoice)| match flaw(|export| change(invoice(export, 2))) {
        AuditError::InvoiceMismatch {
            number: 2, what, ..
        } => what,
        other => panic!("{other}"),
    };
    assert_eq!(says(|invoice| invoice.first -= 1), "its first row");
    assert_eq!(
        says(|invoice| invoice.period.start = AT),
        "the start of its period"
    );
    assert_eq!(
        says(|invoice| invoice.period.end = AT),
        "the end of its period"
    );
    assert_eq!(
        says(|invoice| invoice.billable += 1),
        "the number of its lookups"
    );
    assert_eq!(
        says(|invoice| invoice.paid -= 1),
        "the number of its paid lookups"
    );
    assert_eq!(
        says(|invoice| invoice.head = ChainHead([0; 32])),
        "the head of the chain after it"
    );
    assert_eq!(
        says(|invoice| invoice.book = book(1).digest()),
        "its price book"
    );
    assert_eq!(says(|invoice| invoice.total.minor += 1), "its total");
    assert_eq!(
        says(|invoice| invoice.adjustments[0].amount.minor += 1),
        "its total"
    );
    assert_eq!(says(|invoice| drop(invoice.adjustments.pop())), "its total");
    assert_eq!(
        says(|invoice| invoice.replaces = Some(1)),
        "the void invoice of its period that it replaces"
    );
    assert_eq!(
        flaw(|export| invoice(export, 1).lines.swap(0, 1)),
        AuditError::InvoiceLine {
            number: 1,
            line: 1,
            paid: 3
        }
    );
    assert_eq!(
        flaw(|export| invoice(export, 1).lines[1].amount.minor += 1),
        AuditError::InvoiceLine {
            number: 1,
            line: 2,
            paid: 3
        }
    );
    let line_error = flaw(|export| {
        let invoice = invoice(export, 1);
        invoice.lines.push(invoice.lines[2]);
    });
    assert_eq!(
        line_error,
        AuditError::InvoiceLine {
            number: 1,
            line: 4,
            paid: 3
        }
    );
}

#[test]
fn wrong_totals_are_reported() {
    let carry_error = flaw(|export| {
        let invoice = invoice(export, 2);
        invoice.carried.minor -= 1;
        invoice.total.minor -= 1;
    });
    let usd = |minor| Money {
        minor,
        currency: Currency::USD,
    };
    assert_eq!(
        carry_error,
        AuditError::BalanceMismatch {
            number: 2,
            stated: usd(-1),
            left: usd(0)
        }
    );
    let yen = "JPY".parse().unwrap();
    let currency_error = flaw(|export| invoice(export, 2).adjustments[0].amount.currency = yen);
    assert_eq!(
        currency_error,
        AuditError::InvoiceCurrency {
            number: 2,
            currency: Currency::USD
        }
    );
    let large = flaw(|export| {
        let invoice = invoice(export, 2);
        (invoice.carried.minor, invoice.adjustments[0].amount.minor) = (i64::MIN, i64::MIN);
    });
    assert_eq!(large, AuditError::InvoiceTooLarge { number: 2 });
}

#[test]
fn invoice_numbers_are_gapless() {
    assert_eq!(
        flaw(|export| drop(export.bills.remove(2))),
        AuditError::InvoiceOrder {
            number: 2,
            expected: 1
        }
    );
    assert_eq!(
        flaw(|export| export.bills.swap(2, 3)),
        AuditError::InvoiceOrder {
            number: 2,
            expected: 1
        }
    );
    let twice = flaw(|export| export.bills.push(export.bills[3].clone()));
    assert_eq!(
        twice,
        AuditError::InvoiceOrder {
            number: 2,
            expected: 3
        }
    );
    let client_error = flaw(|export| invoice(export, 1).id.client = ClientId::from_bytes([2; 16]));
    assert!(
        matches!(client_error, AuditError::InvoiceOfOther { .. }),
        "{client_error}"
    );
    assert_eq!(
        flaw(|export| invoice(export, 1).last = 4),
        AuditError::InvoiceWithoutPeriod { number: 1, row: 4 }
    );
    let repeat_error = flaw(|export| {
        let repeated_invoice = ListedInvoice {
            id: invoice(export, 2).id,
            ..invoice(export, 1).clone()
        };
        *invoice(export, 2) = repeated_invoice;
    });
    assert_eq!(
        repeat_error,
        AuditError::InvoicedTwice {
            row: 5,
            number: 2,
            other: 1
        }
    );
}

#[test]
fn missing_or_changed_books_are_reported() {
    let digest = book(2).digest();
    let book_error = flaw(|export| {
        export.bills[1] = ExportLine::PriceBook(ListedBook {
            digest,
            book: book(1),
        });
    });
    assert_eq!(book_error, AuditError::Book { digest });
    let mut life = Life::billed();
    life.books.truncate(1);
    assert_eq!(
        life.export().check(),
        Err(AuditError::BookOfInvoice { number: 2, digest })
    );
    // A period without an invoice needs its price book for one.
    life.invoices.truncate(1);
    assert_eq!(
        life.export().check(),
        Err(AuditError::BookOfPeriod { row: 8, digest })
    );
}

#[test]
fn misplaced_lines_are_reported() {
    let mut export = Life::billed().export();
    let last = export.rows.pop().unwrap();
    export.bills.push(ExportLine::Row(last));
    assert_eq!(
        export.check(),
        Err(AuditError::MissingAtEnd { from: 11, to: 11 })
    );
    export.rows.push(last);
    assert_eq!(
        export.check(),
        Err(AuditError::RowBehindInvoices { row: 11 })
    );
    let mut sandbox = Life::billed().export();
    sandbox.header.environment = Environment::Sandbox;
    sandbox.rechain();
    assert_eq!(sandbox.check(), Err(AuditError::SandboxBilled));
    sandbox.bills.clear();
    assert_eq!(sandbox.check().unwrap().invoices, 0);
}

#[test]
fn void_invoice_restores_credits() {
    let mut life = Life::begin();
    life.credit(-500);
    life.month(2);
    life.close();
    life.month(4);
    life.close();
    assert_eq!(life.invoices[1].statement.carried_forward.minor, -400);
    // Voided after the second invoice has used the balance of the first.
    life.void(1);
    life.month(2);
    life.close();
    let numbers: Vec<_> = life
        .invoices
        .iter()
        .map(|invoice| (invoice.id.number, invoice.replaces))
        .collect();
    assert_eq!(numbers, [(1, None), (2, None), (3, Some(1)), (4, None)]);
    let verified_export = life.export().check().unwrap();
    assert_eq!((verified_export.invoices, verified_export.void), (4, 1));
    let mut export = life.export();
    invoice(&mut export, 1).state = InvoiceState::Open;
    assert_eq!(
        export.check(),
        Err(AuditError::InvoicedTwice {
            row: 3,
            number: 3,
            other: 1
        })
    );
    let mut export = life.export();
    invoice(&mut export, 3).adjustments[0].reason = "other".into();
    assert_eq!(
        export.check(),
        Err(AuditError::AdjustmentChanged {
            adjustment: 1,
            number: 3
        })
    );
    let mut export = life.export();
    let repeated_adjustment = invoice(&mut export, 3).adjustments[0].clone();
    let last = invoice(&mut export, 4);
    last.total.minor += repeated_adjustment.amount.minor;
    last.adjustments.push(repeated_adjustment);
    assert_eq!(
        export.check(),
        Err(AuditError::AdjustmentTwice {
            adjustment: 1,
            number: 4,
            other: 3
        })
    );
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]

    /// Random sequences of months, credits, closings and voided invoices.
    #[test]
    fn honest_export_is_always_verified(steps in proptest::collection::vec((0_u8..5, 1_usize..5), 0..30)) {
        let mut life = Life::begin();
        for (what, number) in steps {
            match what {
                0 | 1 => life.month(number),
                2 => life.credit(-70 * i64::try_from(number).unwrap()),
                3 => life.close(),
                _ => {
                    let mut open = life.invoices.iter().filter(|invoice| invoice.state == InvoiceState::Open);
                    if let Some(id) = open.nth(number - 1).map(|invoice| invoice.id) {
                        life.void(usize::try_from(id.number).unwrap());
                    }
                }
            }
        }
        let result = life.export().check();
        proptest::prop_assert!(result.is_ok(), "{:?}", result);
    }
}

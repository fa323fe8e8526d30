//! Conservation of money between invoices.

use super::histories::after_each_step;
use super::world::BillingSimulation;
use voight_domain::billing::Money;
use voight_domain::invoicing::{Invoice, InvoiceState, Statement};

fn valid(world: &BillingSimulation) -> impl Iterator<Item = &Invoice> {
    world
        .invoices
        .values()
        .filter(|invoice| !matches!(invoice.state, InvoiceState::Void { .. }))
}

#[test]
fn charges_equal_due_and_carried_amounts() {
    after_each_step(|world| {
        for code in ["USD", "JPY"] {
            let currency = code.parse().unwrap();
            let of = |amount: &Money| amount.currency == currency;
            let statements = || valid(world).map(|invoice| &invoice.statement);
            let lines =
                statements().flat_map(|statement| statement.lines.iter().map(|line| line.amount));
            let adjustment_amounts = statements().flat_map(|statement| {
                statement
                    .adjustments
                    .iter()
                    .map(|adjustment| adjustment.amount)
            });
            let charged_minor: i64 = lines
                .chain(adjustment_amounts)
                .filter(of)
                .map(|amount| amount.minor)
                .sum();
            let due_minor: i64 = statements()
                .map(Statement::due)
                .filter(of)
                .map(|amount| amount.minor)
                .sum();
            assert_eq!(
                charged_minor,
                due_minor + world.account.balance(currency).minor,
                "{code}"
            );
        }
    });
}

#[test]
fn adjustment_is_on_one_valid_invoice() {
    after_each_step(|world| {
        for adjustment in world.adjustments.values() {
            let invoice_numbers: Vec<_> = valid(world)
                .filter(|invoice| {
                    invoice
                        .statement
                        .adjustments
                        .iter()
                        .any(|listed_adjustment| listed_adjustment.number == adjustment.number)
                })
                .map(|invoice| invoice.id.number)
                .collect();
            assert_eq!(
                invoice_numbers,
                adjustment.invoice.into_iter().collect::<Vec<_>>(),
                "adjustment {}",
                adjustment.number
            );
        }
    });
}

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
fn charges_equal_amounts_due_and_carried_forward() {
    after_each_step(|world| {
        for code in ["USD", "JPY"] {
            let currency = code.parse().unwrap();
            let of = |amount: &Money| amount.currency == currency;
            let statements = || valid(world).map(|invoice| &invoice.statement);
            let lines =
                statements().flat_map(|statement| statement.lines.iter().map(|line| line.amount));
            let made = statements()
                .flat_map(|statement| statement.adjustments.iter().map(|made| made.amount));
            let charged: i64 = lines
                .chain(made)
                .filter(of)
                .map(|amount| amount.minor)
                .sum();
            let due: i64 = statements()
                .map(Statement::due)
                .filter(of)
                .map(|due| due.minor)
                .sum();
            assert_eq!(
                charged,
                due + world.account.balance(currency).minor,
                "{code}"
            );
        }
    });
}

#[test]
fn an_adjustment_waits_or_is_on_exactly_one_valid_invoice() {
    after_each_step(|world| {
        for made in world.adjustments.values() {
            let charged: Vec<_> = valid(world)
                .filter(|invoice| {
                    invoice
                        .statement
                        .adjustments
                        .iter()
                        .any(|other| other.number == made.number)
                })
                .map(|invoice| invoice.id.number)
                .collect();
            assert_eq!(
                charged,
                made.invoice.into_iter().collect::<Vec<_>>(),
                "adjustment {}",
                made.number
            );
        }
    });
}

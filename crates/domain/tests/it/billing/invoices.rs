//! Invoices: the rows that they cover, and their immutability.

use super::histories::{after_each_step, at_the_end};
use super::positions::cut_points;
use super::reference_pricing;
use super::world::BillingSimulation;
use voight_domain::invoicing::{
    CloseRequest, CloseScope, Invoice, InvoiceState, Statement, close, draft_invoices,
};
use voight_domain::metering::RowKind;
use voight_domain::registry::Actor;

/// Returns the invoices that are not void, in the order of their rows.
fn valid(world: &BillingSimulation) -> Vec<&Invoice> {
    let is_valid = |invoice: &&Invoice| !matches!(invoice.state, InvoiceState::Void { .. });
    let mut valid: Vec<_> = world.invoices.values().filter(is_valid).collect();
    valid.sort_by_key(|invoice| invoice.statement.first_seq);
    valid
}

#[test]
fn row_is_on_at_most_one_valid_invoice() {
    after_each_step(|world| {
        let valid = valid(world);
        let overlap = valid
            .windows(2)
            .find(|pair| pair[0].statement.last_seq >= pair[1].statement.first_seq);
        assert!(overlap.is_none(), "{overlap:?}");
    });
}

#[test]
fn reissued_invoices_cover_every_row() {
    at_the_end(|world| {
        let markers = world
            .rows
            .iter()
            .filter(|row| matches!(row.kind, RowKind::PeriodEnd(_)))
            .map(|row| row.seq);
        let ends: Vec<_> = markers.collect();
        let valid = valid(world);
        let starts: Vec<_> = [0]
            .iter()
            .chain(&ends)
            .map(|end| end + 1)
            .take(ends.len())
            .collect();
        assert_eq!(
            valid
                .iter()
                .map(|invoice| invoice.statement.first_seq)
                .collect::<Vec<_>>(),
            starts
        );
        assert_eq!(
            valid
                .iter()
                .map(|invoice| invoice.statement.last_seq)
                .collect::<Vec<_>>(),
            ends
        );
        assert_eq!(
            ends.last().copied().unwrap_or_default(),
            world.rows.len() as u64,
            "rows are on no invoice"
        );
        world
            .invoices
            .values()
            .for_each(|invoice| assert_replaced_once(world, invoice));
    });
}

/// Asserts that exactly one invoice replaces a void invoice, and none replaces any other.
fn assert_replaced_once(world: &BillingSimulation, invoice: &Invoice) {
    let number = invoice.id.number;
    let standing_in: Vec<_> = world
        .invoices
        .values()
        .filter(|candidate| candidate.replaces == Some(number))
        .collect();
    let is_void = matches!(invoice.state, InvoiceState::Void { .. });
    assert_eq!(standing_in.len(), usize::from(is_void), "invoice {number}");
    let range = |invoice: &Invoice| {
        (
            invoice.statement.first_seq,
            invoice.statement.last_seq,
            invoice.statement.head,
        )
    };
    assert!(
        standing_in
            .iter()
            .all(|replacement| range(replacement) == range(invoice)
                && replacement.id.number > number)
    );
}

#[test]
fn issued_invoice_changes_only_its_state() {
    after_each_step(|world| {
        assert_eq!(world.issued.len(), world.invoices.len());
        for (number, issued) in (1..).zip(&world.issued) {
            assert_eq!(issued.id.number, number, "numbers have a gap");
            let now = &world.invoices[&number];
            assert_eq!(
                &Invoice {
                    state: InvoiceState::Open,
                    ..now.clone()
                },
                issued
            );
        }
    });
}

#[test]
fn invoice_prices_exactly_its_rows() {
    at_the_end(|world| {
        let places = cut_points(world);
        for invoice in world.invoices.values() {
            let statement = &invoice.statement;
            let mine = |seq| statement.first_seq <= seq && seq <= statement.last_seq;
            let rows: Vec<_> = places.iter().filter(|place| mine(place.seq)).collect();
            let paid_rows = rows.iter().filter(|place| !place.row.free).count() as u64;
            assert_eq!(
                (statement.billable, statement.charged),
                (rows.len() as u64, paid_rows)
            );
            let first = rows.first().unwrap().first;
            assert_eq!(
                &statement.price_book,
                first.rules.price_book.as_ref(),
                "the period began under another book"
            );
            assert_total_is_exact(statement);
        }
    });
}

/// Asserts that the cost of each tier is exact, and that the total is the sum of all amounts, in the one currency of
/// the price book.
fn assert_total_is_exact(statement: &Statement) {
    let currency = statement.price_book.currency();
    let lines: Vec<_> = statement.lines.iter().map(|line| line.amount).collect();
    let adjustment_amounts = statement
        .adjustments
        .iter()
        .map(|adjustment| adjustment.amount);
    let parts: Vec<_> = lines
        .iter()
        .copied()
        .chain(adjustment_amounts)
        .chain([statement.carried_forward])
        .collect();
    assert!(
        parts
            .iter()
            .chain([&statement.total])
            .all(|amount| amount.currency == currency)
    );
    assert_eq!(
        parts.iter().map(|amount| amount.minor).sum::<i64>(),
        statement.total.minor
    );
    assert_eq!(
        lines.iter().map(|amount| amount.minor).sum::<i64>(),
        reference_pricing::minor(&statement.price_book, statement.charged)
    );
}

#[test]
fn draft_equals_the_issued_invoice() {
    after_each_step(|world| {
        let facts = world.facts();
        let rules = &world.rules;
        let first = draft_invoices(&facts, rules, world.now).unwrap();
        let repeated_drafts = draft_invoices(&world.facts(), rules, world.now).unwrap();
        assert_eq!(format!("{first:?}"), format!("{repeated_drafts:?}"));
        let request = CloseRequest {
            scope: CloseScope::EndedPeriods,
            rules,
            actor: &Actor::Operator,
            now: world.now,
        };
        let issued_invoices = close(&facts, request).unwrap().issued;
        for (draft, invoice) in first.iter().zip(&issued_invoices) {
            let draft = &draft.statement;
            let invoice = &invoice.statement;
            assert_eq!(
                (draft.total, &draft.lines, &draft.adjustments),
                (invoice.total, &invoice.lines, &invoice.adjustments)
            );
        }
        let ended_drafts = first
            .iter()
            .zip(&issued_invoices)
            .filter(|(draft, _)| draft.ended);
        assert!(
            ended_drafts
                .into_iter()
                .all(|(draft, invoice)| draft.statement == invoice.statement)
        );
    });
}

#[test]
fn repeated_close_changes_nothing() {
    at_the_end(|world| {
        assert!(
            world
                .closed_again
                .iter()
                .all(|repeat| *repeat == (0, false))
        );
    });
}

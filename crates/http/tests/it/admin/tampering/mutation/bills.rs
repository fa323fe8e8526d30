//! Mutations of the price books and invoices of an export.

use super::Mutation;
use fastrand::Rng;
use voight_domain::billing::{
    ChargeKind, ChargeLine as Charge, PriceBook, PriceBookParts, UnitPrice,
};
use voight_domain::ledger_audit::{ExportLine, ListedBook, ListedInvoice};
use voight_domain::vocabulary::ClientId;

pub(super) fn change(kind: Mutation, export_lines: &mut Vec<ExportLine>, random: &mut Rng) {
    let places: Vec<_> = (0..export_lines.len())
        .filter(|place| matches!(export_lines[*place], ExportLine::Invoice(_)))
        .collect();
    match kind {
        // Never the last invoice: the service may claim that it was not issued yet.
        Mutation::InvoiceRemoved => {
            drop(export_lines.remove(places[random.usize(..places.len() - 1)]));
        }
        Mutation::BookChanged => export_lines.iter_mut().for_each(|line| {
            if let ExportLine::PriceBook(listed) = line {
                reprice(listed, random);
            }
        }),
        _ => {
            let ExportLine::Invoice(invoice) =
                &mut export_lines[places[random.usize(..places.len())]]
            else {
                unreachable!()
            };
            match kind {
                Mutation::AmountChanged => amount(invoice, random),
                Mutation::ChargesSwapped => charges(invoice),
                _ => invoice.id.client = ClientId::from_bytes(random.u128(..).to_be_bytes()),
            }
        }
    }
}

/// Changes a price of the book. The digest is that of the changed book or of the original.
fn reprice(listed: &mut ListedBook, random: &mut Rng) {
    let book = &listed.book;
    let mut tiers = book.tiers().to_vec();
    tiers[0].unit_price =
        UnitPrice::from_pico(tiers[0].unit_price.as_pico() + random.u64(1..1_000_000));
    let name = book.name().to_owned();
    let version = book.version();
    let currency = book.currency();
    let mode = book.mode();
    listed.book = PriceBook::new(PriceBookParts {
        name,
        version,
        currency,
        mode,
        tiers,
    })
    .unwrap();
    if random.bool() {
        listed.digest = listed.book.digest();
    }
}

fn amount(invoice: &mut ListedInvoice, random: &mut Rng) {
    let by = random.i64(1..1000);
    match random.u8(..4) {
        0 => invoice.carried.minor -= by,
        1 => invoice
            .adjustments
            .iter_mut()
            .for_each(|adjustment| adjustment.amount.minor -= by),
        2 => invoice
            .lines
            .iter_mut()
            .for_each(|line| line.amount.minor -= by),
        _ => invoice.total.minor += by,
    }
}

/// Swaps the first two lines, or adds a line if there are fewer.
fn charges(invoice: &mut ListedInvoice) {
    if invoice.lines.len() > 1 {
        invoice.lines.swap(0, 1);
    } else {
        invoice.lines.push(Charge {
            tier: 2,
            kind: ChargeKind::FlatFee,
            amount: invoice.total,
        });
    }
}

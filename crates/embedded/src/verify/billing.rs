//! Verifies ended periods, price books, invoices, adjustments, accounts and alerts.

use super::record::{VerifyState, client_number, count_records, ensure_key, require};
use super::{ensure, ledger};
use crate::Read;
use crate::table::{self, ClientNumber};
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::{Account, Adjustment, Invoice, InvoiceState};
use voight_domain::metering::{Alert, EndedPeriod, PeriodEnd, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::Live;

pub(super) fn price_book(key: &[u8], book: &PriceBook) -> Result<(), StoreError> {
    ensure_key(key, &table::price_book(book.digest()))
}

pub(super) fn ended_period(view: &impl Read, key: &[u8], ended: &EndedPeriod) -> Result<(), StoreError> {
    let (client_number, environment, last) = ledger::parse_ledger_key(key)?;
    ensure_key(key, &table::ended_period(client_number, environment, ended.last_seq))?;
    let row = require(view, &table::row(client_number, environment, last))?;
    let EndedPeriod { period, billable, charged: paid, book, .. } = *ended;
    let marker = RowKind::PeriodEnd(PeriodEnd { period, billable, paid, book });
    ensure(row.kind == marker, "the row that it leads to does not mark its end")?;
    require(view, &table::price_book(book))?;
    for number in [ended.invoice, ended.last_voided_invoice].into_iter().flatten() {
        let invoice = require(view, &table::invoice(client_number, number))?;
        ensure(invoice.statement.last_seq == last, "the invoice that it leads to is about another period")?;
    }
    Ok(())
}

pub(super) fn invoice(
    view: &impl Read,
    seen: &mut VerifyState,
    key: &[u8],
    invoice: &Invoice,
) -> Result<(), StoreError> {
    let client_number = client_number(key)?;
    ensure_key(key, &table::invoice(client_number, invoice.id.number))?;
    ensure(seen.client(view, client_number)? == invoice.id.client, "it is kept with another client")?;
    let number = invoice.id.number;
    let account = require(view, &table::account(client_number))?;
    ensure((1..=account.last_invoice_number).contains(&number), "its number was never given out")?;
    let ended = require(view, &table::ended_period(client_number, Live, invoice.statement.last_seq))?;
    let is_void = matches!(invoice.state, InvoiceState::Void { .. });
    let is_its_own = if is_void { ended.invoice != Some(number) } else { ended.invoice == Some(number) };
    ensure(is_its_own, "its period is on another invoice")
}

pub(super) fn adjustment(view: &impl Read, key: &[u8], adjustment: &Adjustment) -> Result<(), StoreError> {
    let client_number = client_number(key)?;
    ensure_key(key, &table::adjustment(client_number, adjustment.number))?;
    let account = require(view, &table::account(client_number))?;
    ensure((1..=account.last_adjustment_number).contains(&adjustment.number), "its number was never given out")?;
    let Some(number) = adjustment.invoice else { return Ok(()) };
    let invoice = require(view, &table::invoice(client_number, number))?;
    let is_on_it = invoice.statement.adjustments.iter().any(|made| made.number == adjustment.number);
    ensure(is_on_it, "it is not on the invoice that it leads to")
}

pub(super) fn account(view: &impl Read, key: &[u8], account: &Account) -> Result<(), StoreError> {
    let client_number: ClientNumber = client_number(key)?;
    ensure_key(key, &table::account(client_number))?;
    let invoices = count_records(view, &table::invoices(client_number))?;
    ensure(invoices == u64::from(account.last_invoice_number), "there are more or fewer invoices than it says")?;
    let adjustments = count_records(view, &table::adjustments(client_number))?;
    ensure(adjustments == u64::from(account.last_adjustment_number), "there are more or fewer credits than it says")
}

pub(super) fn alert(view: &impl Read, key: &[u8], alert: &Alert) -> Result<(), StoreError> {
    let (client_number, environment, _) = ledger::parse_ledger_key(key)?;
    ensure_key(key, &table::alert(client_number, environment, alert.seq, alert.kind))?;
    let row = require(view, &table::row(client_number, environment, alert.seq))?;
    ensure(row.at == alert.at, "the row that raised it has another date")
}

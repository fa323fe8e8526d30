//! Ended periods and what they are billed by, invoices and what leads to them.

use super::check::{VerifyState, at, needed, number_of, tenant};
use super::{ensure, ledger};
use crate::Read;
use crate::table::{self, ClientNumber};
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::{Account, Adjustment, Invoice, InvoiceState};
use voight_domain::metering::{Alert, EndedPeriod, PeriodEnd, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::Live;

pub(super) fn price_book(key: &[u8], book: &PriceBook) -> Result<(), StoreError> {
    at(key, &table::price_book(book.digest()))
}

pub(super) fn ended_period(view: &impl Read, key: &[u8], ended: &EndedPeriod) -> Result<(), StoreError> {
    let (tenant, environment, last) = ledger::place(key)?;
    at(key, &table::ended_period(tenant, environment, ended.last))?;
    let row = needed(view, &table::row(tenant, environment, last))?;
    let EndedPeriod { period, billable, paid, book, .. } = *ended;
    let marker = RowKind::PeriodEnd(PeriodEnd { period, billable, paid, book });
    ensure(row.kind == marker, "the row that it leads to does not mark its end")?;
    if let Some(book) = book {
        needed(view, &table::price_book(book))?;
    }
    for number in [ended.invoice, ended.voided].into_iter().flatten() {
        let invoice = needed(view, &table::invoice(tenant, number))?;
        ensure(invoice.statement.last == last, "the invoice that it leads to is about another period")?;
    }
    Ok(())
}

pub(super) fn invoice(
    view: &impl Read,
    seen: &mut VerifyState,
    key: &[u8],
    invoice: &Invoice,
) -> Result<(), StoreError> {
    let tenant = tenant(key)?;
    at(key, &table::invoice(tenant, invoice.id.number))?;
    ensure(seen.client(view, tenant)? == invoice.id.client, "it is kept with another client")?;
    let number = invoice.id.number;
    let account = needed(view, &table::account(tenant))?;
    ensure((1..=account.invoices).contains(&number), "its number was never given out")?;
    let ended = needed(view, &table::ended_period(tenant, Live, invoice.statement.last))?;
    let is_void = matches!(invoice.state, InvoiceState::Void { .. });
    let is_its_own = if is_void { ended.invoice != Some(number) } else { ended.invoice == Some(number) };
    ensure(is_its_own, "its period is on another invoice")
}

pub(super) fn adjustment(view: &impl Read, key: &[u8], adjustment: &Adjustment) -> Result<(), StoreError> {
    let tenant = tenant(key)?;
    at(key, &table::adjustment(tenant, adjustment.number))?;
    let account = needed(view, &table::account(tenant))?;
    ensure((1..=account.adjustments).contains(&adjustment.number), "its number was never given out")?;
    let Some(number) = adjustment.invoice else { return Ok(()) };
    let invoice = needed(view, &table::invoice(tenant, number))?;
    let is_on_it = invoice.statement.adjustments.iter().any(|made| made.number == adjustment.number);
    ensure(is_on_it, "it is not on the invoice that it leads to")
}

pub(super) fn account(view: &impl Read, key: &[u8], account: &Account) -> Result<(), StoreError> {
    let tenant: ClientNumber = tenant(key)?;
    at(key, &table::account(tenant))?;
    let invoices = number_of(view, &table::invoices(tenant))?;
    ensure(invoices == u64::from(account.invoices), "there are more or fewer invoices than it says")?;
    let adjustments = number_of(view, &table::adjustments(tenant))?;
    ensure(adjustments == u64::from(account.adjustments), "there are more or fewer credits than it says")
}

pub(super) fn alert(view: &impl Read, key: &[u8], alert: &Alert) -> Result<(), StoreError> {
    let (tenant, environment, _) = ledger::place(key)?;
    at(key, &table::alert(tenant, environment, alert.seq, alert.kind))?;
    let row = needed(view, &table::row(tenant, environment, alert.seq))?;
    ensure(row.at == alert.at, "the row that raised it has another date")
}

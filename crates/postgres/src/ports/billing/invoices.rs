//! Issue and change of invoices.

use super::facts;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, refused};
use crate::sql::{billing, lookup, registry};
use crate::value::values;
use voight_domain::invoicing::{
    Account, Adjustment, CloseScope, CloseStep, CloseWrite, Invoice, InvoiceChange, InvoiceId, NewAdjustment, close,
    void,
};
use voight_domain::metering::{EndedPeriod, MeterRules};
use voight_domain::registry::{Actor, AuditEntry};
use voight_domain::vocabulary::ClientId;
use voight_domain::vocabulary::Environment::Live;
use voight_encoding::Encode;

/// Closes ended periods with invoices.
pub(super) async fn close_in(
    step: &Transaction,
    client: ClientId,
    which: CloseScope,
    rules: &MeterRules,
    actor: &Actor,
) -> Result<Option<Vec<Invoice>>, Error> {
    common::lock_client(step, client).await?;
    common::lock_meter(step, client, Live).await?;
    let Some(facts) = facts::read(step, client).await? else { return Ok(None) };
    let CloseStep { issued, write, closed, audit } = close(&facts, which, rules, step.now(), actor).map_err(refused)?;
    for invoice in &issued {
        step.enqueue_write(billing::ADD_INVOICE, values![client, invoice.id.number, invoice.encode()]);
    }
    if let Some(write) = &write {
        write_close(step, client, write);
    }
    if let Some(closed) = closed {
        step.enqueue_write(registry::SET_CLIENT, values![client, closed.encode()]);
    }
    common::audit_all(step, &audit).await?;
    Ok(Some(issued))
}

fn write_close(step: &Transaction, client: ClientId, write: &CloseWrite) {
    if let Some(marker) = &write.marker {
        let (seqs, times) = (vec![marker.seq.cast_signed()], vec![marker.at.as_millis()]);
        step.enqueue_write(lookup::ADD_ROWS, values![client, Live, seqs, times, vec![marker.encode()]]);
    }
    step.enqueue_write(lookup::SET_METER, values![client, Live, write.meter.encode()]);
    for period in &write.ended {
        put_period(step, client, period);
    }
    put_adjustments(step, client, &write.adjustments);
    put_account(step, client, &write.account);
}

/// Applies a change to an open invoice.
pub(super) async fn change(
    step: &Transaction,
    id: InvoiceId,
    change: &InvoiceChange,
    audit: &AuditEntry,
) -> Result<Option<Invoice>, Error> {
    common::lock_client(step, id.client).await?;
    let found: Option<Invoice> = step.fetch(billing::INVOICE, values![id.client, id.number]).await?;
    let Some(invoice) = found else { return Ok(None) };
    let changed = match change {
        InvoiceChange::Void { reason } => void_invoice(step, invoice, reason).await?,
        other => invoice.with_change(other.clone(), step.now()).map_err(refused)?,
    };
    step.enqueue_write(billing::SET_INVOICE, values![id.client, id.number, changed.encode()]);
    common::audit(step, audit).await?;
    Ok(Some(changed))
}

async fn void_invoice(step: &Transaction, invoice: Invoice, reason: &str) -> Result<Invoice, Error> {
    let (client, last) = (invoice.id.client, invoice.statement.last_seq);
    let period = step.fetch(billing::ENDED_PERIOD, values![client, Live, last]).await?;
    let period = period.ok_or_else(|| Error::damaged("the period of an invoice is missing"))?;
    let account = facts::account(step, client).await?;
    let written = void(invoice, reason.to_owned(), period, account, step.now()).map_err(refused)?;
    put_period(step, client, &written.period);
    put_adjustments(step, client, &written.adjustments);
    put_account(step, client, &written.account);
    Ok(written.invoice)
}

/// Writes a credit or correction.
pub(super) async fn adjust(
    step: &Transaction,
    client: ClientId,
    adjustment: &NewAdjustment,
    audit: &AuditEntry,
) -> Result<Option<Adjustment>, Error> {
    if common::lock_client(step, client).await?.is_none() {
        return Ok(None);
    }
    let mut account = facts::account(step, client).await?;
    account.last_adjustment_number += 1;
    let adjustment = adjustment.clone().numbered(account.last_adjustment_number, step.now());
    put_account(step, client, &account);
    put_adjustments(step, client, std::slice::from_ref(&adjustment));
    common::audit(step, audit).await?;
    Ok(Some(adjustment))
}

fn put_period(step: &Transaction, client: ClientId, period: &EndedPeriod) {
    step.enqueue_write(lookup::SET_ENDED, values![client, Live, period.last_seq, period.invoice, period.encode()]);
}

fn put_account(step: &Transaction, client: ClientId, account: &Account) {
    step.enqueue_write(billing::SET_ACCOUNT, values![client, account.encode()]);
}

fn put_adjustments(step: &Transaction, client: ClientId, adjustments: &[Adjustment]) {
    for made in adjustments {
        step.enqueue_write(billing::SET_ADJUSTMENT, values![client, made.number, made.invoice, made.encode()]);
    }
}

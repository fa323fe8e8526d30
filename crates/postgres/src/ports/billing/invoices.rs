//! Issue and change of invoices.

use super::facts;
use crate::common;
use crate::connection::Transaction;
use crate::error::{Error, conflict};
use crate::sql::{billing, lookup, registry};
use crate::value::values;
use voight_domain::events::invoice_event;
use voight_domain::invoicing::{
    Account, Adjustment, CloseRequest, CloseScope, CloseStep, CloseWrite, Invoice, InvoiceChange,
    InvoiceId, NewAdjustment, close, void,
};
use voight_domain::metering::{EndedPeriod, LedgerId, MeterRules};
use voight_domain::registry::{Actor, AuditEntry};
use voight_domain::vocabulary::ClientId;
use voight_domain::vocabulary::Environment::Live;
use voight_encoding::Encode;

/// Closes ended periods with invoices.
pub(super) async fn close_in(
    transaction: &Transaction,
    client: ClientId,
    scope: CloseScope,
    rules: &MeterRules,
    actor: &Actor,
) -> Result<Option<Vec<Invoice>>, Error> {
    common::lock_client(transaction, client).await?;
    common::lock_meter(transaction, LedgerId::live(client)).await?;
    let Some(facts) = facts::read(transaction, client).await? else {
        return Ok(None);
    };
    let request = CloseRequest {
        scope,
        rules,
        actor,
        now: transaction.now(),
    };
    let CloseStep {
        issued,
        write,
        closed: closed_client,
        audit,
    } = close(&facts, request).map_err(conflict)?;
    for invoice in &issued {
        transaction.enqueue_write(
            billing::ADD_INVOICE,
            values![client, invoice.id.number, invoice.encode()],
        );
    }
    if let Some(write) = &write {
        write_close(transaction, client, write);
    }
    if let Some(closed_client) = closed_client {
        transaction.enqueue_write(
            registry::SET_CLIENT,
            values![client, closed_client.encode()],
        );
    }
    let events: Vec<_> = issued.iter().filter_map(invoice_event).collect();
    common::append_client_events(transaction, client, events).await?;
    common::audit_all(transaction, &audit).await?;
    Ok(Some(issued))
}

fn write_close(transaction: &Transaction, client: ClientId, write: &CloseWrite) {
    if let Some(marker) = &write.marker {
        let seqs = vec![marker.seq.cast_signed()];
        let times = vec![marker.at.as_millis()];
        transaction.enqueue_write(
            lookup::ADD_ROWS,
            values![client, Live, seqs, times, vec![marker.encode()]],
        );
    }
    transaction.enqueue_write(
        lookup::SET_METER,
        values![client, Live, write.meter.encode()],
    );
    for period in &write.ended {
        put_period(transaction, client, period);
    }
    put_adjustments(transaction, client, &write.adjustments);
    put_account(transaction, client, &write.account);
}

/// Applies a change to an open invoice.
pub(super) async fn change(
    transaction: &Transaction,
    id: InvoiceId,
    change: &InvoiceChange,
    audit: &AuditEntry,
) -> Result<Option<Invoice>, Error> {
    common::lock_client(transaction, id.client).await?;
    let locked_invoice: Option<Invoice> = transaction
        .fetch(billing::INVOICE, values![id.client, id.number])
        .await?;
    let Some(invoice) = locked_invoice else {
        return Ok(None);
    };
    let new_invoice = match change {
        InvoiceChange::Void { reason } => void_invoice(transaction, invoice, reason).await?,
        invoice_change => invoice
            .with_change(invoice_change.clone(), transaction.now())
            .map_err(conflict)?,
    };
    transaction.enqueue_write(
        billing::SET_INVOICE,
        values![id.client, id.number, new_invoice.encode()],
    );
    let event = invoice_event(&new_invoice);
    common::append_client_events(transaction, id.client, event).await?;
    common::audit(transaction, audit).await?;
    Ok(Some(new_invoice))
}

async fn void_invoice(
    transaction: &Transaction,
    invoice: Invoice,
    reason: &str,
) -> Result<Invoice, Error> {
    let client = invoice.id.client;
    let last = invoice.statement.last_seq;
    let period = transaction
        .fetch(billing::ENDED_PERIOD, values![client, Live, last])
        .await?;
    let period = period.ok_or_else(|| Error::damaged("the period of an invoice is missing"))?;
    let account = facts::account(transaction, client).await?;
    let voided_invoice = void(
        invoice,
        reason.to_owned(),
        period,
        account,
        transaction.now(),
    )
    .map_err(conflict)?;
    put_period(transaction, client, &voided_invoice.period);
    put_adjustments(transaction, client, &voided_invoice.adjustments);
    put_account(transaction, client, &voided_invoice.account);
    Ok(voided_invoice.invoice)
}

/// Writes a credit or correction.
pub(super) async fn adjust(
    transaction: &Transaction,
    client: ClientId,
    adjustment: &NewAdjustment,
    audit: &AuditEntry,
) -> Result<Option<Adjustment>, Error> {
    if common::lock_client(transaction, client).await?.is_none() {
        return Ok(None);
    }
    let mut account = facts::account(transaction, client).await?;
    account.last_adjustment_number += 1;
    let adjustment = adjustment
        .clone()
        .numbered(account.last_adjustment_number, transaction.now());
    put_account(transaction, client, &account);
    put_adjustments(transaction, client, std::slice::from_ref(&adjustment));
    common::audit(transaction, audit).await?;
    Ok(Some(adjustment))
}

fn put_period(transaction: &Transaction, client: ClientId, period: &EndedPeriod) {
    transaction.enqueue_write(
        lookup::SET_ENDED,
        values![
            client,
            Live,
            period.last_seq,
            period.invoice,
            period.encode()
        ],
    );
}

fn put_account(transaction: &Transaction, client: ClientId, account: &Account) {
    transaction.enqueue_write(billing::SET_ACCOUNT, values![client, account.encode()]);
}

fn put_adjustments(transaction: &Transaction, client: ClientId, adjustments: &[Adjustment]) {
    for adjustment in adjustments {
        transaction.enqueue_write(
            billing::SET_ADJUSTMENT,
            values![
                client,
                adjustment.number,
                adjustment.invoice,
                adjustment.encode()
            ],
        );
    }
}

//! Issues and changes invoices.

use super::facts;
use crate::common;
use crate::read_records::ReadRecords;
use crate::record::ClientRecord;
use crate::table::{self, ClientNumber};
use crate::write_transaction::WriteTransaction;
use voight_domain::events::invoice_event;
use voight_domain::invoicing::{
    Adjustment, CloseRequest, CloseStep, Invoice, InvoiceChange, InvoiceId, NewAdjustment, close,
    void,
};
use voight_domain::ports::StoreError;
use voight_domain::registry::AuditEntry;
use voight_domain::vocabulary::Environment::Live;
use voight_domain::vocabulary::{ClientId, Timestamp};

/// Closes ended periods and issues their invoices.
pub(super) fn close_periods(
    transaction: &mut WriteTransaction<'_>,
    client: ClientId,
    request: CloseRequest<'_>,
) -> Result<Option<Vec<Invoice>>, StoreError> {
    let Some((client_number, facts)) = facts::read(transaction, client)? else {
        return Ok(None);
    };
    let CloseStep {
        issued,
        write,
        closed,
        audit,
    } = close(&facts, request).map_err(StoreError::conflict)?;
    let now = request.now;
    for invoice in &issued {
        transaction.put(table::invoice(client_number, invoice.id.number), invoice);
        common::append_client_event(transaction, client_number, invoice_event(invoice), now)?;
    }
    if let Some(write) = write {
        if let Some(marker) = &write.marker {
            transaction.put(table::row(client_number, Live, marker.seq), marker);
        }
        transaction.put(table::meter(client_number, Live), &write.meter);
        for period in &write.ended {
            transaction.put(
                table::ended_period(client_number, Live, period.last_seq),
                period,
            );
        }
        put_adjustments(transaction, client_number, &write.adjustments);
        transaction.put(table::account(client_number), &write.account);
    }
    if let Some(client) = closed {
        transaction.put(
            table::client(client.id),
            &ClientRecord {
                client_number,
                client,
            },
        );
    }
    for entry in &audit {
        common::append_audit(transaction, entry)?;
    }
    Ok(Some(issued))
}

/// Changes an open invoice.
pub(super) fn change(
    transaction: &mut WriteTransaction<'_>,
    id: InvoiceId,
    change: InvoiceChange,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Invoice>, StoreError> {
    let Some(client_number) = common::client_number(transaction, id.client)? else {
        return Ok(None);
    };
    let key = table::invoice(client_number, id.number);
    let Some(invoice) = transaction.fetch(&key)? else {
        return Ok(None);
    };
    let new_invoice = match change {
        InvoiceChange::Void { reason } => {
            void_invoice(transaction, client_number, invoice, reason, now)?
        }
        invoice_change => invoice
            .with_change(invoice_change, now)
            .map_err(StoreError::conflict)?,
    };
    transaction.put(key, &new_invoice);
    let event = invoice_event(&new_invoice);
    common::append_client_event(transaction, client_number, event, now)?;
    common::append_audit(transaction, audit)?;
    Ok(Some(new_invoice))
}

fn void_invoice(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    invoice: Invoice,
    reason: String,
    now: Timestamp,
) -> Result<Invoice, StoreError> {
    let period_key = table::ended_period(client_number, Live, invoice.statement.last_seq);
    let period = transaction
        .fetch(&period_key)?
        .ok_or_else(|| StoreError::Corrupt("the period of an invoice is missing".into()))?;
    let account = transaction
        .fetch(&table::account(client_number))?
        .unwrap_or_default();
    let voided_invoice =
        void(invoice, reason, period, account, now).map_err(StoreError::conflict)?;
    transaction.put(period_key, &voided_invoice.period);
    put_adjustments(transaction, client_number, &voided_invoice.adjustments);
    transaction.put(table::account(client_number), &voided_invoice.account);
    Ok(voided_invoice.invoice)
}

/// Stores an adjustment (credit or correction).
pub(super) fn adjust(
    transaction: &mut WriteTransaction<'_>,
    client: ClientId,
    adjustment: NewAdjustment,
    audit: &AuditEntry,
    now: Timestamp,
) -> Result<Option<Adjustment>, StoreError> {
    let Some(client_number) = common::client_number(transaction, client)? else {
        return Ok(None);
    };
    let mut account = transaction
        .fetch(&table::account(client_number))?
        .unwrap_or_default();
    account.last_adjustment_number += 1;
    let adjustment = adjustment.numbered(account.last_adjustment_number, now);
    transaction.put(table::account(client_number), &account);
    put_adjustments(
        transaction,
        client_number,
        std::slice::from_ref(&adjustment),
    );
    common::append_audit(transaction, audit)?;
    Ok(Some(adjustment))
}

fn put_adjustments(
    transaction: &mut WriteTransaction<'_>,
    client_number: ClientNumber,
    adjustments: &[Adjustment],
) {
    for adjustment in adjustments {
        transaction.put(
            table::adjustment(client_number, adjustment.number),
            adjustment,
        );
    }
}

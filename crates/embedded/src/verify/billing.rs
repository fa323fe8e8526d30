//! Verifies ended periods, price books, invoices, adjustments, accounts and alerts.

use super::ensure;
use super::key::{client_number, parse_ledger_key};
use super::record::{StoredRecord, VerifyRecord, count_records, ensure_key, require};
use crate::read_records::ReadRecords;
use crate::table::{self, ClientNumber};
use voight_domain::billing::PriceBook;
use voight_domain::invoicing::{Account, Adjustment, Invoice, InvoiceState};
use voight_domain::metering::{Alert, EndedPeriod, PeriodEnd, RowKind};
use voight_domain::ports::StoreError;
use voight_domain::vocabulary::Environment::Live;
use voight_engine::Read;

impl VerifyRecord for PriceBook {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        ensure_key(record.key, &table::price_book(self.digest()))
    }
}

impl VerifyRecord for EndedPeriod {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, last) = parse_ledger_key(record.key)?;
        ensure_key(
            record.key,
            &table::ended_period(client_number, environment, self.last_seq),
        )?;
        let row = require(record.view, &table::row(client_number, environment, last))?;
        let EndedPeriod {
            period,
            billable,
            charged: paid,
            book,
            ..
        } = *self;
        let marker = RowKind::PeriodEnd(PeriodEnd {
            period,
            billable,
            paid,
            book,
        });
        ensure(
            row.kind == marker,
            "the row that it leads to does not mark its end",
        )?;
        require(record.view, &table::price_book(book))?;
        for number in [self.invoice, self.last_voided_invoice]
            .into_iter()
            .flatten()
        {
            let invoice = require(record.view, &table::invoice(client_number, number))?;
            ensure(
                invoice.statement.last_seq == last,
                "the invoice that it leads to is about another period",
            )?;
        }
        Ok(())
    }
}

impl VerifyRecord for Invoice {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::invoice(client_number, self.id.number))?;
        ensure(
            record.state.client(record.view, client_number)? == self.id.client,
            "it is kept with another client",
        )?;
        let number = self.id.number;
        let account = require(record.view, &table::account(client_number))?;
        ensure(
            (1..=account.last_invoice_number).contains(&number),
            "its number was never given out",
        )?;
        let period = require(
            record.view,
            &table::ended_period(client_number, Live, self.statement.last_seq),
        )?;
        let is_void = matches!(self.state, InvoiceState::Void { .. });
        let is_its_own = if is_void {
            period.invoice != Some(number)
        } else {
            period.invoice == Some(number)
        };
        ensure(is_its_own, "its period is on another invoice")
    }
}

impl VerifyRecord for Adjustment {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number = client_number(record.key)?;
        ensure_key(record.key, &table::adjustment(client_number, self.number))?;
        let account = require(record.view, &table::account(client_number))?;
        ensure(
            (1..=account.last_adjustment_number).contains(&self.number),
            "its number was never given out",
        )?;
        let Some(number) = self.invoice else {
            return Ok(());
        };
        let invoice = require(record.view, &table::invoice(client_number, number))?;
        let is_on_it = invoice
            .statement
            .adjustments
            .iter()
            .any(|adjustment| adjustment.number == self.number);
        ensure(is_on_it, "it is not on the invoice that it leads to")
    }
}

impl VerifyRecord for Account {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let client_number: ClientNumber = client_number(record.key)?;
        ensure_key(record.key, &table::account(client_number))?;
        let invoices = count_records(record.view, &table::invoices(client_number))?;
        ensure(
            invoices == u64::from(self.last_invoice_number),
            "there are more or fewer invoices than it says",
        )?;
        let adjustments = count_records(record.view, &table::adjustments(client_number))?;
        ensure(
            adjustments == u64::from(self.last_adjustment_number),
            "there are more or fewer credits than it says",
        )
    }
}

impl VerifyRecord for Alert {
    fn verify(&self, record: &mut StoredRecord<'_, impl Read>) -> Result<(), StoreError> {
        let (client_number, environment, _) = parse_ledger_key(record.key)?;
        ensure_key(
            record.key,
            &table::alert(client_number, environment, self.seq, self.kind),
        )?;
        let row = record
            .view
            .fetch(&table::row(client_number, environment, self.seq))?;
        let Some(row) = row else {
            return ensure(environment.is_test(), "the row that raised it is missing");
        };
        ensure(row.at == self.at, "the row that raised it has another date")
    }
}

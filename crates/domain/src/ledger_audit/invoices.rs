//! Invoices of an export, verified in order against the ledger.

use super::balance::Balances;
use super::{AuditError, ListedBook, ListedInvoice};
use crate::billing::{PriceBook, PriceBookDigest};
use crate::invoicing::{Adjustment, InvoiceState, PeriodUsage, Statement};
use crate::metering::EndedPeriod;
use crate::vocabulary::ClientId;
use std::collections::HashMap;
use std::fmt::Display;

/// State of the verification after the invoices so far.
#[derive(Debug, Default)]
pub(super) struct Invoices {
    books: HashMap<PriceBookDigest, PriceBook>,
    last: u32,
    balances: Balances,
    /// Each credit and correction, with the number of its invoice that is not void.
    adjustments: HashMap<u32, (Adjustment, Option<u32>)>,
    pub(super) void: u32,
}

impl Invoices {
    /// Returns `true` if there are neither invoices nor price books so far.
    pub(super) fn is_empty(&self) -> bool {
        self.books.is_empty() && self.last == 0
    }

    /// Returns the number of invoices.
    pub(super) const fn count(&self) -> u32 {
        self.last
    }

    pub(super) fn book(
        &mut self,
        ListedBook { digest, book }: ListedBook,
    ) -> Result<(), AuditError> {
        if book.digest() != digest {
            return Err(AuditError::Book { digest });
        }
        self.books.insert(digest, book);
        Ok(())
    }

    /// Verifies the next invoice of `client`, whose ended periods are `periods`.
    pub(super) fn invoice(
        &mut self,
        invoice: &ListedInvoice,
        client: ClientId,
        periods: &mut [EndedPeriod],
    ) -> Result<(), AuditError> {
        let id = invoice.id;
        let last = invoice.last;
        if id.client != client {
            return Err(AuditError::InvoiceOfOther { id });
        }
        let number = id.number;
        let expected_number = self.last.saturating_add(1);
        if number != expected_number {
            return Err(AuditError::InvoiceOrder {
                number,
                expected: expected_number,
            });
        }
        let place = periods.binary_search_by_key(&last, |period| period.last_seq);
        let place = place.map_err(|_| AuditError::InvoiceWithoutPeriod { number, row: last })?;
        let period = &mut periods[place];
        on_one(invoice, period)?;
        same_usage(invoice, period)?;
        self.same_amounts(invoice, period)?;
        self.take_adjustments(invoice)?;
        self.balances.invoice(invoice)?;
        self.last = number;
        if is_void(invoice) {
            self.void += 1;
            period.last_voided_invoice = Some(number);
        } else {
            period.invoice = Some(number);
        }
        Ok(())
    }

    /// Passes if the price book of every period is listed.
    pub(super) fn end(&self, periods: &[EndedPeriod]) -> Result<(), AuditError> {
        match periods
            .iter()
            .find(|period| !self.books.contains_key(&period.book))
        {
            Some(period) => Err(AuditError::BookOfPeriod {
                row: period.last_seq,
                digest: period.book,
            }),
            None => Ok(()),
        }
    }

    /// Recomputes the invoice, and compares the amounts.
    fn same_amounts(
        &self,
        invoice: &ListedInvoice,
        period: &EndedPeriod,
    ) -> Result<(), AuditError> {
        let number = invoice.id.number;
        let book = self
            .books
            .get(&invoice.book)
            .ok_or(AuditError::BookOfInvoice {
                number,
                digest: invoice.book,
            })?;
        let amounts = invoice
            .adjustments
            .iter()
            .map(|adjustment| adjustment.amount)
            .chain([invoice.carried]);
        if amounts
            .into_iter()
            .any(|amount| amount.currency != book.currency())
        {
            return Err(AuditError::InvoiceCurrency {
                number,
                currency: book.currency(),
            });
        }
        let right = Statement::new(
            PeriodUsage::from(period),
            book.clone(),
            invoice.adjustments.clone(),
            invoice.carried,
        )
        .map_err(|_| AuditError::InvoiceTooLarge { number })?;
        let wrong = (0..)
            .zip(&right.lines)
            .find(|(place, line)| invoice.lines.get(*place) != Some(*line));
        if wrong.is_some() || invoice.lines.len() != right.lines.len() {
            let place = wrong.map_or(right.lines.len(), |(place, _)| place);
            return Err(AuditError::InvoiceLine {
                number,
                line: place + 1,
                paid: right.charged,
            });
        }
        same(number, "its total", &invoice.total, &right.total)
    }

    /// Passes if each credit or correction is on no other invoice, or only on void ones and unchanged.
    fn take_adjustments(&mut self, invoice: &ListedInvoice) -> Result<(), AuditError> {
        let number = invoice.id.number;
        for listed_adjustment in &invoice.adjustments {
            let pending_adjustment = Adjustment {
                invoice: None,
                ..listed_adjustment.clone()
            };
            let adjustment = pending_adjustment.number;
            let (first_listing, invoice_number) = self
                .adjustments
                .entry(adjustment)
                .or_insert_with(|| (pending_adjustment.clone(), None));
            if let Some(other) = *invoice_number {
                return Err(AuditError::AdjustmentTwice {
                    adjustment,
                    number,
                    other,
                });
            }
            if *first_listing != pending_adjustment {
                return Err(AuditError::AdjustmentChanged { adjustment, number });
            }
            *invoice_number = (!is_void(invoice)).then_some(number);
        }
        Ok(())
    }
}

/// Passes if the period is on no other invoice that is not void.
///
/// The invoice must replace the last void invoice of the period.
fn on_one(invoice: &ListedInvoice, period: &EndedPeriod) -> Result<(), AuditError> {
    let number = invoice.id.number;
    if let Some(other) = period.invoice {
        return Err(AuditError::InvoicedTwice {
            row: period.last_seq,
            number,
            other,
        });
    }
    if invoice.replaces == period.last_voided_invoice {
        return Ok(());
    }
    let word =
        |number: Option<u32>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
    same(
        number,
        "the void invoice of its period that it replaces",
        &word(invoice.replaces),
        &word(period.last_voided_invoice),
    )
}

/// Passes if the usage of the invoice matches the ledger.
fn same_usage(invoice: &ListedInvoice, period: &EndedPeriod) -> Result<(), AuditError> {
    let number = invoice.id.number;
    same(number, "its first row", &invoice.first, &period.first_seq)?;
    same(
        number,
        "the start of its period",
        &invoice.period.start,
        &period.period.start,
    )?;
    same(
        number,
        "the end of its period",
        &invoice.period.end,
        &period.period.end,
    )?;
    same(
        number,
        "the number of its lookups",
        &invoice.billable,
        &period.billable,
    )?;
    same(
        number,
        "the number of its paid lookups",
        &invoice.paid,
        &period.charged,
    )?;
    same(
        number,
        "the head of the chain after it",
        &invoice.head,
        &period.head,
    )?;
    same(number, "its price book", &invoice.book, &period.book)
}

fn same<T: PartialEq + Display>(
    number: u32,
    what: &'static str,
    stated: &T,
    found: &T,
) -> Result<(), AuditError> {
    if stated == found {
        return Ok(());
    }
    Err(AuditError::InvoiceMismatch {
        number,
        what,
        stated: stated.to_string(),
        found: found.to_string(),
    })
}

const fn is_void(invoice: &ListedInvoice) -> bool {
    matches!(invoice.state, InvoiceState::Void { .. })
}

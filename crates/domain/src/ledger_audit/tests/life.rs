//! Billed client without a store.

use super::*;
use crate::billing::{Currency, Money, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice};
use crate::invoicing::{
    Account, Adjustment, AdjustmentKind, BillingFacts, CloseRequest, CloseScope, Invoice,
    NewAdjustment, close, void,
};
use crate::metering::{EndedPeriod, LedgerId};
use crate::registry::{Actor, Client, ClientStatus};
use std::sync::Arc;
use std::time::Duration;

pub(super) struct Life {
    rules: MeterRules,
    meter: MeterState,
    rows: Vec<RowLine>,
    ended: Vec<EndedPeriod>,
    pub(super) books: Vec<PriceBook>,
    account: Account,
    adjustments: Vec<Adjustment>,
    pub(super) invoices: Vec<Invoice>,
    now: Timestamp,
}

impl Life {
    pub(super) fn begin() -> Self {
        let rules = MeterRules {
            allowance: 1,
            price_book: Arc::new(book(1)),
            ..MeterRules::default()
        };
        Self {
            rules,
            meter: MeterState::new(LedgerId::live(client())),
            rows: Vec::new(),
            ended: Vec::new(),
            books: Vec::new(),
            account: Account::default(),
            adjustments: Vec::new(),
            invoices: Vec::new(),
            now: AT,
        }
    }

    /// Creates two invoices of two price books, the second with a credit, and a period without an invoice.
    pub(super) fn billed() -> Self {
        let mut life = Self::begin();
        life.month(4);
        life.close();
        life.rules.price_book = Arc::new(book(2));
        life.credit(-20);
        life.month(2);
        life.close();
        life.month(1);
        life.month(1);
        life
    }

    /// Adds lookups of a month and advances to its end.
    pub(super) fn month(&mut self, lookups: usize) {
        for _ in 0..lookups {
            let lookup = MeteringInput {
                context: 7,
                key: 1,
                answer: Answer::UNKNOWN,
                commitment: Commitment([0; 32]),
                idempotency: None,
                environment: Environment::Live,
            };
            let (next, decision) = decide(&self.meter, &lookup, &self.rules, self.now);
            let MeteringDecision::Recorded(metered) = decision else {
                panic!("no cap")
            };
            let new_book = metered
                .book
                .map(Arc::unwrap_or_clone)
                .filter(|book| !self.books.contains(book));
            self.books.extend(new_book);
            self.meter = next;
            if let Some(ending) = metered.ended {
                self.append(ending.marker);
                self.ended.push(ending.period);
            }
            self.append(metered.row);
        }
        self.now = self.now.saturating_add(Duration::from_hours(31 * 24));
    }

    pub(super) fn credit(&mut self, minor: i64) {
        self.account.last_adjustment_number += 1;
        let amount = Money {
            minor,
            currency: Currency::USD,
        };
        let new_adjustment = NewAdjustment {
            kind: AdjustmentKind::Credit,
            amount,
            reason: "late".into(),
        };
        self.adjustments
            .push(new_adjustment.numbered(self.account.last_adjustment_number, self.now));
    }

    pub(super) fn close(&mut self) {
        let scope = CloseScope::EndedPeriods;
        let actor = &Actor::Operator;
        let step = close(
            &self.facts(),
            CloseRequest {
                scope,
                rules: &self.rules,
                actor,
                now: self.now,
            },
        )
        .unwrap();
        self.invoices.extend(step.issued);
        let Some(write) = step.write else { return };
        if let Some(marker) = write.marker {
            self.append(marker);
        }
        (self.meter, self.account) = (write.meter, write.account);
        write
            .ended
            .into_iter()
            .for_each(|period| self.record_period(period));
        write
            .adjustments
            .into_iter()
            .for_each(|adjustment| self.keep_adjustment(adjustment));
    }

    pub(super) fn void(&mut self, number: usize) {
        let invoice = self.invoices[number - 1].clone();
        let period = self
            .ended
            .iter()
            .find(|period| period.last_seq == invoice.statement.last_seq)
            .unwrap();
        let void_write = void(
            invoice,
            "wrong".into(),
            *period,
            self.account.clone(),
            self.now,
        )
        .unwrap();
        self.account = void_write.account;
        self.record_period(void_write.period);
        void_write
            .adjustments
            .into_iter()
            .for_each(|adjustment| self.keep_adjustment(adjustment));
        self.invoices[number - 1] = void_write.invoice;
    }

    pub(super) fn export(&self) -> Export {
        let mut export = seven();
        export.rows.clone_from(&self.rows);
        let books = self
            .books
            .iter()
            .map(|book| ExportLine::PriceBook(ListedBook::from(book)));
        let invoices = self
            .invoices
            .iter()
            .map(|invoice| ExportLine::Invoice(Box::new(ListedInvoice::from(invoice))));
        export.bills = books.chain(invoices).collect();
        export.rechain();
        export
    }

    fn facts(&self) -> BillingFacts {
        BillingFacts {
            client: Client {
                id: client(),
                name: "acme".parse().unwrap(),
                status: ClientStatus::Active,
                origins: vec![],
                lookup_rate: None,
                contexts: crate::registry::ContextAccess::default(),
                created_at: AT,
            },
            meter: Some(self.meter),
            ended: self
                .ended
                .iter()
                .filter(|period| period.invoice.is_none())
                .copied()
                .collect(),
            price_books: self.books.clone(),
            account: self.account.clone(),
            pending_adjustments: self
                .adjustments
                .iter()
                .filter(|adjustment| adjustment.invoice.is_none())
                .cloned()
                .collect(),
        }
    }

    fn append(&mut self, row: LedgerRow) {
        let previous_head = self
            .rows
            .last()
            .map_or(ChainHead::genesis(LedgerId::live(client())), |line| {
                line.head
            });
        self.rows.push(RowLine {
            row,
            head: previous_head.extend(&row.to_bytes()),
            opening: None,
        });
    }

    fn record_period(&mut self, period: EndedPeriod) {
        self.ended
            .retain(|recorded_period| recorded_period.last_seq != period.last_seq);
        self.ended.push(period);
        self.ended.sort_by_key(|period| period.last_seq);
    }

    fn keep_adjustment(&mut self, adjustment: Adjustment) {
        let place = self
            .adjustments
            .iter()
            .position(|listed_adjustment| listed_adjustment.number == adjustment.number)
            .unwrap();
        self.adjustments[place] = adjustment;
    }
}

/// Returns a price book: a dollar for each of the first two paid lookups, then fifty cents, and a fee of ten cents.
pub(super) fn book(version: u32) -> PriceBook {
    let cent = 10_000_000_000;
    let tiers = vec![
        Tier {
            up_to: Some(2),
            unit_price: UnitPrice::from_pico(100 * cent),
            flat_fee: 0,
        },
        Tier {
            up_to: None,
            unit_price: UnitPrice::from_pico(50 * cent),
            flat_fee: 10,
        },
    ];
    let name = "plain".to_owned();
    let currency = Currency::USD;
    let mode = PricingMode::Graduated;
    PriceBook::new(PriceBookParts {
        name,
        version,
        currency,
        mode,
        tiers,
    })
    .unwrap()
}

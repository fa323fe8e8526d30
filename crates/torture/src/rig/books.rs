//! The ledger of a client as a server has left it, and its comparison with what the client was told.

use super::{AnsweredLookup, LookupResult, RequestLog, lookup_number};
use crate::row::CycleResult;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;
use voight_contract::block_on;
use voight_domain::metering::{ChainHead, LookupRow, RowKind};
use voight_domain::ports::{LedgerEntry, Store};
use voight_domain::registry::Client;
use voight_domain::vocabulary::{ContextId, Environment};
use voight_tests::server::TestAccount;

/// No ledger of a row is longer.
const ALL: usize = 10_000_000;
/// Lookups that are free unless the configuration says something else.
const ALLOWANCE: u64 = 1000;

/// A ledger whose chain, commitments and allowance are right.
pub struct VerifiedLedger {
    /// The row of each lookup.
    rows: HashMap<u64, AnsweredLookup>,
}

impl VerifiedLedger {
    /// Reads the ledger of the account's client. An error is a broken promise: a chain that is not whole, a row that its
    /// opening does not open, a lookup with two rows, an allowance that was not counted right.
    pub fn read(store: &dyn Store, account: &TestAccount) -> Result<Self> {
        let client = block_on(store.client_named(&account.client.parse()?))?.context("the client is gone")?;
        let context: ContextId = account.context.parse()?;
        let entries = block_on(store.rows(client.id, Environment::Live, 0, ALL))?;
        let mut books = Self { rows: HashMap::new() };
        let mut head = ChainHead::genesis(client.id, Environment::Live);
        for entry in &entries {
            head = head.extend(&entry.row.to_bytes());
            if let RowKind::Lookup(row) = &entry.row.kind {
                books.add(entry, row, head, &context).with_context(|| format!("row {}", entry.row.seq))?;
            }
        }
        books.settle(store, &client, head)?;
        Ok(books)
    }

    fn add(&mut self, entry: &LedgerEntry, row: &LookupRow, head: ChainHead, context: &ContextId) -> Result<()> {
        let opening = entry.opening.context("it has no opening")?;
        ensure!(opening.commit(context) == row.commitment, "its opening does not open it");
        ensure!(
            row.free == (self.lookups() < ALLOWANCE),
            "{} rows are before it, and it says free: {}",
            self.lookups(),
            row.free
        );
        let told = AnsweredLookup { seq: entry.row.seq, head: head.to_string() };
        let twice = self.rows.insert(lookup_number(opening.address), told);
        ensure!(twice.is_none(), "the lookup has another row: {twice:?}");
        Ok(())
    }

    /// The meter agrees with the rows.
    fn settle(&self, store: &dyn Store, client: &Client, head: ChainHead) -> Result<()> {
        let Some(meter) = block_on(store.meter(client.id, Environment::Live))? else {
            ensure!(self.rows.is_empty(), "there are rows and no meter");
            return Ok(());
        };
        ensure!(meter.head == head, "the meter's head is not that of the chain");
        let due = self.lookups().min(ALLOWANCE);
        ensure!(meter.allowance_used == due, "{} free lookups were counted instead of {due}", meter.allowance_used);
        Ok(())
    }

    /// How many lookups have a row.
    pub fn lookups(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Compares with what the client was told: an answer has the row that it named, a refusal has none, and no row is of a
    /// lookup that nobody made.
    pub fn compare(&self, journal: &RequestLog) -> Result<CycleResult> {
        let mut tally = CycleResult::default();
        let outcomes = journal.outcomes();
        for (number, outcome) in outcomes.iter() {
            let row = self.rows.get(number);
            let counted = match outcome {
                LookupResult::Answered(told) if row == Some(told) => "answered",
                LookupResult::Refused if row.is_none() => "refused",
                LookupResult::Unknown if row.is_none() => "without an answer",
                LookupResult::Unknown => "without an answer, with a row",
                broken => bail!("lookup {number}, {broken:?}, has {row:?}"),
            };
            tally.count(counted, 1);
        }
        for number in self.rows.keys() {
            ensure!(outcomes.contains_key(number), "nobody asked for lookup {number}, and it has a row");
        }
        Ok(tally)
    }
}

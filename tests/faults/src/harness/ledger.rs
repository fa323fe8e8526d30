//! Ledger of a client after a server stopped, and its comparison with the responses to the client.

use super::{AnsweredLookup, LookupResult, RequestLog, lookup_number};
use crate::scenario::CycleResult;
use anyhow::{Context, Result, bail, ensure};
use std::collections::HashMap;
use voight_contract::block_on;
use voight_domain::metering::{ChainHead, LedgerId, LookupRow, RowKind};
use voight_domain::ports::{LedgerEntry, Store};
use voight_domain::registry::Client;
use voight_domain::vocabulary::ContextId;
use voight_tests::server::TestAccount;

/// Upper bound of the rows in any ledger of a scenario.
const ALL: usize = 10_000_000;
/// Free allowance of lookups, unless the configuration changes it.
const ALLOWANCE: u64 = 1000;

/// Ledger whose chain, commitments and allowance were verified.
pub struct VerifiedLedger {
    /// Row of each lookup.
    rows: HashMap<u64, AnsweredLookup>,
}

impl VerifiedLedger {
    /// Reads and verifies the ledger of the account's client.
    ///
    /// # Errors
    ///
    /// A broken promise: an invalid chain, a row whose opening does not match, a lookup with two rows, or a wrong count of the
    /// allowance.
    pub fn read(store: &dyn Store, account: &TestAccount) -> Result<Self> {
        let client = block_on(store.client_named(&account.client.parse()?))?
            .context("the client is missing")?;
        let context: ContextId = account.context.parse()?;
        let entries = block_on(store.rows(LedgerId::live(client.id), 0, ALL))?;
        let mut ledger = Self {
            rows: HashMap::new(),
        };
        let mut head = ChainHead::genesis(LedgerId::live(client.id));
        for entry in &entries {
            head = head.extend(&entry.row.to_bytes());
            if let RowKind::Lookup(row) = &entry.row.kind {
                ledger
                    .add(entry, row, head, &context)
                    .with_context(|| format!("row {}", entry.row.seq))?;
            }
        }
        ledger.settle(store, &client, head)?;
        Ok(ledger)
    }

    fn add(
        &mut self,
        entry: &LedgerEntry,
        row: &LookupRow,
        head: ChainHead,
        context: &ContextId,
    ) -> Result<()> {
        let opening = entry.opening.context("it has no opening")?;
        ensure!(
            opening.commit(context) == row.commitment,
            "its opening does not match its commitment"
        );
        ensure!(
            row.free == (self.lookups() < ALLOWANCE),
            "{} lookups precede it, and its free flag is {}",
            self.lookups(),
            row.free
        );
        let answered_lookup = AnsweredLookup {
            seq: entry.row.seq,
            head: head.to_string(),
        };
        let duplicate = self
            .rows
            .insert(lookup_number(opening.address), answered_lookup);
        ensure!(
            duplicate.is_none(),
            "the lookup has a second row: {duplicate:?}"
        );
        Ok(())
    }

    /// Verifies that the meter agrees with the rows.
    fn settle(&self, store: &dyn Store, client: &Client, head: ChainHead) -> Result<()> {
        let Some(meter) = block_on(store.meter(LedgerId::live(client.id)))? else {
            ensure!(self.rows.is_empty(), "the ledger has rows and no meter");
            return Ok(());
        };
        ensure!(
            meter.head == head,
            "the meter's head differs from the chain's"
        );
        let expected_free = self.lookups().min(ALLOWANCE);
        ensure!(
            meter.allowance_used == expected_free,
            "the meter counts {} free lookups, expected {expected_free}",
            meter.allowance_used
        );
        Ok(())
    }

    /// Returns the number of lookups with a row.
    pub fn lookups(&self) -> u64 {
        self.rows.len() as u64
    }

    /// Compares the ledger with the responses to the client.
    ///
    /// An answered lookup has the row that its response named, a rejected lookup has no row, and every row belongs to a
    /// lookup of the log.
    pub fn compare(&self, request_log: &RequestLog) -> Result<CycleResult> {
        let mut result = CycleResult::default();
        let outcomes = request_log.outcomes();
        for (number, outcome) in outcomes.iter() {
            let row = self.rows.get(number);
            let counter = match outcome {
                LookupResult::Answered(answered) if row == Some(answered) => "answered",
                LookupResult::Rejected if row.is_none() => "rejected",
                LookupResult::Unknown if row.is_none() => "no response",
                LookupResult::Unknown => "no response, row stored",
                mismatch => {
                    bail!("lookup {number} with the outcome {mismatch:?} has the row {row:?}")
                }
            };
            result.count(counter, 1);
        }
        for number in self.rows.keys() {
            ensure!(
                outcomes.contains_key(number),
                "lookup {number} has a row, and no client requested it"
            );
        }
        Ok(result)
    }
}

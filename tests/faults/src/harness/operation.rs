//! Write operations, and checks that they are stored.

use super::TestAccount;
use anyhow::{Context as _, Result, bail, ensure};
use std::collections::{HashMap, HashSet};
use voight_contract::block_on;
use voight_contract::generate::{self, START, ValueGenerator, address, audit, book, bot};
use voight_domain::billing::{Currency, Money};
use voight_domain::check::{CheckConclusion, EvidenceBatch};
use voight_domain::invoicing::{AdjustmentKind, CloseScope, NewAdjustment};
use voight_domain::metering::{
    BatchLookupRequest, LedgerId, Limit, LookupOutcome, LookupRequest, MeterRules, RowKind,
};
use voight_domain::ports::{RegisterOutcome, Store};
use voight_domain::registry::{Actor, AuditAction, ClientStatus, Context, ContextSettings};
use voight_domain::verdict::answer;
use voight_domain::vocabulary::{ClientId, Timestamp};

/// Expiry of evidence: never, unless space runs out.
const FOREVER: Timestamp = Timestamp::from_millis(i64::MAX);
/// Upper bound of the rows in any ledger of a scenario.
const ALL: usize = 10_000_000;
/// Size of a batch of evidence, in bytes.
const BATCH: usize = 2000;
/// Cap above the lookups of any scenario.
const UNREACHED: u64 = 1 << 32;
/// Number of lookups of a client before its closure.
const LAST_LOOKUPS: u32 = 3;

/// Call of a port. It is derived from its position in a history, so its expected effect is known.
#[derive(Debug, Clone)]
pub enum Operation {
    /// Lookup, with or without an idempotency key.
    LookUp(Box<LookupRequest>),
    /// Batch lookup with an idempotency key.
    LookUpBatch(Box<BatchLookupRequest>),
    /// Check that found a bot.
    Conclude(Box<CheckConclusion>),
    /// New context.
    Register(Box<Context>),
    /// Batch of evidence.
    Append(Box<EvidenceBatch>),
    /// Credit of a client.
    Credit(ClientId, Box<NewAdjustment>),
    /// Cap of a client that no lookup reaches.
    Cap(ClientId, u64),
    /// Separate client that looks up and is closed, with its last invoice.
    Close(Box<TestAccount>),
}

impl Operation {
    /// Derives the `number`-th operation of a thread in the history of `seed`.
    pub fn derive(account: &TestAccount, seed: u64, thread: usize, number: u64) -> Self {
        let mut random = fastrand::Rng::with_seed(seed ^ (thread as u64) << 48 ^ number);
        let generator = ValueGenerator::starting_at(random.u64(..));
        let address = address(random.u32(..));
        // Threads start with different kinds, so that a short run covers all of them.
        let position = number + 3 * thread as u64;
        match position % 10 {
            2 => {
                let idempotency = Some(generator.idempotency());
                Self::LookUp(Box::new(LookupRequest {
                    idempotency,
                    ..generator.lookup(&account.key, &account.context, address)
                }))
            }
            1 if position % 20 == 1 => {
                let idempotency = Some(generator.idempotency());
                let addresses: Vec<_> = (0..random.u32(1..40))
                    .map(|_| generate::address(random.u32(..)))
                    .collect();
                Self::LookUpBatch(Box::new(BatchLookupRequest {
                    idempotency,
                    ..generator.batch_lookup(&account.key, &account.context, &addresses)
                }))
            }
            3 if position % 20 == 3 => {
                Self::Cap(account.client.id, UNREACHED + random.u64(..UNREACHED))
            }
            7 if position % 20 == 7 => {
                Self::Credit(account.client.id, Box::new(credit(random.u64(..))))
            }
            9 if position % 20 == 9 => {
                Self::Close(Box::new(TestAccount::from_generator(&generator)))
            }
            4 => Self::Register(Box::new(generator.context(&account.key, START))),
            5 | 6 => Self::Conclude(Box::new(generator.conclusion(
                &account.context,
                address,
                bot(),
                START,
            ))),
            8 => {
                let challenge = generator.challenge(&account.context, address, START);
                Self::Append(Box::new(generator.batch(&challenge, 1, BATCH, START)))
            }
            _ => Self::LookUp(Box::new(generator.lookup(
                &account.key,
                &account.context,
                address,
            ))),
        }
    }

    /// Makes the call and waits for its acknowledgement.
    pub fn call(self, store: &dyn Store) -> Result<()> {
        match self {
            Self::LookUp(request) => match block_on(store.answer(*request))? {
                LookupOutcome::Recorded(..) => Ok(()),
                other => bail!("a lookup was not recorded: {other:?}"),
            },
            Self::LookUpBatch(request) => match block_on(store.answer_batch(*request))? {
                LookupOutcome::Recorded(..) => Ok(()),
                other => bail!("a batch lookup was not recorded: {other:?}"),
            },
            Self::Conclude(conclusion) => block_on(store.conclude(*conclusion))
                .map(drop)
                .map_err(Into::into),
            Self::Register(context) => {
                let entry = audit(AuditAction::ContextRegistered, &context.id, START);
                match block_on(store.register_context(*context, None, entry))? {
                    RegisterOutcome::Registered(_) => Ok(()),
                    other => bail!("a context was not registered: {other:?}"),
                }
            }
            Self::Append(batch) => block_on(store.append(*batch, FOREVER))
                .map(drop)
                .map_err(Into::into),
            Self::Credit(id, made) => {
                let entry = audit(AuditAction::AdjustmentMade, &made.reason, START);
                block_on(store.adjust(id, *made, entry))?
                    .context("the client of a credit is missing")
                    .map(drop)
            }
            Self::Cap(id, cap) => {
                let entry = audit(AuditAction::LimitChanged, &cap, START);
                block_on(store.set_limit(
                    LedgerId::live(id),
                    Limit::Lookups(Some(cap)),
                    book(),
                    entry,
                ))
                .map_err(Into::into)
            }
            Self::Close(closing) => close_client(store, *closing),
        }
    }

    /// Returns `true` if the operation is stored completely; an error if only a part is.
    pub fn is_stored(&self, store: &dyn Store, actual: &StoredState) -> Result<bool> {
        match self {
            Self::LookUp(request) => {
                let rows = actual.lookups.get(&request.nonce).copied().unwrap_or(0);
                ensure!(rows <= 1, "a lookup has {rows} ledger rows");
                Ok(rows == 1)
            }
            Self::LookUpBatch(request) => {
                let rows = request.openings().len();
                let stored_rows: u64 = request
                    .openings()
                    .filter_map(|opening| actual.lookups.get(&opening.nonce))
                    .sum();
                ensure!(
                    stored_rows == 0 || stored_rows == rows as u64,
                    "a batch of {rows} lookups has {stored_rows} ledger rows"
                );
                Ok(stored_rows != 0)
            }
            Self::Conclude(conclusion) => {
                let is_used = block_on(store.concluded(conclusion.check))?.is_some();
                let verdict = block_on(store.verdict(&conclusion.context, &conclusion.address))?;
                let is_bot = verdict
                    .is_some_and(|verdict| answer(&verdict, &ContextSettings::default()).is_bot);
                // Another check may have flagged the same address, so a flag alone proves nothing.
                ensure!(
                    !is_used || is_bot,
                    "a check is concluded and its flag is missing"
                );
                Ok(is_used)
            }
            Self::Register(context) => Ok(block_on(store.context(&context.id))?.is_some()),
            Self::Append(batch) => {
                let stored_batches = block_on(store.batches(batch.challenge.check))?;
                ensure!(
                    stored_batches.is_empty() || stored_batches == [(**batch).clone()],
                    "evidence has changed"
                );
                Ok(!stored_batches.is_empty())
            }
            Self::Credit(_, made) => {
                let stored_credits = actual.credits.get(&made.reason).copied().unwrap_or(0);
                ensure!(
                    stored_credits <= 1,
                    "a credit is stored {stored_credits} times"
                );
                Ok(stored_credits == 1)
            }
            // A later cap may have replaced it, so its entry in the audit log is checked.
            Self::Cap(_, cap) => Ok(actual.caps.contains(&cap.to_string())),
            Self::Close(closing) => is_closed(store, closing),
        }
    }

    /// Returns the number of rows that the operation adds to the ledger of the account.
    pub fn rows(&self) -> u64 {
        match self {
            Self::LookUp(_) => 1,
            Self::LookUpBatch(request) => request.addresses.as_slice().len() as u64,
            _ => 0,
        }
    }
}

/// Returns a credit with a unique reason.
fn credit(number: u64) -> NewAdjustment {
    let amount = Money {
        minor: -1,
        currency: Currency::USD,
    };
    NewAdjustment {
        kind: AdjustmentKind::Credit,
        amount,
        reason: format!("credit {number}"),
    }
}

/// Creates the client, makes its lookups, and closes it.
fn close_client(store: &dyn Store, closing: TestAccount) -> Result<()> {
    let closing = closing.create(store)?;
    let generator = ValueGenerator::default();
    for number in 0..LAST_LOOKUPS {
        block_on(store.answer(generator.lookup(&closing.key, &closing.context, address(number))))?;
    }
    let invoices = block_on(store.close(
        closing.client.id,
        CloseScope::IncludingCurrent,
        MeterRules::default(),
        Actor::Operator,
    ))?;
    ensure!(
        invoices.is_some_and(|invoices| invoices.len() == 1),
        "a closed client must get one invoice"
    );
    Ok(())
}

/// Returns `true` if the client is closed with its marker and invoice, `false` with neither.
fn is_closed(store: &dyn Store, closing: &TestAccount) -> Result<bool> {
    let id = closing.client.id;
    let is_closed =
        block_on(store.client(id))?.is_some_and(|client| client.status == ClientStatus::Closed);
    let invoices = block_on(store.invoices(id, 0, ALL))?;
    let rows = block_on(store.rows(LedgerId::live(id), 0, ALL))?;
    let markers = rows
        .iter()
        .filter(|entry| matches!(entry.row.kind, RowKind::PeriodEnd(_)))
        .count();
    let expected_count = usize::from(is_closed);
    ensure!(
        (invoices.len(), markers) == (expected_count, expected_count),
        "a client was closed partially: {invoices:?}"
    );
    if let [invoice] = invoices.as_slice() {
        let statement = &invoice.statement;
        let actual = (statement.first_seq, statement.last_seq, statement.billable);
        ensure!(
            actual == (1, rows.len() as u64, LAST_LOOKUPS.into()),
            "the last invoice covers {actual:?}"
        );
    }
    Ok(is_closed)
}

/// Stored ledger and related records, read once for many operations.
pub struct StoredState {
    /// Number of rows by nonce of the opening.
    lookups: HashMap<[u8; 16], u64>,
    /// Number of credits by reason.
    credits: HashMap<String, u64>,
    /// Caps in the audit log.
    caps: HashSet<String>,
    /// Number of rows of the ledger.
    pub rows: u64,
}

impl StoredState {
    /// Reads the account's ledger.
    pub fn read(store: &dyn Store, account: &TestAccount) -> Result<Self> {
        let entries = block_on(store.rows(LedgerId::live(account.client.id), 0, ALL))?;
        let mut lookups = HashMap::new();
        for opening in entries.iter().filter_map(|entry| entry.opening) {
            *lookups.entry(opening.nonce).or_default() += 1;
        }
        let mut credits = HashMap::new();
        let facts = block_on(store.billing(account.client.id))?.context("the client is missing")?;
        for made in facts.pending_adjustments {
            *credits.entry(made.reason).or_default() += 1;
        }
        let log = block_on(store.audit(0, ALL))?
            .into_iter()
            .map(|record| record.entry);
        let caps = log
            .filter(|entry| entry.action == AuditAction::LimitChanged)
            .map(|entry| entry.subject)
            .collect();
        Ok(Self {
            lookups,
            credits,
            caps,
            rows: entries.len() as u64,
        })
    }
}

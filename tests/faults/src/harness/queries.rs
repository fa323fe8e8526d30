//! Queries that read back everything that was written to a store.

use super::{Operation, TestAccount};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use voight_contract::block_on;
use voight_domain::ports::{ContextFilter, LedgerEntry, Store, StoreError};
use voight_domain::vocabulary::{CheckId, ClientId, ContextId, Environment, EoaAddress, Timestamp};

/// Limit above the number of records of any kind.
const ALL: usize = 1_000_000;

/// Queries: all listings, and every written item by its key.
pub struct StoreQueries {
    account: TestAccount,
    contexts: Vec<ContextId>,
    addresses: Vec<EoaAddress>,
    checks: Vec<CheckId>,
    leavers: Vec<ClientId>,
}

/// Query and the reply of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryResult {
    /// Description of the query.
    pub question: String,
    /// Reply of the store.
    pub answer: Reply,
}

/// Reply of a store to a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// Result, one line for each item.
    Known(Vec<String>),
    /// The store returned an error.
    Error(String),
    /// The database panicked on corrupt data.
    Panic,
}

impl StoreQueries {
    /// Builds the queries about these operations of an account.
    pub fn about(account: TestAccount, operations: &[Operation]) -> Self {
        let mut questions = Self {
            contexts: vec![account.context.id.clone()],
            account,
            addresses: Vec::new(),
            checks: Vec::new(),
            leavers: Vec::new(),
        };
        for operation in operations {
            match operation {
                Operation::LookUp(request) => questions.addresses.push(request.address),
                Operation::Register(context) => questions.contexts.push(context.id.clone()),
                Operation::Append(batch) => questions.checks.push(batch.challenge.check),
                Operation::Close(leaver) => questions.leavers.push(leaver.client.id),
                Operation::Credit(..) | Operation::Cap(..) => {}
                Operation::Conclude(conclusion) => {
                    questions.addresses.push(conclusion.address);
                    questions.checks.push(conclusion.check);
                }
            }
        }
        questions
    }

    /// Runs all queries.
    pub fn run_queries(&self, store: &dyn Store) -> Vec<QueryResult> {
        let mut asking = QueryCollector(Vec::new());
        self.registry(store, &mut asking);
        self.ledger(store, &mut asking);
        self.bills(store, &mut asking);
        self.verdicts(store, &mut asking);
        asking.0
    }

    fn registry(&self, store: &dyn Store, asking: &mut QueryCollector) {
        let TestAccount { client, key, .. } = &self.account;
        asking.call("clients", || block_on(store.clients(None, ALL)));
        asking.call("client", || block_on(store.client(client.id)));
        asking.call("client of the name", || block_on(store.client_named(&client.name)));
        asking.call("keys", || block_on(store.keys(client.id)));
        asking.call("key", || block_on(store.key(key.id)));
        for secret in &key.secrets {
            asking.call("holder", || block_on(store.key_by_digest(secret.digest)));
        }
        for filter in [ContextFilter::All, ContextFilter::Client(client.id), ContextFilter::Key(key.id)] {
            asking.call(format!("contexts, {filter:?}"), || block_on(store.contexts(filter, None, ALL)));
        }
        for context in &self.contexts {
            asking.call(format!("context {context}"), || block_on(store.context(context)));
        }
        asking.call("audit", || block_on(store.audit(0, ALL)));
        asking.call("end of the audit", || block_on(store.audit_head()).map(Some));
    }

    fn ledger(&self, store: &dyn Store, asking: &mut QueryCollector) {
        for environment in [Environment::Live, Environment::Sandbox] {
            let id = self.account.client.id;
            asking.call(format!("{environment:?} meter"), || block_on(store.meter(id, environment)));
            asking.call(format!("{environment:?} rows"), || {
                let entries = block_on(store.rows(id, environment, 0, ALL))?;
                Ok(entries.into_iter().flat_map(facts).collect::<Vec<_>>())
            });
        }
    }

    fn bills(&self, store: &dyn Store, asking: &mut QueryCollector) {
        asking.call("waiting credits", || {
            let facts = block_on(store.billing(self.account.client.id))?;
            Ok(facts.into_iter().flat_map(|facts| facts.pending_adjustments).collect::<Vec<_>>())
        });
        for leaver in &self.leavers {
            asking.call(format!("client {leaver}"), || block_on(store.client(*leaver)));
            asking.call(format!("invoices of {leaver}"), || block_on(store.invoices(*leaver, 0, ALL)));
            asking.call(format!("periods of {leaver}"), || {
                block_on(store.ended_periods(*leaver, Environment::Live, 0, ALL))
            });
        }
    }

    fn verdicts(&self, store: &dyn Store, asking: &mut QueryCollector) {
        let context = &self.account.context.id;
        asking.call("verdicts", || block_on(store.verdicts(context, None, ALL)));
        for address in &self.addresses {
            asking.call(format!("verdict on {address}"), || block_on(store.verdict(context, address)));
            asking.call(format!("timeline of {address}"), || block_on(store.timeline(context, address, ALL)));
        }
        for check in &self.checks {
            asking.call(format!("conclusion of {check}"), || block_on(store.concluded(*check)));
            asking.call(format!("batches of {check}"), || block_on(store.batches(*check)));
        }
        let end = Timestamp::from_millis(i64::MAX);
        asking.call("checks not settled", || block_on(store.unjudged_checks(end, ALL)));
    }
}

/// Formats a row and its opening separately, because they are two records.
fn facts(entry: LedgerEntry) -> Vec<String> {
    let opening = entry.opening.map(|opening| format!("opening of row {}: {opening:?}", entry.row.seq));
    [Some(format!("{:?}", entry.row)), opening].into_iter().flatten().collect()
}

struct QueryCollector(Vec<QueryResult>);

impl QueryCollector {
    fn call<T>(&mut self, question: impl Display, call: impl FnOnce() -> Result<T, StoreError>)
    where
        T: IntoIterator<Item: Debug>,
    {
        let answer = match catch_unwind(AssertUnwindSafe(call)) {
            Ok(Ok(things)) => Reply::Known(things.into_iter().map(|thing| format!("{thing:?}")).collect()),
            Ok(Err(error)) => Reply::Error(error.to_string()),
            Err(_) => Reply::Panic,
        };
        self.0.push(QueryResult { question: question.to_string(), answer });
    }
}

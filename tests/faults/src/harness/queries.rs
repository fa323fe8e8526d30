//! Queries that read back everything that was written to a store.

use super::{Operation, TestAccount};
use std::fmt::{Debug, Display};
use std::panic::{AssertUnwindSafe, catch_unwind};
use voight_contract::block_on;
use voight_domain::metering::LedgerId;
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
    closing_clients: Vec<ClientId>,
}

/// Query and the reply of the store.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QueryResult {
    /// Description of the query.
    pub query: String,
    /// Reply of the store.
    pub reply: Reply,
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
    /// Creates the queries for these operations of an account.
    pub fn about(account: TestAccount, operations: &[Operation]) -> Self {
        let mut queries = Self {
            contexts: vec![account.context.id.clone()],
            account,
            addresses: Vec::new(),
            checks: Vec::new(),
            closing_clients: Vec::new(),
        };
        for operation in operations {
            match operation {
                Operation::LookUp(request) => queries.addresses.push(request.address),
                Operation::LookUpBatch(request) => {
                    queries.addresses.extend(request.addresses.as_slice());
                }
                Operation::Register(context) => queries.contexts.push(context.id.clone()),
                Operation::Append(batch) => queries.checks.push(batch.challenge.check),
                Operation::Close(closing) => queries.closing_clients.push(closing.client.id),
                Operation::Credit(..) | Operation::Cap(..) => {}
                Operation::Conclude(conclusion) => {
                    queries.addresses.push(conclusion.address);
                    queries.checks.push(conclusion.check);
                }
            }
        }
        queries
    }

    /// Runs all queries.
    pub fn run_queries(&self, store: &dyn Store) -> Vec<QueryResult> {
        let mut collector = QueryCollector(Vec::new());
        self.registry(store, &mut collector);
        self.ledger(store, &mut collector);
        self.bills(store, &mut collector);
        self.verdicts(store, &mut collector);
        collector.0
    }

    fn registry(&self, store: &dyn Store, collector: &mut QueryCollector) {
        let TestAccount { client, key, .. } = &self.account;
        collector.call("clients", || block_on(store.clients(None, ALL)));
        collector.call("client", || block_on(store.client(client.id)));
        collector.call("client by name", || {
            block_on(store.client_named(&client.name))
        });
        collector.call("keys", || block_on(store.keys(client.id)));
        collector.call("key", || block_on(store.key(key.id)));
        for secret in &key.secrets {
            collector.call("key by digest", || {
                block_on(store.key_by_digest(secret.digest))
            });
        }
        for filter in [
            ContextFilter::All,
            ContextFilter::Client(client.id),
            ContextFilter::Key(key.id),
        ] {
            collector.call(format!("contexts, {filter:?}"), || {
                block_on(store.contexts(filter, None, ALL))
            });
        }
        for context in &self.contexts {
            collector.call(format!("context {context}"), || {
                block_on(store.context(context))
            });
        }
        collector.call("audit", || block_on(store.audit(0, ALL)));
        collector.call("head of the audit log", || {
            block_on(store.audit_head()).map(Some)
        });
    }

    fn ledger(&self, store: &dyn Store, collector: &mut QueryCollector) {
        for environment in [Environment::Live, Environment::Sandbox] {
            let ledger = LedgerId {
                client: self.account.client.id,
                environment,
            };
            collector.call(format!("{environment:?} meter"), || {
                block_on(store.meter(ledger))
            });
            collector.call(format!("{environment:?} rows"), || {
                let entries = block_on(store.rows(ledger, 0, ALL))?;
                Ok(entries.into_iter().flat_map(facts).collect::<Vec<_>>())
            });
        }
    }

    fn bills(&self, store: &dyn Store, collector: &mut QueryCollector) {
        collector.call("pending credits", || {
            let facts = block_on(store.billing(self.account.client.id))?;
            Ok(facts
                .into_iter()
                .flat_map(|facts| facts.pending_adjustments)
                .collect::<Vec<_>>())
        });
        for closing in &self.closing_clients {
            collector.call(format!("client {closing}"), || {
                block_on(store.client(*closing))
            });
            collector.call(format!("invoices of {closing}"), || {
                block_on(store.invoices(*closing, 0, ALL))
            });
            collector.call(format!("periods of {closing}"), || {
                block_on(store.ended_periods(LedgerId::live(*closing), 0, ALL))
            });
        }
    }

    fn verdicts(&self, store: &dyn Store, collector: &mut QueryCollector) {
        let context = &self.account.context.id;
        collector.call("verdicts", || block_on(store.verdicts(context, None, ALL)));
        for address in &self.addresses {
            collector.call(format!("verdict on {address}"), || {
                block_on(store.verdict(context, address))
            });
            collector.call(format!("timeline of {address}"), || {
                block_on(store.timeline(context, address, ALL))
            });
        }
        for check in &self.checks {
            collector.call(format!("conclusion of {check}"), || {
                block_on(store.concluded(*check))
            });
            collector.call(format!("batches of {check}"), || {
                block_on(store.batches(*check))
            });
        }
        let end = Timestamp::from_millis(i64::MAX);
        collector.call("unconcluded checks", || {
            block_on(store.unjudged_checks(end, ALL))
        });
    }
}

/// Formats a row and its opening separately, because they are two records.
fn facts(entry: LedgerEntry) -> Vec<String> {
    let opening = entry
        .opening
        .map(|opening| format!("opening of row {}: {opening:?}", entry.row.seq));
    [Some(format!("{:?}", entry.row)), opening]
        .into_iter()
        .flatten()
        .collect()
}

struct QueryCollector(Vec<QueryResult>);

impl QueryCollector {
    fn call<T>(&mut self, query: impl Display, call: impl FnOnce() -> Result<T, StoreError>)
    where
        T: IntoIterator<Item: Debug>,
    {
        let reply = match catch_unwind(AssertUnwindSafe(call)) {
            Ok(Ok(things)) => {
                Reply::Known(things.into_iter().map(|item| format!("{item:?}")).collect())
            }
            Ok(Err(error)) => Reply::Error(error.to_string()),
            Err(_) => Reply::Panic,
        };
        self.0.push(QueryResult {
            query: query.to_string(),
            reply,
        });
    }
}

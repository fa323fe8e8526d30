//! Batches lookups per ledger: while one batch is in flight, new lookups queue for the next.
//!
//! A batch is one transaction of two round trips: the first locks the meter of the ledger and reads, the second writes
//! and commits.

mod facts;
mod key_location;
mod writes;

use crate::batch_queue::BatchQueue;
use crate::connection::Transaction;
use crate::error::Error;
use crate::pipeline::join_in_order;
use crate::sql::{lookup, session};
use crate::task_runtime::TaskRuntime;
use crate::transaction_runner::{TransactionMode, TransactionRunner};
use crate::workers::Lane;
use facts::BatchInputs;
use futures_util::future::Either;
pub(crate) use key_location::{KeyLocation, KeyLocationCache, find as find_route};
use std::sync::Arc;
use tokio::sync::oneshot;
use voight_domain::metering::{LedgerId, LookupFacts, LookupOutcome, LookupRequest, answer_lookup};
use voight_domain::ports::StoreError;
use voight_domain::secrets::KeyDigest;
use writes::BatchWrites;

/// Maximum number of lookups in one batch.
const MAX_BATCH: usize = 256;

/// Queued lookup with the location of its API key.
struct QueuedLookup {
    request: Arc<LookupRequest>,
    route: KeyLocation,
    answer: oneshot::Sender<Result<LookupOutcome, StoreError>>,
}

/// Queues of lookups, one for each ledger with a batch in flight.
pub(crate) struct LookupBatcher {
    transactions: Arc<TransactionRunner>,
    routes: Arc<KeyLocationCache>,
    waiting: BatchQueue<LedgerId, QueuedLookup>,
}

/// Input of the transaction of a batch. The transaction may run more than once.
struct BatchInput {
    ledger: LedgerId,
    requests: Vec<(Arc<LookupRequest>, KeyLocation)>,
}

impl LookupBatcher {
    /// Creates a batcher that runs on `transactions` and looks up key locations in `routes`.
    pub(crate) fn new(transactions: Arc<TransactionRunner>, routes: Arc<KeyLocationCache>) -> Self {
        Self { transactions, routes, waiting: BatchQueue::default() }
    }

    /// Returns the outcome of a lookup. A cached location that turns out to be invalid is read again once.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        request: LookupRequest,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome, StoreError> {
        let request = Arc::new(request);
        if let Some(route) = self.routes.get(request.key) {
            let outcome = self.enqueue(&request, route, background).await?;
            if outcome != LookupOutcome::InvalidKey {
                return Ok(outcome);
            }
            // The digest may have moved from this key to another one since the location was cached.
            self.routes.invalidate(request.key);
        }
        match self.find(request.key, background).await? {
            Some(route) => {
                self.routes.insert(request.key, route);
                self.enqueue(&request, route, background).await
            }
            None => Ok(LookupOutcome::InvalidKey),
        }
    }

    async fn find(&self, digest: KeyDigest, background: &TaskRuntime) -> Result<Option<KeyLocation>, StoreError> {
        let transactions = Arc::clone(&self.transactions);
        let find = async move {
            let find = transactions.run_in(Lane::Local, TransactionMode::Read, &digest, |transaction, digest| {
                Box::pin(key_location::find(transaction, *digest))
            });
            Ok(find.await?)
        };
        background.run_to_completion(find).await
    }

    async fn enqueue(
        self: &Arc<Self>,
        request: &Arc<LookupRequest>,
        route: KeyLocation,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome, StoreError> {
        let (answer, answered) = oneshot::channel();
        let waiting = QueuedLookup { request: Arc::clone(request), route, answer };
        if self.waiting.push(route.ledger, waiting) {
            let batches = Arc::clone(self);
            background.spawn(async move { batches.run_batches(route.ledger).await });
        }
        answered.await.unwrap_or_else(|_| Err(StoreError::MaybeApplied("the call panicked".to_owned())))
    }

    /// Runs the batches of a ledger until its queue is empty.
    async fn run_batches(&self, ledger: LedgerId) {
        while let Some(group) = self.waiting.next_batch(ledger, MAX_BATCH) {
            let (requests, answers): (Vec<_>, Vec<_>) =
                group.into_iter().map(|waiting| ((waiting.request, waiting.route), waiting.answer)).unzip();
            let arguments = BatchInput { ledger, requests };
            let outcome = self
                .transactions
                .run_in(Lane::Of(ledger.client), TransactionMode::SelfManaged, &arguments, |transaction, group| {
                    Box::pin(decide(transaction, group))
                })
                .await;
            deliver(outcome, answers);
        }
    }
}

/// Sends each caller of a batch its outcome. A caller that has dropped its receiver is skipped.
fn deliver(
    outcome: Result<Vec<LookupOutcome>, Error>,
    answers: Vec<oneshot::Sender<Result<LookupOutcome, StoreError>>>,
) {
    match outcome {
        Ok(outcomes) => {
            for (answer, outcome) in answers.into_iter().zip(outcomes) {
                drop(answer.send(Ok(outcome)));
            }
        }
        Err(error) => {
            let error = StoreError::from(error);
            for answer in answers {
                drop(answer.send(Err(error.clone())));
            }
        }
    }
}

/// Decides the lookups of a batch in order. Each decision sees the meter and the idempotency records that earlier ones
/// have left.
async fn decide(transaction: &Transaction, input: &BatchInput) -> Result<Vec<LookupOutcome>, Error> {
    let BatchInput { ledger, requests } = input;
    let mut facts = read(transaction, *ledger, requests).await?;
    let mut writes = BatchWrites::for_ledger(*ledger, facts.idempotency_records.keys().copied().collect());
    let mut outcomes = Vec::with_capacity(requests.len());
    for (request, route) in requests {
        let holder = facts.holder(route.key, request.key);
        let known = LookupFacts {
            key: holder.as_ref(),
            context: facts.contexts.get(&request.context),
            verdict: facts.verdicts.get(&(request.context.clone(), request.address)),
            tombstone: facts.tombstones.get(&(request.context.clone(), request.address_digest())),
            meter: facts.meter.as_ref(),
            idempotency_record: request.idempotency.and_then(|input| facts.idempotency_records.get(&input.key_digest)),
        };
        let decided = answer_lookup(request, known, transaction.now());
        outcomes.push(decided.outcome);
        if let Some(write) = decided.write {
            facts.meter = Some(write.meter);
            facts.idempotency_records.extend(write.idempotency_record.clone());
            writes.add(write);
        }
    }
    writes.put(transaction);
    Ok(outcomes)
}

/// Begins the transaction, locks the meter and reads the facts, in pipelined requests.
async fn read(
    transaction: &Transaction,
    ledger: LedgerId,
    requests: &[(Arc<LookupRequest>, KeyLocation)],
) -> Result<BatchInputs, Error> {
    transaction.set_client(ledger.client);
    let facts_of_all = || facts::parameters(ledger.client, requests);
    let reads = match requests {
        [(request, route)] => facts::reads_of_one(ledger, request, *route),
        _ => vec![facts::meter(ledger), (lookup::FACTS, facts_of_all())],
    };
    let mut prepared = Vec::with_capacity(reads.len());
    for (sql, values) in &reads {
        prepared.push((transaction.prepared(sql).await?, values));
    }
    let begun = async { transaction.batch_execute(session::BEGIN).await.map(|()| Vec::new()) };
    let reads = prepared.iter().map(|(statement, values)| Either::Right(transaction.query(statement, values)));
    let found = join_in_order([Either::Left(begun)].into_iter().chain(reads)).await;
    let found: Vec<_> = found.into_iter().skip(1).collect::<Result<_, _>>()?;
    if let [(request, _)] = requests {
        if let Some(inputs) = BatchInputs::of_one(request, &found)? {
            return Ok(inputs);
        }
        // The tombstone has changed between the reads. One statement reads it and the verdict from one snapshot.
        let meter = found.first().and_then(|rows| rows.first());
        return BatchInputs::read(meter, &transaction.rows(lookup::FACTS, facts_of_all()).await?);
    }
    match found.as_slice() {
        [meter, facts] => BatchInputs::read(meter.first(), facts),
        _ => Err(Error::damaged("an answer is missing")),
    }
}

//! Batches lookups per ledger: while one batch is in flight, new lookups queue for the next.
//!
//! A batch is one transaction of two round trips: the first locks the meter of the ledger and reads, the second writes
//! and commits.

mod facts;
mod key_location;
mod snapshot;
mod writes;

use crate::batch_queue::BatchQueue;
use crate::connection::{Transaction, Write};
use crate::error::Error;
use crate::pipeline::join_in_order;
use crate::sql::session;
use crate::task_runtime::TaskRuntime;
use crate::transaction_runner::{TransactionMode, TransactionRunner};
use crate::workers::Lane;
use facts::{BatchInputs, WantedFacts};
use futures_util::future::Either;
pub(crate) use key_location::{KeyLocation, KeyLocationCache, find as find_route};
pub(crate) use snapshot::change as change_snapshot;
use std::sync::Arc;
use tokio::sync::oneshot;
use tokio_postgres::Row;
use voight_domain::metering::{
    BatchLookupRequest, LedgerId, LookupOutcome, LookupRequest, RecordedBatch, answer_batch,
    answer_lookup,
};
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
        Self {
            transactions,
            routes,
            waiting: BatchQueue::default(),
        }
    }

    /// Returns the outcome of a lookup.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        request: LookupRequest,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome, StoreError> {
        let request = Arc::new(request);
        self.with_location(request.key, background, |route| {
            self.enqueue(&request, route, background)
        })
        .await
    }

    /// Returns the outcome of a batch lookup. It has a transaction of its own, which waits for those of queued lookups at the
    /// lock of the meter.
    pub(crate) async fn answer_batch(
        &self,
        request: BatchLookupRequest,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        let request = Arc::new(request);
        let run = |route: KeyLocation| {
            let (transactions, input) = (
                Arc::clone(&self.transactions),
                (Arc::clone(&request), route),
            );
            background.run_to_completion(async move {
                let lane = Lane::Of(route.ledger.client);
                let outcome = transactions.run_in(
                    lane,
                    TransactionMode::SelfManaged,
                    &input,
                    |transaction, (request, route)| {
                        Box::pin(decide_batch(transaction, request, *route))
                    },
                );
                Ok(outcome.await?)
            })
        };
        self.with_location(request.key, background, run).await
    }

    /// Runs a call with the location of an API key. A cached location that turns out to be invalid is read again once.
    async fn with_location<A, F>(
        &self,
        digest: KeyDigest,
        background: &TaskRuntime,
        call: impl Fn(KeyLocation) -> F,
    ) -> Result<LookupOutcome<A>, StoreError>
    where
        F: Future<Output = Result<LookupOutcome<A>, StoreError>>,
    {
        if let Some(route) = self.routes.get(digest) {
            let outcome = call(route).await?;
            if !matches!(outcome, LookupOutcome::InvalidKey) {
                return Ok(outcome);
            }
            // The digest may have moved from this key to another one since the location was cached.
            self.routes.invalidate(digest);
        }
        match self.find(digest, background).await? {
            Some(route) => {
                self.routes.insert(digest, route);
                call(route).await
            }
            None => Ok(LookupOutcome::InvalidKey),
        }
    }

    async fn find(
        &self,
        digest: KeyDigest,
        background: &TaskRuntime,
    ) -> Result<Option<KeyLocation>, StoreError> {
        let transactions = Arc::clone(&self.transactions);
        let find = async move {
            let find = transactions.run_in(
                Lane::Local,
                TransactionMode::Read,
                &digest,
                |transaction, digest| Box::pin(key_location::find(transaction, *digest)),
            );
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
        let waiting = QueuedLookup {
            request: Arc::clone(request),
            route,
            answer,
        };
        if self.waiting.push(route.ledger, waiting) {
            let batches = Arc::clone(self);
            background.spawn(async move { batches.run_batches(route.ledger).await });
        }
        answered
            .await
            .unwrap_or_else(|_| Err(StoreError::MaybeApplied("the call panicked".to_owned())))
    }

    /// Runs the batches of a ledger until its queue is empty.
    async fn run_batches(&self, ledger: LedgerId) {
        while let Some(group) = self.waiting.next_batch(ledger, MAX_BATCH) {
            let (requests, answers): (Vec<_>, Vec<_>) = group
                .into_iter()
                .map(|waiting| ((waiting.request, waiting.route), waiting.answer))
                .unzip();
            let arguments = BatchInput { ledger, requests };
            let outcome = self
                .transactions
                .run_in(
                    Lane::Of(ledger.client),
                    TransactionMode::SelfManaged,
                    &arguments,
                    |transaction, group| Box::pin(decide(transaction, group)),
                )
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
async fn decide(
    transaction: &Transaction,
    input: &BatchInput,
) -> Result<Vec<LookupOutcome>, Error> {
    let BatchInput { ledger, requests } = input;
    let mut facts = read(transaction, *ledger, requests).await?;
    let mut writes =
        BatchWrites::for_ledger(*ledger, facts.idempotency_records.keys().copied().collect());
    let mut outcomes = Vec::with_capacity(requests.len());
    for (request, route) in requests {
        let holder = facts.holder(route.key, request.key);
        let caller = facts.caller(holder.as_ref(), &request.context, request.idempotency);
        let address = facts.address(&request.context, request.address, request.address_digest());
        let decided = answer_lookup(request, caller, address, transaction.now());
        outcomes.push(decided.outcome);
        if let Some(write) = decided.write {
            facts.meter = Some(write.meter);
            facts
                .idempotency_records
                .extend(write.idempotency_record.clone());
            writes.add(write);
        }
    }
    writes.put(transaction);
    Ok(outcomes)
}

/// Decides a batch lookup.
async fn decide_batch(
    transaction: &Transaction,
    request: &BatchLookupRequest,
    route: KeyLocation,
) -> Result<LookupOutcome<RecordedBatch>, Error> {
    let addresses = request.addresses.as_slice().iter();
    let addresses: Vec<_> = addresses
        .map(|address| (*address, request.address_digest(address)))
        .collect();
    let mut wanted = WantedFacts::default();
    wanted.add_caller(route.key, &request.context, request.idempotency);
    for (address, digest) in &addresses {
        wanted.add_address(&request.context, *address, *digest);
    }
    let facts = read_all(transaction, route.ledger, &wanted).await?;
    let holder = facts.holder(route.key, request.key);
    let caller = facts.caller(holder.as_ref(), &request.context, request.idempotency);
    let known: Vec<_> = addresses
        .iter()
        .map(|(address, digest)| facts.address(&request.context, *address, *digest))
        .collect();
    let decided = answer_batch(request, caller, &known, transaction.now());
    let mut writes = BatchWrites::for_ledger(
        route.ledger,
        facts.idempotency_records.keys().copied().collect(),
    );
    decided
        .writes
        .into_iter()
        .for_each(|write| writes.add(write));
    writes.put(transaction);
    Ok(decided.outcome)
}

/// Begins the transaction, locks the meter and reads the facts of queued lookups.
async fn read(
    transaction: &Transaction,
    ledger: LedgerId,
    requests: &[(Arc<LookupRequest>, KeyLocation)],
) -> Result<BatchInputs, Error> {
    let wanted = || {
        let mut wanted = WantedFacts::default();
        for (request, route) in requests {
            wanted.add_caller(route.key, &request.context, request.idempotency);
            wanted.add_address(&request.context, request.address, request.address_digest());
        }
        wanted
    };
    let [(request, route)] = requests else {
        return read_all(transaction, ledger, &wanted()).await;
    };
    let found = begin_and_read(
        transaction,
        ledger,
        &facts::reads_of_one(ledger, request, *route),
    )
    .await?;
    if let Some(inputs) = BatchInputs::of_one(request, &found)? {
        return Ok(inputs);
    }
    // The tombstone has changed between the reads. One statement reads it and the verdict from one snapshot.
    let meter = found.first().and_then(|rows| rows.first());
    let (statement, values) = wanted().read(ledger.client);
    BatchInputs::read(meter, &transaction.rows(statement, values).await?)
}

/// Begins the transaction, locks the meter and reads the wanted facts from one snapshot.
async fn read_all(
    transaction: &Transaction,
    ledger: LedgerId,
    wanted: &WantedFacts<'_>,
) -> Result<BatchInputs, Error> {
    let reads = [facts::meter(ledger), wanted.read(ledger.client)];
    match begin_and_read(transaction, ledger, &reads)
        .await?
        .as_slice()
    {
        [meter, facts] => BatchInputs::read(meter.first(), facts),
        _ => Err(Error::damaged("an answer is missing")),
    }
}

/// Begins the transaction and reads, in pipelined requests.
async fn begin_and_read(
    transaction: &Transaction,
    ledger: LedgerId,
    reads: &[Write],
) -> Result<Vec<Vec<Row>>, Error> {
    transaction.set_client(ledger.client);
    let mut prepared = Vec::with_capacity(reads.len());
    for (sql, values) in reads {
        prepared.push((transaction.prepared(sql).await?, values));
    }
    let begun = async {
        transaction
            .batch_execute(session::BEGIN)
            .await
            .map(|()| Vec::new())
    };
    let reads = prepared
        .iter()
        .map(|(statement, values)| Either::Right(transaction.query(statement, values)));
    let found = join_in_order([Either::Left(begun)].into_iter().chain(reads)).await;
    found.into_iter().skip(1).collect()
}

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
pub(crate) use key_location::{KeyLocation, KeyLocationCache, find as find_location};
pub(crate) use snapshot::change as change_snapshot;
use std::sync::Arc;
use std::time::Instant;
use tokio::sync::oneshot;
use tokio_postgres::Row;
use voight_domain::metering::{
    BatchLookupRequest, LedgerId, LookupOutcome, LookupRequest, RecordedBatch, answer_batch,
    answer_lookup,
};
use voight_domain::ports::{CommitHistograms, CommitSnapshot, StoreError};
use voight_domain::secrets::KeyDigest;
use writes::BatchWrites;

/// Maximum number of lookups in one batch.
const MAX_BATCH: usize = 256;

/// Queued lookup with the location of its API key.
struct QueuedLookup {
    request: Arc<LookupRequest>,
    location: KeyLocation,
    answer: oneshot::Sender<Result<LookupOutcome, StoreError>>,
}

/// Queues of lookups, one for each ledger with a batch in flight.
pub(crate) struct LookupBatcher {
    transactions: Arc<TransactionRunner>,
    key_locations: Arc<KeyLocationCache>,
    waiting: BatchQueue<LedgerId, QueuedLookup>,
    commits: CommitHistograms,
}

/// Input of the transaction of a batch. The transaction may run more than once.
struct BatchInput {
    ledger: LedgerId,
    requests: Vec<(Arc<LookupRequest>, KeyLocation)>,
}

impl LookupBatcher {
    /// Creates a batcher that runs on `transactions` and looks up key locations in `key_locations`.
    pub(crate) fn new(
        transactions: Arc<TransactionRunner>,
        key_locations: Arc<KeyLocationCache>,
    ) -> Self {
        Self {
            transactions,
            key_locations,
            waiting: BatchQueue::default(),
            commits: CommitHistograms::default(),
        }
    }

    /// Returns the histograms of the transactions of queued lookups.
    pub(crate) fn commits(&self) -> CommitSnapshot {
        self.commits.snapshot()
    }

    /// Returns the outcome of a lookup.
    pub(crate) async fn answer(
        self: &Arc<Self>,
        request: LookupRequest,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome, StoreError> {
        let request = Arc::new(request);
        self.with_location(request.key, background, |location| {
            self.enqueue(&request, location, background)
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
        let call = |location: KeyLocation| {
            let transactions = Arc::clone(&self.transactions);
            let input = (Arc::clone(&request), location);
            background.run_to_completion(async move {
                let lane = Lane::Of(location.ledger.client);
                let outcome = transactions.run_in(
                    lane,
                    TransactionMode::SelfManaged,
                    &input,
                    |transaction, (request, location)| {
                        Box::pin(decide_batch(transaction, request, *location))
                    },
                );
                Ok(outcome.await?)
            })
        };
        self.with_location(request.key, background, call).await
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
        if let Some(location) = self.key_locations.get(digest) {
            let outcome = call(location).await?;
            if !matches!(outcome, LookupOutcome::InvalidKey) {
                return Ok(outcome);
            }
            // The digest may have moved from this key to another one since the location was cached.
            self.key_locations.invalidate(digest);
        }
        match self.find(digest, background).await? {
            Some(location) => {
                self.key_locations.insert(digest, location);
                call(location).await
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
        location: KeyLocation,
        background: &TaskRuntime,
    ) -> Result<LookupOutcome, StoreError> {
        let (sender, receiver) = oneshot::channel();
        let waiting = QueuedLookup {
            request: Arc::clone(request),
            location,
            answer: sender,
        };
        if self.waiting.push(location.ledger, waiting) {
            let batches = Arc::clone(self);
            background.spawn(async move { batches.run_batches(location.ledger).await });
        }
        receiver
            .await
            .unwrap_or_else(|_| Err(StoreError::MaybeApplied("the call panicked".to_owned())))
    }

    /// Runs the batches of a ledger until its queue is empty.
    async fn run_batches(&self, ledger: LedgerId) {
        while let Some(group) = self.waiting.next_batch(ledger, MAX_BATCH) {
            let (requests, answers): (Vec<_>, Vec<_>) = group
                .into_iter()
                .map(|waiting| ((waiting.request, waiting.location), waiting.answer))
                .unzip();
            let arguments = BatchInput { ledger, requests };
            #[expect(
                clippy::disallowed_methods,
                reason = "durations are only reported: no rule depends on them"
            )]
            let start = Instant::now();
            let outcome = self
                .transactions
                .run_in(
                    Lane::Of(ledger.client),
                    TransactionMode::SelfManaged,
                    &arguments,
                    |transaction, group| Box::pin(decide(transaction, group)),
                )
                .await;
            self.commits.record(answers.len(), start.elapsed());
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
    for (request, location) in requests {
        let key = facts.find_key_by_digest(location.key, request.key);
        let caller = facts.caller(key.as_ref(), &request.context, request.idempotency);
        let address = facts.address(&request.context, request.address, request.address_digest());
        let step = answer_lookup(request, caller, address, transaction.now());
        outcomes.push(step.outcome);
        if let Some(write) = step.write {
            facts.meter = Some(write.meter);
            facts
                .idempotency_records
                .extend(write.idempotency_record.clone());
            writes.add(write, &request.context);
        }
    }
    writes.put(transaction, &facts).await?;
    Ok(outcomes)
}

/// Decides a batch lookup.
async fn decide_batch(
    transaction: &Transaction,
    request: &BatchLookupRequest,
    location: KeyLocation,
) -> Result<LookupOutcome<RecordedBatch>, Error> {
    let addresses = request.addresses.as_slice().iter();
    let addresses: Vec<_> = addresses
        .map(|address| (*address, request.address_digest(address)))
        .collect();
    let mut wanted_facts = WantedFacts::default();
    wanted_facts.add_caller(location.key, &request.context, request.idempotency);
    for (address, digest) in &addresses {
        wanted_facts.add_address(&request.context, *address, *digest);
    }
    let facts = read_all(transaction, location.ledger, &wanted_facts).await?;
    let key = facts.find_key_by_digest(location.key, request.key);
    let caller = facts.caller(key.as_ref(), &request.context, request.idempotency);
    let address_facts: Vec<_> = addresses
        .iter()
        .map(|(address, digest)| facts.address(&request.context, *address, *digest))
        .collect();
    let step = answer_batch(request, caller, &address_facts, transaction.now());
    let mut writes = BatchWrites::for_ledger(
        location.ledger,
        facts.idempotency_records.keys().copied().collect(),
    );
    for write in step.writes {
        writes.add(write, &request.context);
    }
    writes.put(transaction, &facts).await?;
    Ok(step.outcome)
}

/// Begins the transaction, locks the meter and reads the facts of queued lookups.
async fn read(
    transaction: &Transaction,
    ledger: LedgerId,
    requests: &[(Arc<LookupRequest>, KeyLocation)],
) -> Result<BatchInputs, Error> {
    let wanted_facts = || {
        let mut wanted_facts = WantedFacts::default();
        for (request, location) in requests {
            wanted_facts.add_caller(location.key, &request.context, request.idempotency);
            wanted_facts.add_address(&request.context, request.address, request.address_digest());
        }
        wanted_facts
    };
    let [(request, location)] = requests else {
        return read_all(transaction, ledger, &wanted_facts()).await;
    };
    let rows = begin_and_read(
        transaction,
        ledger,
        &facts::reads_of_one(ledger, request, *location),
    )
    .await?;
    if let Some(inputs) = BatchInputs::of_one(request, &rows)? {
        return Ok(inputs);
    }
    // The tombstone has changed between the reads. One statement reads it and the verdict from one snapshot.
    let meter = rows.first().and_then(|rows| rows.first());
    let (statement, values) = wanted_facts().read(ledger.client);
    BatchInputs::read(meter, &transaction.rows(statement, values).await?)
}

/// Begins the transaction, locks the meter and reads the wanted facts from one snapshot.
async fn read_all(
    transaction: &Transaction,
    ledger: LedgerId,
    wanted_facts: &WantedFacts<'_>,
) -> Result<BatchInputs, Error> {
    let reads = [facts::meter(ledger), wanted_facts.read(ledger.client)];
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
    let mut statements = Vec::with_capacity(reads.len());
    for (sql, values) in reads {
        statements.push((transaction.prepared(sql).await?, values));
    }
    let begin = async {
        transaction
            .batch_execute(session::BEGIN)
            .await
            .map(|()| Vec::new())
    };
    let reads = statements
        .iter()
        .map(|(statement, values)| Either::Right(transaction.query(statement, values)));
    let answers = join_in_order([Either::Left(begin)].into_iter().chain(reads)).await;
    answers.into_iter().skip(1).collect()
}

use super::*;
use crate::read_records::ReadRecords;
use crate::record::ClientCount;
use crate::table;
use pollster::block_on;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use voight_engine::EngineError;
use voight_engine::testing::{FailedBatch, FaultyEngine};
use voight_support::{FixedClock, NOW};

const LIMITS: QueueLimits = QueueLimits {
    queue_capacity: 64,
    max_group_size: 64,
};

fn start(engine: &FaultyEngine, limits: QueueLimits) -> Writer {
    Writer::start(
        Arc::new(engine.clone()),
        limits,
        writer_status(),
        Box::new(|_| {}),
    )
    .unwrap()
}

fn writer_status() -> WriterStatus {
    WriterStatus::new(Arc::new(FixedClock), FailStop::default())
}

/// Increments the counter and returns it.
fn count(transaction: &mut WriteTransaction<'_>) -> Result<u32, StoreError> {
    let next = transaction
        .fetch(&table::client_total())?
        .unwrap_or_default()
        .0
        + 1;
    transaction.put(table::client_total(), &ClientCount(next));
    Ok(next)
}

fn counted(engine: &FaultyEngine) -> u32 {
    engine
        .snapshot()
        .unwrap()
        .fetch(&table::client_total())
        .unwrap()
        .unwrap_or_default()
        .0
}

/// Blocks the writer inside a commit while `queue` queues more commands. Returns the result of `queue`.
fn while_committing<T>(engine: &FaultyEngine, writer: &Writer, queue: impl FnOnce() -> T) -> T {
    let gate = engine.gate().lock().unwrap();
    let applies = engine.applies();
    drop(writer.submit(count));
    while engine.applies() == applies {
        thread::yield_now();
    }
    let commands = queue();
    drop(gate);
    commands
}

fn io() -> EngineError {
    EngineError::Io("the disk is gone".into())
}

fn full() -> EngineError {
    EngineError::Full("no space".into())
}

#[test]
fn commands_share_the_next_commit() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let waiting: Vec<_> = while_committing(&engine, &writer, || {
        (0..40).map(|_| writer.submit(count)).collect()
    });
    let counts: Vec<_> = waiting
        .into_iter()
        .map(|answer| block_on(answer).unwrap())
        .collect();
    assert_eq!(counts, (2..=41).collect::<Vec<_>>());
    assert_eq!(engine.applies(), 2);
}

#[test]
fn group_does_not_exceed_its_limit() {
    let engine = FaultyEngine::default();
    let writer = start(
        &engine,
        QueueLimits {
            max_group_size: 10,
            ..LIMITS
        },
    );
    let waiting: Vec<_> = while_committing(&engine, &writer, || {
        (0..40).map(|_| writer.submit(count)).collect()
    });
    for answer in waiting {
        assert!(block_on(answer).is_ok());
    }
    assert_eq!(engine.applies(), 5);
}

#[test]
fn full_queue_rejects_at_once() {
    let engine = FaultyEngine::default();
    let writer = start(
        &engine,
        QueueLimits {
            queue_capacity: 2,
            ..LIMITS
        },
    );
    let [first, second, third] = while_committing(&engine, &writer, || {
        [count; 3].map(|work| writer.submit(work))
    });
    assert!(matches!(block_on(third), Err(StoreError::NotApplied(_))));
    assert_eq!(block_on(first), Ok(2));
    assert_eq!(block_on(second), Ok(3));
}

/// Tests tasks of one thread that are not polled after a wake: all others are woken nevertheless.
#[test]
fn wakeup_is_independent_of_other_tasks() {
    struct Woken(AtomicUsize);
    impl std::task::Wake for Woken {
        fn wake(self: Arc<Self>) {
            self.0.fetch_add(1, Ordering::SeqCst);
        }
    }
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let woken = Arc::new(Woken(AtomicUsize::new(0)));
    let waker = std::task::Waker::from(Arc::clone(&woken));
    let waiting = while_committing(&engine, &writer, || {
        let mut waiting = [count; 3].map(|work| writer.submit(work));
        for answer in &mut waiting {
            assert!(
                std::pin::Pin::new(answer)
                    .poll(&mut std::task::Context::from_waker(&waker))
                    .is_pending()
            );
        }
        waiting
    });
    while woken.0.load(Ordering::SeqCst) < 3 {
        thread::yield_now();
    }
    drop(waiting);
}

#[test]
fn failed_command_writes_nothing() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let [failing, panicking, good] = while_committing(&engine, &writer, || {
        let failing = writer.submit(|transaction| {
            count(transaction).and(Err::<u32, _>(StoreError::Conflict("no".into())))
        });
        let panicking = writer.submit(|transaction| -> Result<u32, StoreError> {
            panic!("after counting {:?}", count(transaction))
        });
        [failing, panicking, writer.submit(count)]
    });
    assert_eq!(block_on(failing), Err(StoreError::Conflict("no".into())));
    assert!(matches!(
        block_on(panicking),
        Err(StoreError::NotApplied(_))
    ));
    assert_eq!(block_on(good), Ok(2));
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn read_only_command_makes_no_commit() {
    let engine = FaultyEngine::default();
    assert_eq!(block_on(start(&engine, LIMITS).submit(|_| Ok(5))), Ok(5));
    assert_eq!(engine.applies(), 0);
}

#[test]
fn failed_commit_stops_the_writer() {
    for batch in [FailedBatch::Discarded, FailedBatch::Applied] {
        let engine = FaultyEngine::default();
        let writer = start(&engine, LIMITS);
        engine.fail_apply(io(), batch);
        assert!(matches!(
            block_on(writer.submit(count)),
            Err(StoreError::MaybeApplied(_))
        ));
        assert!(matches!(
            block_on(writer.submit(count)),
            Err(StoreError::Fatal(_))
        ));
        assert!(matches!(writer.health(), Health::Failed(why) if why.contains("the disk is gone")));
        assert_eq!(engine.applies(), 1, "a failed commit was tried again");
    }
}

#[test]
fn descriptor_shortage_stops_nothing() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let without = || EngineError::NotApplied("too many open files".into());
    engine.fail_apply(without(), FailedBatch::Discarded);
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::NotApplied(_))
    ));
    assert_eq!(writer.health(), Health::Ready);
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    // The engine is closed for lack of space, and cannot be reopened yet.
    engine.fail_apply(full(), FailedBatch::Discarded);
    engine.fail_recover(without());
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::MaybeApplied(_))
    ));
    engine.fail_recover(without());
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::NotApplied(_))
    ));
    assert_eq!(block_on(writer.submit(count)), Ok(2));
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn failed_group_fails_read_only_commands() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let read_count = |transaction: &mut WriteTransaction<'_>| {
        transaction
            .fetch(&table::client_total())
            .map(|count| count.unwrap_or_default().0)
    };
    // The commit before the group reports a lack of space but is applied; the group's own commit is lost.
    engine.fail_apply(full(), FailedBatch::Applied);
    engine.fail_apply(io(), FailedBatch::Discarded);
    let (write, read_outcome) = while_committing(&engine, &writer, || {
        (writer.submit(count), writer.submit(read_count))
    });
    assert!(matches!(block_on(write), Err(StoreError::MaybeApplied(_))));
    assert!(
        matches!(block_on(read_outcome), Err(StoreError::MaybeApplied(_))),
        "a count was read that is not kept"
    );
    assert_eq!(counted(&engine), 1);
}

#[test]
fn writes_fail_until_space_is_free() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    engine.fill_disk();
    engine.fail_apply(full(), FailedBatch::Discarded);
    engine.fail_apply(full(), FailedBatch::Discarded);
    for _ in 0..2 {
        assert_eq!(
            block_on(writer.submit(count)),
            Err(StoreError::Full("no space".into()))
        );
        assert_eq!(writer.health(), Health::OutOfSpace);
    }
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn batch_present_after_reopen_is_acknowledged() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    engine.fail_apply(full(), FailedBatch::Applied);
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    assert_eq!(counted(&engine), 1);
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn reopen_is_retried_before_next_write() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    engine.fail_apply(full(), FailedBatch::Applied);
    engine.fail_recover(full());
    engine.fail_recover(full());
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::MaybeApplied(_))
    ));
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::Full(_))
    ));
    assert_eq!(block_on(writer.submit(count)), Ok(2));
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn database_is_reopened_when_space_is_free() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    engine.fill_disk();
    engine.close();
    engine.fail_recover(full());
    assert_eq!(
        block_on(writer.submit(count)),
        Err(StoreError::Full("no space".into()))
    );
    assert_eq!(writer.health(), Health::OutOfSpace);
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    assert_eq!(writer.health(), Health::Ready);
}

#[test]
fn free_space_is_detected_without_writes() {
    for cannot_be_reopened in [false, true] {
        let engine = FaultyEngine::default();
        let writer = start(&engine, LIMITS);
        engine.fill_disk();
        engine.fail_apply(full(), FailedBatch::Discarded);
        if cannot_be_reopened {
            engine.fail_recover(full());
        }
        assert!(block_on(writer.submit(count)).is_err());
        thread::sleep(Duration::from_millis(1500));
        assert_eq!(writer.health(), Health::OutOfSpace, "there is no space yet");
        engine.free_disk();
        thread::sleep(Duration::from_millis(1500));
        assert_eq!(writer.health(), Health::Ready);
        assert_eq!(
            engine.applies(),
            1,
            "something was written to see whether it can be"
        );
    }
}

#[test]
fn failed_reopen_stops_the_writer() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    engine.fail_apply(full(), FailedBatch::Discarded);
    engine.fail_recover(io());
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::MaybeApplied(_))
    ));
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::Fatal(_))
    ));
}

#[test]
fn damage_discards_the_whole_group() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let [earlier, corrupting, later] = while_committing(&engine, &writer, || {
        let corrupting =
            |_: &mut WriteTransaction<'_>| Err(StoreError::Corrupt("table verdict".into()));
        [
            writer.submit(count),
            writer.submit(corrupting),
            writer.submit(count),
        ]
    });
    assert_eq!(
        block_on(corrupting),
        Err(StoreError::Corrupt("table verdict".into()))
    );
    assert!(matches!(block_on(earlier), Err(StoreError::Fatal(_))));
    assert!(matches!(block_on(later), Err(StoreError::Fatal(_))));
    assert_eq!(engine.applies(), 1);
    assert_eq!(counted(&engine), 1);
}

#[test]
fn dropped_future_cancels_nothing() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let count_command = while_committing(&engine, &writer, || {
        drop(writer.submit(count));
        writer.submit(count)
    });
    drop(writer);
    assert_eq!(block_on(count_command), Ok(3));
    assert_eq!(counted(&engine), 3);
}

#[test]
fn last_commit_time_is_recorded() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    assert_eq!(writer.committed_at(), None);
    engine.fail_apply(EngineError::Full("why".into()), FailedBatch::Discarded);
    assert!(block_on(writer.submit(count)).is_err());
    assert_eq!(writer.committed_at(), None);
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    assert_eq!(writer.committed_at(), Some(NOW));
}

#[test]
fn cache_is_invalidated_before_the_reply() {
    let invalidations = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&invalidations);
    let invalidate_cache = Box::new(move |_: &Batch| {
        counter.fetch_add(1, Ordering::SeqCst);
    });
    let engine = FaultyEngine::default();
    let writer = Writer::start(
        Arc::new(engine.clone()),
        LIMITS,
        writer_status(),
        invalidate_cache,
    )
    .unwrap();
    assert_eq!(block_on(writer.submit(count)), Ok(1));
    assert_eq!(invalidations.load(Ordering::SeqCst), 1);
    engine.fail_apply(io(), FailedBatch::Applied);
    assert!(block_on(writer.submit(count)).is_err());
    assert_eq!(invalidations.load(Ordering::SeqCst), 2);
}

#[test]
fn engine_panic_answers_all_callers() {
    let engine = FaultyEngine::default();
    let writer = start(
        &engine,
        QueueLimits {
            max_group_size: 1,
            ..LIMITS
        },
    );
    let waiting = while_committing(&engine, &writer, || {
        engine.panic_on_read();
        [count; 3].map(|work| writer.submit(work))
    });
    for answer in waiting {
        assert!(matches!(block_on(answer), Err(StoreError::MaybeApplied(_))));
    }
    assert!(matches!(
        block_on(writer.submit(count)),
        Err(StoreError::Fatal(_))
    ));
    assert!(matches!(writer.health(), Health::Failed(_)));
}

#[test]
fn commits_are_recorded_once_per_group() {
    let engine = FaultyEngine::default();
    let writer = start(&engine, LIMITS);
    let (waiting, queued_commands) = while_committing(&engine, &writer, || {
        let waiting: Vec<_> = (0..40).map(|_| writer.submit(count)).collect();
        (waiting, writer.queued_commands())
    });
    assert_eq!(queued_commands, 40);
    for answer in waiting {
        block_on(answer).unwrap();
    }
    assert_eq!(writer.queued_commands(), 0);
    let rejected = block_on(
        writer.submit(|_| -> Result<(), StoreError> { Err(StoreError::Conflict("no".into())) }),
    );
    assert!(rejected.is_err());
    let commits = writer.commits();
    assert_eq!(
        commits.group_sizes.count(),
        2,
        "a group without writes is no commit"
    );
    assert_eq!(commits.group_sizes.sum, 41);
    assert_eq!(commits.durations.count(), 2);
}

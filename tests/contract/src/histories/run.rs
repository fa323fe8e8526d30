//! Runs histories and compares store and model.

use super::arguments::{HistoryArgs, replay_command};
use super::operation::Operation;
use super::shrink::OperationSubset;
use super::state::HistoryState;
use crate::block_on::block_on_ok;
use crate::factory::{Capability, Model, StoreFactory};
use crate::fixture::{ALL, EVIDENCE_BUDGET, Fixture};
use crate::ledger::{assert_chained, assert_gapless};
use crate::state_dump::{difference, everything};
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use voight_domain::metering::LedgerId;
use voight_domain::ports::Store;
use voight_domain::vocabulary::Environment;

/// Number of operations between two comparisons of all readable data. The result of each operation is always compared.
const CHECKPOINT: u64 = 100;
/// Number of records to scrub after each operation, so that a history includes several passes.
const SCRUBBED: usize = 10;

/// Store under test, and the model to compare it with.
pub(crate) struct StoreUnderTest<'a> {
    pub(crate) factory: &'a Arc<dyn StoreFactory>,
    pub(crate) model: Model,
}

/// Variant of running histories.
pub(crate) struct HistoryPlan {
    pub(crate) name: &'static str,
    pub(crate) needs: Option<Capability>,
    handle: Handle,
}

/// Handle through which an operation is made.
#[derive(Clone, Copy)]
enum Handle {
    /// Always the same handle.
    One,
    /// Handle that is repeatedly dropped and reopened.
    Reopened,
    /// Two handles of one directory, alternately.
    InTurns,
}

/// All variants.
pub(crate) const HISTORIES: &[HistoryPlan] = &[
    HistoryPlan {
        name: "match_the_model",
        needs: None,
        handle: Handle::One,
    },
    HistoryPlan {
        name: "match_the_model_when_reopened",
        needs: Some(Capability::DurableAck),
        handle: Handle::Reopened,
    },
    HistoryPlan {
        name: "match_the_model_on_two_nodes",
        needs: Some(Capability::MultiNode),
        handle: Handle::InTurns,
    },
];

impl HistoryPlan {
    /// Runs the histories that the environment selects, by default `histories`.
    ///
    /// # Errors
    ///
    /// Describes the shortest failing history found, and the command that replays it.
    pub(crate) fn run(
        &self,
        subject: &StoreUnderTest,
        histories: u64,
        trial: &str,
    ) -> Result<(), String> {
        // The other handles need fewer histories; the large number is for the rules.
        let share = if matches!(self.handle, Handle::One) {
            1
        } else {
            10
        };
        let arguments = HistoryArgs::from_env(histories.div_ceil(share).max(20));
        for seed in arguments.seeds {
            if let Err(failure) = self.attempt(subject, seed, &arguments.subset) {
                return Err(self.explain(subject, seed, failure, trial));
            }
        }
        Ok(())
    }

    /// Shrinks a failing history and describes its failure.
    fn explain(
        &self,
        subject: &StoreUnderTest,
        seed: u64,
        first: HistoryFailure,
        trial: &str,
    ) -> String {
        let shortest = first
            .subset
            .clone()
            .shrunk(|subset| self.attempt(subject, seed, subset).is_err());
        // An intermittent fault may not recur now; the first failure is then more informative.
        let HistoryFailure {
            message,
            operations,
            subset,
        } = self
            .attempt(subject, seed, &shortest)
            .err()
            .unwrap_or(first);
        let operation_lines: Vec<_> = operations
            .iter()
            .map(|(number, operation)| format!("  {number}: {operation:?}"))
            .collect();
        let count = subset.count();
        let command = replay_command(seed, &subset, trial);
        format!(
            "{message}\n\nthe last of its {count} operations\n{}\n\nto replay it:\n  {command}",
            operation_lines.join("\n")
        )
    }

    /// Runs a subset of one history.
    fn attempt(
        &self,
        subject: &StoreUnderTest,
        seed: u64,
        subset: &OperationSubset,
    ) -> Result<(), HistoryFailure> {
        let mut operations = VecDeque::new();
        let run_subset = || self.run_one(subject, seed, subset, &mut operations);
        let message = match catch_unwind(AssertUnwindSafe(run_subset)) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(message)) => message,
            Err(panic) => message_of(panic.as_ref()).to_owned(),
        };
        let last = operations.back().map_or(0, |(number, _)| *number);
        Err(HistoryFailure {
            message,
            operations,
            subset: subset.up_to(last),
        })
    }

    fn run_one(
        &self,
        subject: &StoreUnderTest,
        seed: u64,
        subset: &OperationSubset,
        operations: &mut VecDeque<(u64, Operation)>,
    ) -> Result<(), String> {
        let mut fixture = Fixture::in_memory(Arc::clone(subject.factory));
        let second = matches!(self.handle, Handle::InTurns).then(|| fixture.another());
        let model = (subject.model)(fixture.shared_clock(), EVIDENCE_BUDGET);
        let mut state = HistoryState::new(seed);
        // Operations depend on the seed alone, so they are generated with a clock of their own that includes omitted
        // operations.
        let mut planned_time = fixture.now();
        for number in 1..=subset.last_number() {
            let operation = state.next(planned_time);
            if let Operation::SetClock(now) = operation {
                planned_time = now;
            }
            if !subset.contains(number) {
                continue;
            }
            remember(operations, number, &operation);
            if matches!(self.handle, Handle::Reopened) && number % 37 == seed % 37 {
                fixture.reopen();
            }
            if let Operation::SetClock(now) = operation {
                fixture.clock.set(now);
            }
            let store = second
                .as_deref()
                .filter(|_| number % 2 == 0)
                .unwrap_or_else(|| fixture.store());
            let expected_outcome = operation.apply(model.as_ref(), fixture.now());
            let outcome = operation.apply(store, fixture.now());
            if outcome != expected_outcome {
                return Err(format!(
                    "operation {number} returned\n  {outcome}\nexpected\n  {expected_outcome}"
                ));
            }
            assert_no_alarm(store);
            if number % CHECKPOINT == 0 || number == subset.last_number() {
                let state_after = everything(store, &state.names);
                let expected_state = everything(model.as_ref(), &state.names);
                if let Some(difference) = difference(&state_after, &expected_state) {
                    return Err(format!("after operation {number} {difference}"));
                }
                assert_sound(store);
            }
        }
        Ok(())
    }
}

/// Runs the history of one seed on a store of `factory` and on the model, and compares them.
///
/// The suite runs some histories; this function is for long runs with many.
///
/// # Errors
///
/// Describes the shortest failing history found.
pub fn run_history(
    factory: &Arc<dyn StoreFactory>,
    model: Model,
    seed: u64,
    operations: u64,
) -> Result<(), String> {
    let history = &HISTORIES[0];
    let subject = StoreUnderTest { factory, model };
    let trial = format!("histories::{}", history.name);
    let outcome = history.attempt(&subject, seed, &OperationSubset::with_count(operations));
    outcome.map_err(|failure| history.explain(&subject, seed, failure, &trial))
}

/// Failure of a history.
struct HistoryFailure {
    message: String,
    /// Last operations before the failure.
    operations: VecDeque<(u64, Operation)>,
    /// All operations up to the failure.
    subset: OperationSubset,
}

/// Keeps the last ten operations for the report.
fn remember(operations: &mut VecDeque<(u64, Operation)>, number: u64, operation: &Operation) {
    operations.push_back((number, operation.clone()));
    if operations.len() > 10 {
        operations.pop_front();
    }
}

/// Checks that every ledger has no gaps and an intact hash chain.
fn assert_sound(store: &dyn Store) {
    for client in block_on_ok(store.clients(None, ALL)) {
        for environment in [Environment::Live, Environment::Sandbox] {
            let ledger = LedgerId {
                client: client.id,
                environment,
            };
            let rows = block_on_ok(store.rows(ledger, 0, ALL));
            assert_gapless(&rows);
            if let Some(meter) = block_on_ok(store.meter(ledger)) {
                assert_chained(&meter, &rows, ledger);
            }
        }
    }
}

/// Checks that a store that scrubs its records between the operations finds no damage.
fn assert_no_alarm(store: &dyn Store) {
    let outcome = store.scrub(SCRUBBED);
    let progress = outcome.unwrap_or_else(|error| panic!("the store cannot be scrubbed: {error}"));
    assert_eq!(progress.unwrap_or_default().damage, Vec::<String>::new());
}

/// Returns the message of a panic.
pub fn message_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("a panic without a message")
}

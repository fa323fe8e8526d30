//! Runs histories and compares.

use super::arguments::{Arguments, replay_command};
use super::operation::Operation;
use super::world::World;
use crate::block_on::done;
use crate::factory::{Capability, Factory};
use crate::fixture::{ALL, EVIDENCE_BUDGET, Fixture};
use crate::ledger::{assert_chained, assert_gapless, assert_openings};
use crate::seen::{assert_same, everything};
use crate::suite::Model;
use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use voight_domain::ports::Store;
use voight_domain::vocabulary::Environment;

/// After how many operations everything that can be read is compared, beside the outcome of each.
const CHECKPOINT: u64 = 20;

/// One way in which histories are run.
pub(crate) struct History {
    pub(crate) name: &'static str,
    pub(crate) needs: Option<Capability>,
    handle: Handle,
}

/// Through which handle an operation goes.
#[derive(Clone, Copy)]
enum Handle {
    /// Always the same.
    One,
    /// One that is dropped and opened again all along.
    Reopened,
    /// Two of the same directory in turns.
    InTurns,
}

/// Every way.
pub(crate) const HISTORIES: &[History] = &[
    History { name: "match_the_model", needs: None, handle: Handle::One },
    History { name: "match_the_model_when_reopened", needs: Some(Capability::DurableAck), handle: Handle::Reopened },
    History { name: "match_the_model_on_two_nodes", needs: Some(Capability::MultiNode), handle: Handle::InTurns },
];

impl History {
    /// Runs the histories that the environment asks for; the error names the command that replays the one that failed.
    pub(crate) fn run(&self, factory: &Arc<dyn Factory>, model: Model, trial: &str) -> Result<(), String> {
        let arguments = Arguments::from_env();
        for seed in arguments.seeds {
            let mut recent = VecDeque::new();
            let run = || run_one(factory, model, self.handle, seed, arguments.operations, &mut recent);
            if let Err(panic) = catch_unwind(AssertUnwindSafe(run)) {
                let command = replay_command(seed, arguments.operations, trial);
                let recent: Vec<_> = recent.iter().map(|operation| format!("  {operation:?}")).collect();
                let (what, recent) = (text_of(panic.as_ref()), recent.join("\n"));
                return Err(format!("{what}\n\nthe last operations were\n{recent}\n\nto replay it:\n  {command}"));
            }
        }
        Ok(())
    }
}

fn run_one(
    factory: &Arc<dyn Factory>,
    model: Model,
    handle: Handle,
    seed: u64,
    operations: u64,
    recent: &mut VecDeque<Operation>,
) {
    let mut fixture = Fixture::open(Arc::clone(factory));
    let second = matches!(handle, Handle::InTurns).then(|| fixture.another());
    let model = model(fixture.shared_clock(), EVIDENCE_BUDGET);
    let mut world = World::new(seed);
    for step in 1..=operations {
        if matches!(handle, Handle::Reopened) && step % 37 == seed % 37 {
            fixture.reopen();
        }
        let operation = world.next(fixture.now());
        remember(recent, &operation);
        if let Operation::SetClock(now) = operation {
            fixture.clock.set(now);
        }
        let store = second.as_deref().filter(|_| step % 2 == 0).unwrap_or_else(|| fixture.store());
        let expected = operation.apply(model.as_ref(), fixture.now());
        assert_eq!(operation.apply(store, fixture.now()), expected, "operation {step} (left: store, right: model)");
        if step % CHECKPOINT == 0 || step == operations {
            let when = format!("after operation {step} (left: store, right: model)");
            assert_same(&everything(store, &world.names), &everything(model.as_ref(), &world.names), &when);
            assert_sound(store);
        }
    }
}

/// Keeps the last operations for the report.
fn remember(recent: &mut VecDeque<Operation>, operation: &Operation) {
    recent.push_back(operation.clone());
    if recent.len() > 5 {
        recent.pop_front();
    }
}

/// Every ledger is gapless and chained.
fn assert_sound(store: &dyn Store) {
    for client in done(store.clients(None, ALL)) {
        for environment in [Environment::Live, Environment::Sandbox] {
            let rows = done(store.rows(client.id, environment, 0, ALL));
            assert_gapless(&rows);
            assert_openings(&rows);
            if let Some(meter) = done(store.meter(client.id, environment)) {
                assert_chained(&meter, &rows, client.id, environment);
            }
        }
    }
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic without a message")
}

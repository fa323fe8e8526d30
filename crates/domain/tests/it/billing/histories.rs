//! Random histories of a client, with assertions on each.

use super::world::BillingSimulation;
use std::env;

/// Number of histories of each test.
const HISTORIES: u64 = 10_000;
/// Maximum number of steps of a history.
const STEPS: u32 = 25;

/// Calls `check` after every step of every history.
pub(crate) fn after_each_step(check: impl Fn(&BillingSimulation)) {
    each(|world| {
        check(world);
        while world.steps < STEPS {
            world.step();
            check(world);
        }
        world.settle();
        check(world);
    });
}

/// Calls `check` at the end of every history, after all periods are invoiced.
pub(crate) fn at_the_end(check: impl Fn(&BillingSimulation)) {
    each(|world| {
        while world.steps < STEPS {
            world.step();
        }
        world.settle();
        check(world);
    });
}

/// Runs each history, which follows from its number. With `VOIGHT_SEED` only the history with that number is run.
fn each(run: impl Fn(&mut BillingSimulation)) {
    let only: Option<u64> = env::var("VOIGHT_SEED")
        .ok()
        .map(|seed| seed.parse().unwrap());
    for seed in only.map_or(0..HISTORIES, |seed| seed..seed + 1) {
        let _named = SeedOnPanic(seed);
        run(&mut BillingSimulation::new(seed));
    }
}

/// Prints the number of the history in which a test panics.
struct SeedOnPanic(u64);

impl Drop for SeedOnPanic {
    #[expect(
        clippy::print_stdout,
        reason = "a failed test says in which history it failed"
    )]
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("in the history of VOIGHT_SEED={}", self.0);
        }
    }
}

//! Random histories of a client, and checks of each.

use super::world::BillingSimulation;
use std::env;

/// The histories of each test.
const HISTORIES: u64 = 10_000;
/// The most steps of a history.
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

/// Calls `check` at the end of every history, when all that can be invoiced is.
pub(crate) fn at_the_end(check: impl Fn(&BillingSimulation)) {
    each(|world| {
        while world.steps < STEPS {
            world.step();
        }
        world.settle();
        check(world);
    });
}

/// Each history follows from its number. With `VOIGHT_SEED` there is only the one of that number.
fn each(run: impl Fn(&mut BillingSimulation)) {
    let only: Option<u64> = env::var("VOIGHT_SEED").ok().map(|seed| seed.parse().unwrap());
    for seed in only.map_or(0..HISTORIES, |seed| seed..seed + 1) {
        let _named = SeedOnPanic(seed);
        run(&mut BillingSimulation::new(seed));
    }
}

/// Names the history in which a test fails.
struct SeedOnPanic(u64);

impl Drop for SeedOnPanic {
    #[expect(clippy::print_stdout, reason = "a failed test says in which history it failed")]
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("in the history of VOIGHT_SEED={}", self.0);
        }
    }
}

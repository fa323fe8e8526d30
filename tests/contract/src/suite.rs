//! Test suite as a program with the interface of a test binary.

use crate::cases::{self, Case};
use crate::factory::{Capability, Model, StoreFactory};
use crate::fixture::Fixture;
use crate::histories::{HISTORIES, HistoryPlan, StoreUnderTest};
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::sync::Arc;

/// Contract suite for one kind of store.
pub struct Suite {
    factory: Arc<dyn StoreFactory>,
    model: Option<Model>,
    histories: u64,
}

impl Suite {
    /// Creates the suite for the stores of `factory`.
    pub fn new(factory: impl StoreFactory) -> Self {
        Self {
            factory: Arc::new(factory),
            model: None,
            histories: 40,
        }
    }

    /// Adds random histories that compare the stores with this model.
    #[must_use]
    pub fn against(self, model: Model) -> Self {
        Self {
            model: Some(model),
            ..self
        }
    }

    /// Sets the number of histories, 40 by default; environment variables have precedence. Stores in memory run
    /// thousands in the time that a store on a disk needs for a hundred.
    #[must_use]
    pub fn histories(self, histories: u64) -> Self {
        Self { histories, ..self }
    }

    /// Runs the tests that the command line selects, like `cargo test` and `cargo nextest`.
    pub fn run(self) -> ExitCode {
        let cases = cases::all().map(|(port, case)| self.case(port, case));
        let histories = HISTORIES.iter().map(|history| self.history(history));
        let trials = cases.chain(histories).collect();
        libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
    }

    fn case(&self, port: &str, case: &'static Case) -> Trial {
        let name = format!("{port}::{}", case.name);
        let factory = Arc::clone(&self.factory);
        match self.missing(case.needs) {
            Some(capability) => skipped(name, capability.as_str()),
            None => Trial::test(name, move || {
                (case.run)(&mut Fixture::open(factory));
                Ok(())
            }),
        }
    }

    fn history(&self, history: &'static HistoryPlan) -> Trial {
        let name = format!("histories::{}", history.name);
        let factory = Arc::clone(&self.factory);
        match (self.missing(history.needs), self.model) {
            (Some(capability), _) => skipped(name, capability.as_str()),
            (None, None) => skipped(name, "a model"),
            (None, Some(model)) => {
                let trial = name.clone();
                let histories = self.histories;
                Trial::test(name, move || {
                    let subject = StoreUnderTest {
                        factory: &factory,
                        model,
                    };
                    history.run(&subject, histories, &trial).map_err(Into::into)
                })
            }
        }
    }

    /// Returns the capability if the store needs and does not declare it.
    fn missing(&self, needs: Option<Capability>) -> Option<Capability> {
        needs.filter(|capability| !self.factory.capabilities().contains(capability))
    }
}

/// Returns an ignored test with the missing capability in front of its name. If it is run nevertheless, it fails and
/// names the capability.
fn skipped(name: String, missing: &str) -> Trial {
    let reason = format!("needs {missing}");
    let failure = format!("this case {reason}, which the factory does not declare");
    Trial::test(name, move || Err(failure.into()))
        .with_kind(reason)
        .with_ignored_flag(true)
}

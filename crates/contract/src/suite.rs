//! The suite as a program that behaves like a test binary.

use crate::cases::{self, Case};
use crate::factory::{Capability, StoreFactory};
use crate::fixture::Fixture;
use crate::histories::{HISTORIES, HistoryPlan, StoreUnderTest};
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::sync::Arc;
use voight_domain::ports::{Clock, Store};

/// Makes an empty store of the reference model with this clock and this budget of bytes for evidence.
pub type Model = fn(Arc<dyn Clock>, u64) -> Arc<dyn Store>;

/// The contract suite for one kind of store.
pub struct Suite {
    factory: Arc<dyn StoreFactory>,
    model: Option<Model>,
    histories: u64,
}

impl Suite {
    /// The suite for the stores that `factory` opens.
    pub fn new(factory: impl StoreFactory) -> Self {
        Self { factory: Arc::new(factory), model: None, histories: 40 }
    }

    /// Compares the stores with this model on random histories, too.
    #[must_use]
    pub fn against(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// Runs so many histories in place of 40, unless the environment asks for another number. Stores in memory can do
    /// thousands in the time in which one on a disk does a hundred.
    #[must_use]
    pub fn histories(self, histories: u64) -> Self {
        Self { histories, ..self }
    }

    /// Runs what the command line asks for, as `cargo test` and `cargo nextest` do.
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
                let (trial, histories) = (name.clone(), self.histories);
                Trial::test(name, move || {
                    let subject = StoreUnderTest { factory: &factory, model };
                    history.run(&subject, histories, &trial).map_err(Into::into)
                })
            }
        }
    }

    /// The first of these capabilities that the store does not declare.
    fn missing(&self, needs: Option<Capability>) -> Option<Capability> {
        needs.filter(|capability| !self.factory.capabilities().contains(capability))
    }
}

/// A case that is listed with what is missing in front of its name, and not run. If it is run all the same, it fails and
/// says why it cannot pass.
fn skipped(name: String, missing: &str) -> Trial {
    let reason = format!("needs {missing}");
    let failure = format!("this case {reason}, which this store's test does not declare");
    Trial::test(name, move || Err(failure.into())).with_kind(reason).with_ignored_flag(true)
}

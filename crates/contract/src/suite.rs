//! The suite as a program that behaves like a test binary.

use crate::cases::{self, Case};
use crate::factory::{Capability, Factory};
use crate::fixture::Fixture;
use libtest_mimic::{Arguments, Trial};
use std::process::ExitCode;
use std::sync::Arc;
use voight_domain::ports::{Clock, Store};

/// Makes an empty store of the reference model with this clock and this budget of bytes for evidence.
pub type Model = fn(Arc<dyn Clock>, u64) -> Arc<dyn Store>;

/// The contract suite for one kind of store.
pub struct Suite {
    factory: Arc<dyn Factory>,
    model: Option<Model>,
}

impl Suite {
    /// The suite for the stores that `factory` opens.
    pub fn of(factory: impl Factory) -> Self {
        Self { factory: Arc::new(factory), model: None }
    }

    /// Compares the stores with this model on random histories, too.
    #[must_use]
    pub fn against(self, model: Model) -> Self {
        Self { model: Some(model), ..self }
    }

    /// Runs what the command line asks for, as `cargo test` and `cargo nextest` do.
    pub fn run(self) -> ExitCode {
        let trials = cases::all().map(|(port, case)| self.trial(port, case)).collect();
        libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
    }

    fn trial(&self, port: &str, case: &'static Case) -> Trial {
        let name = format!("{port}::{}", case.name);
        let factory = Arc::clone(&self.factory);
        match self.missing(case.needs) {
            None => Trial::test(name, move || {
                (case.run)(&mut Fixture::open(factory));
                Ok(())
            }),
            Some(capability) => skipped(name, &format!("needs {}", capability.as_str())),
        }
    }

    fn missing(&self, needs: &[Capability]) -> Option<Capability> {
        needs.iter().copied().find(|capability| !self.factory.capabilities().contains(capability))
    }
}

/// A case that is listed, with its reason in front, and not run; who runs it all the same is told why it cannot.
fn skipped(name: String, reason: &str) -> Trial {
    let failure = format!("this case {reason}, which the store does not declare");
    Trial::test(name, move || Err(failure.into())).with_kind(reason).with_ignored_flag(true)
}

//! Parts of a test run with their time budgets.

use std::fmt;
use std::time::Duration;

use clap::ValueEnum;

/// Part of `cargo xtask test`, in the order of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum TestStage {
    /// Check the tools of this machine, and install the missing ones
    Setup,
    /// Formatting, clippy, dependencies, types of the browser assets
    Lint,
    /// Build the binary and every test once
    Build,
    /// Tests of no other part, and the examples in the documentation
    Unit,
    /// Storage contract suite, for each adapter that has one
    Contract,
    /// Killed processes, failing disks, power loss, attacks without a key
    Faults,
    /// Tests in a real browser, and generated requests
    Browser,
    /// Examples for integrators
    Examples,
    /// Tests with more than one machine
    Cluster,
    /// Packages of a release, in containers and booted systems; full tier only
    Packages,
}

impl TestStage {
    /// Parts that run tests.
    pub(crate) const TESTS: [Self; 7] = [
        Self::Unit,
        Self::Contract,
        Self::Faults,
        Self::Browser,
        Self::Examples,
        Self::Cluster,
        Self::Packages,
    ];

    /// Returns the time budget that contains the part.
    pub(crate) fn budget(self) -> TimeBudget {
        match self {
            Self::Setup | Self::Lint | Self::Build => TimeBudget::Prepare,
            Self::Unit | Self::Contract => TimeBudget::Quick,
            Self::Faults => TimeBudget::Faults,
            Self::Browser => TimeBudget::Browser,
            Self::Examples => TimeBudget::Examples,
            Self::Cluster => TimeBudget::Cluster,
            Self::Packages => TimeBudget::Packages,
        }
    }

    /// Returns `true` if the part runs tests, and therefore needs the build.
    pub(crate) fn runs_tests(self) -> bool {
        Self::TESTS.contains(&self)
    }
}

impl fmt::Display for TestStage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Setup => "setup",
            Self::Lint => "lint",
            Self::Build => "build",
            Self::Unit => "unit",
            Self::Contract => "contract",
            Self::Faults => "faults",
            Self::Browser => "browser",
            Self::Examples => "examples",
            Self::Cluster => "cluster",
            Self::Packages => "packages",
        })
    }
}

/// Time budget of one or several parts, on two cores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TimeBudget {
    /// Set-up, checks and build, from scratch.
    Prepare,
    /// Tests without a browser and without fault injection.
    Quick,
    Faults,
    Browser,
    Examples,
    Cluster,
    /// Nothing in the default tier.
    Packages,
}

impl TimeBudget {
    /// All budgets, in the order of the run.
    pub(crate) const ALL: [Self; 7] = [
        Self::Prepare,
        Self::Quick,
        Self::Faults,
        Self::Browser,
        Self::Examples,
        Self::Cluster,
        Self::Packages,
    ];

    #[expect(clippy::match_same_arms, reason = "a table, one line for each budget")]
    pub(crate) fn duration(self) -> Duration {
        let minutes = match self {
            Self::Prepare => 14,
            Self::Quick => 8,
            Self::Faults => 4,
            Self::Browser => 8,
            Self::Examples => 3,
            Self::Cluster => 3,
            Self::Packages => 1,
        };
        Duration::from_secs(60 * minutes)
    }
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::{TestStage, TimeBudget};

    #[test]
    fn part_name_is_its_argument() {
        for part in TestStage::value_variants() {
            let value = part.to_possible_value().unwrap();
            assert_eq!(value.get_name(), part.to_string());
        }
    }

    #[test]
    fn parts_are_in_the_order_of_their_budgets() {
        let mut budgets: Vec<_> = TestStage::value_variants()
            .iter()
            .map(|part| part.budget())
            .collect();
        budgets.dedup();
        assert_eq!(budgets, TimeBudget::ALL);
    }

    #[test]
    fn every_part_but_the_preparation_runs_tests() {
        for part in TestStage::value_variants() {
            assert_eq!(
                part.runs_tests(),
                part.budget() != TimeBudget::Prepare,
                "{part}"
            );
        }
    }
}

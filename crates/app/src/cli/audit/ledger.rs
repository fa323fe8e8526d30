//! A ledger that is asked for.

use crate::admin_client::Path;
use clap::Args;
use voight_domain::vocabulary::Environment;

/// A ledger of a client.
#[derive(Debug, Args)]
pub(super) struct LedgerArgs {
    /// The client, by name or id
    #[arg(long, value_name = "CLIENT")]
    pub(super) client: String,
    /// Which of its ledgers: live, or test for the sandbox's
    #[arg(long, value_name = "live|test", default_value = "live")]
    pub(super) environment: EnvironmentArg,
}

/// An environment by its word.
#[derive(Debug, Clone, Copy)]
pub(super) struct EnvironmentArg(pub(super) Environment);

impl std::str::FromStr for EnvironmentArg {
    type Err = <Environment as std::str::FromStr>::Err;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        word.parse().map(Self)
    }
}

impl std::fmt::Display for EnvironmentArg {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.0.label())
    }
}

/// The path of an export.
pub(super) fn path(client: &str, environment: Environment, openings: bool) -> Path {
    Path::from_segments(["audit", "export"])
        .with_query("client", Some(client))
        .with_query("environment", Some(environment.label()))
        .with_query("openings", openings.then_some("true"))
}

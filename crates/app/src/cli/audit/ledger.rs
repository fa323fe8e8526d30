//! Arguments that select a ledger.

use clap::Args;
use voight_api::admin::routes;
use voight_api::route::{Call, EmptyBody, LedgerExport};
use voight_domain::services::Openings;
use voight_domain::vocabulary::Environment;

/// Ledger of one client in one environment.
#[derive(Debug, Args)]
pub(super) struct LedgerArgs {
    /// Client name or id
    #[arg(long, value_name = "CLIENT")]
    pub(super) client: String,
    /// Environment of the ledger: live, or test for the sandbox
    #[arg(long, value_name = "live|test", default_value = "live")]
    pub(super) environment: EnvironmentArg,
}

/// Environment, parsed from its name.
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

/// Returns the request of a ledger export.
pub(super) fn export_call(
    client: &str,
    environment: Environment,
    openings: Openings,
) -> Call<EmptyBody, LedgerExport> {
    routes::EXPORT_LEDGER
        .call([])
        .with_query("client", Some(client))
        .with_query("environment", Some(environment.label()))
        .with_query(
            "openings",
            (openings == Openings::Included).then_some("true"),
        )
}

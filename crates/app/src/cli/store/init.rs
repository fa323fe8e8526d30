//! `voight store init`.

use super::backup_rule;
use crate::cli::invocation::Invocation;
use crate::data_dir::DataDir;
use crate::exit::{CommandError, Exit};
use crate::installation::{Installation, store_url};
use crate::output::Table;
use crate::wiring::{DistributedTable, StoreUrl, distribute_tables, has_store, migrate_tables};
use clap::Args;
use serde::Serialize;
use std::path::PathBuf;

/// Advice that follows the name of a store in files.
const NAMED_BY_FLAG: &str =
    "to create an empty store there, name it with --store in place of this argument";

/// Arguments of `voight store init`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Init {
    /// Empty database in which only the tables are created [default: the configured store, with its data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
    /// Distribute the tables over the machines of a cluster with the Citus extension
    #[arg(long)]
    distributed: bool,
}

/// The result of creating an installation.
#[derive(Debug, Serialize)]
struct Installed {
    store: String,
    data_dir: String,
    /// `false` if the store existed.
    created: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spread: Vec<DistributedTable>,
    #[serde(skip)]
    pepper: PathBuf,
}

#[derive(Debug, Serialize)]
struct InitReport {
    store: String,
    /// Distributed tables; empty if distribution was not requested.
    spread: Vec<DistributedTable>,
}

impl Init {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        match self.url {
            Some(store) => {
                let distributed_tables = if self.distributed {
                    distribute_tables(&store, NAMED_BY_FLAG)?
                } else {
                    migrate_tables(&store, NAMED_BY_FLAG)?;
                    Vec::new()
                };
                invocation.output.data(
                    &InitReport {
                        store: store.to_string(),
                        spread: distributed_tables,
                    },
                    text,
                )
            }
            None => installation(invocation, self.distributed),
        }
    }
}

/// Creates the configured store with its data directory and secrets.
fn installation(invocation: &Invocation, distributed: bool) -> Result<(), CommandError> {
    let config = invocation.load(Vec::new())?.config;
    let store = store_url(&config, &DataDir::inspect(&config.store.data_dir)?)?;
    if store == StoreUrl::Memory {
        let sentence = "the store memory: ends with its process, so none can be created beforehand: start `voight --store memory: serve`";
        return Err(CommandError::new(Exit::Usage, sentence));
    }
    let distributed_tables = if distributed {
        distribute_tables(&store, NAMED_BY_FLAG)?
    } else {
        Vec::new()
    };
    let is_new = !has_store(&store)?;
    let installation = Installation::open(&config)?;
    let report = Installed {
        store: installation.store.to_string(),
        data_dir: installation.data_dir.path().display().to_string(),
        created: is_new,
        spread: distributed_tables,
        pepper: installation.data_dir.pepper_path(),
    };
    invocation.output.data(&report, created_text)?;
    if is_new {
        invocation.output.note(backup_rule(&report.pepper));
        invocation.output.note("Next: voight client create NAME");
    }
    Ok(())
}

fn created_text(report: &Installed) -> String {
    if report.created {
        format!("created {}", report.store)
    } else {
        format!("{} exists; nothing was changed", report.store)
    }
}

fn text(report: &InitReport) -> String {
    let ready = format!(
        "{} has its tables; a server or `voight store copy` puts a store there.",
        report.store
    );
    if report.spread.is_empty() {
        return ready;
    }
    let mut table = Table::new(["TABLE", "SPREAD"]);
    for DistributedTable { table: name, how } in &report.spread {
        table.row([name, how]);
    }
    format!("{table}\n{ready}")
}

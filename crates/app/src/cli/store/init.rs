//! `voight store init`.

use super::place;
use crate::cli::invocation::Invocation;
use crate::exit::Failure;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::system::SystemClock;
use crate::wiring::{Spread, distribute, migrate, refused_by_database, with_password};
use clap::Args;
use serde::Serialize;
use std::sync::Arc;

const WHEN_OPENED: &str = "it is made when a server or a command first opens it; there is nothing else to do";

/// Make the tables of a store in an empty database. `serve` does so, too; this is for what has to be done to them before there
/// is anything in them.
#[derive(Debug, Args)]
pub(in crate::cli) struct Init {
    /// An empty database [default: the configured one]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
    /// Spread them over the machines of a cluster, by the extension Citus
    #[arg(long)]
    distributed: bool,
}

#[derive(Debug, Serialize)]
struct Done {
    store: String,
    /// The tables that are spread; none if that was not asked for.
    spread: Vec<Line>,
}

#[derive(Debug, Serialize)]
struct Line {
    table: &'static str,
    how: &'static str,
}

impl Init {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let store = place::store(invocation, self.url)?;
        let url = with_password(place::database(&store, WHEN_OPENED)?);
        let clock = Arc::new(SystemClock);
        let spread =
            if self.distributed { distribute(&url, clock) } else { migrate(&url, false, clock).map(|_| Vec::new()) };
        let spread = spread.map_err(|error| refused_by_database(&error))?;
        let spread = spread.into_iter().map(|(table, spread)| Line { table, how: how(spread) }).collect();
        invocation.output.data(&Done { store: store.to_string(), spread }, text)
    }
}

const fn how(spread: Spread) -> &'static str {
    match spread {
        Spread::ByClient => "by client",
        Spread::ByCheck => "by check",
        Spread::Copied => "copied",
    }
}

fn text(done: &Done) -> String {
    let ready = format!("{} has its tables; a server or `voight store copy` puts a store there.", done.store);
    if done.spread.is_empty() {
        return ready;
    }
    let mut table = Table::new(["TABLE", "SPREAD"]);
    for Line { table: name, how } in &done.spread {
        table.row([name, how]);
    }
    format!("{table}\n{ready}")
}

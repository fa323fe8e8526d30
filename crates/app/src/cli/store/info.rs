//! `voight store info`.

use super::{tables, target};
use crate::cli::invocation::Invocation;
use crate::exit::CommandError;
use crate::local_store;
use crate::output::Table;
use crate::wiring::{StoreDescription, StoreUrl, describe};
use clap::Args;
use serde::Serialize;
use voight_api::admin::routes::SHOW_STORE;
use voight_api::admin::{self, TableLine};
use voight_domain::ports::Health;

/// Arguments of `voight store info`.
#[derive(Debug, Args)]
pub(in crate::cli) struct Info {
    /// Store without a running server [default: the store of the running server, or of the data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
}

/// Information about a store, online or offline.
#[derive(Debug, Serialize)]
struct StoreInfoView {
    store: String,
    engine: String,
    identity: String,
    format: u32,
    created_at: String,
    /// Health as reported by the server; `None` offline.
    health: Option<String>,
    main_bytes: u64,
    evidence_bytes: u64,
    /// Free space on the file system of the store, in bytes.
    free_bytes: Option<u64>,
    /// Time of the server's last durable commit.
    last_commit_at: Option<String>,
    /// Time of the last modification of the files, from the file system.
    files_written_at: Option<String>,
    last_scrub: Option<LastScrub>,
    /// Number of records. A server does not count them: online this is the number of the last scrub, if any.
    rows: Option<u64>,
    tables: Vec<TableLine>,
}

/// Last complete scrub.
#[derive(Debug, Serialize)]
struct LastScrub {
    finished_at: String,
    damaged: u64,
}

impl StoreInfoView {
    /// Creates the view of a store in use; the records are those of the last scrub.
    fn new(
        store: String,
        admin::Store {
            info,
            disk,
            last_commit_at,
            last_scrub,
        }: admin::Store,
    ) -> Self {
        let scrub = last_scrub.as_ref();
        Self {
            store,
            engine: info.engine,
            identity: info.identity,
            format: info.format,
            created_at: info.created_at,
            health: Some(info.health),
            main_bytes: disk.as_ref().map_or(0, |disk| disk.main_bytes),
            evidence_bytes: disk.as_ref().map_or(0, |disk| disk.evidence_bytes),
            free_bytes: disk.map(|disk| disk.free_bytes),
            last_commit_at,
            files_written_at: None,
            last_scrub: scrub.map(|scrub| LastScrub {
                finished_at: scrub.finished_at.clone(),
                damaged: scrub.damaged,
            }),
            rows: scrub.map(|scrub| scrub.rows),
            tables: last_scrub.map(|scrub| scrub.tables).unwrap_or_default(),
        }
    }

    /// Reads the view of a store that no server uses from its files.
    fn offline(invocation: &Invocation, url: &StoreUrl) -> Result<Self, CommandError> {
        let description =
            describe(url).map_err(|failure| target::explain(invocation, url, failure))?;
        let StoreDescription {
            info,
            status,
            tables,
            files_written_at,
        } = description;
        let info = admin::StoreInfo::from_info(info, &Health::Ready);
        Ok(Self {
            health: None,
            files_written_at: files_written_at.map(|at| at.to_string()),
            rows: Some(tables.iter().map(|table| table.rows).sum()),
            tables,
            ..Self::new(url.to_string(), admin::Store::from_info(info, status))
        })
    }
}

impl Info {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        let server = if self.url.is_none() {
            invocation.server()?
        } else {
            None
        };
        let view = match server {
            Some(server) => {
                StoreInfoView::new(name(invocation)?, server.call(&SHOW_STORE.call([]))?)
            }
            None => StoreInfoView::offline(invocation, &target::resolve(invocation, self.url)?)?,
        };
        invocation.output.data(&view, text)
    }
}

/// Returns the URL of the store of a server: of `--server`, or of the local configuration.
fn name(invocation: &Invocation) -> Result<String, CommandError> {
    match &invocation.globals.server {
        Some(url) => Ok(format!("of the server at {url}")),
        None => local_store::url(&invocation.load(Vec::new())?.config),
    }
}

fn text(view: &StoreInfoView) -> String {
    let mut table = Table::default();
    let mut line = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            table.row([name, &value]);
        }
    };
    line("store", Some(view.store.clone()));
    line("engine", Some(view.engine.clone()));
    line("identity", Some(view.identity.clone()));
    line("format", Some(view.format.to_string()));
    line("created", Some(view.created_at.clone()));
    line("health", view.health.clone());
    line("rows", Some(rows(view)));
    line("bytes on disk", Some(view.main_bytes.to_string()));
    line("of evidence", Some(view.evidence_bytes.to_string()));
    line("bytes free", view.free_bytes.map(|bytes| bytes.to_string()));
    line("last commit", view.last_commit_at.clone());
    line("files written", view.files_written_at.clone());
    line(
        "last scrub",
        Some(
            view.last_scrub
                .as_ref()
                .map_or_else(|| "none yet".to_owned(), scrubbed),
        ),
    );
    format!("{table}\n{}", tables(&view.tables))
}

/// Formats the number of records, and the time since which it may have grown.
fn rows(view: &StoreInfoView) -> String {
    match (view.rows, &view.last_scrub) {
        (Some(rows), Some(scrub)) if view.health.is_some() => {
            format!("{rows} at {}", scrub.finished_at)
        }
        (Some(rows), _) => rows.to_string(),
        (None, _) => "counted after the first scrub pass".to_owned(),
    }
}

fn scrubbed(scrub: &LastScrub) -> String {
    match scrub.damaged {
        0 => format!("{}: no damage", scrub.finished_at),
        damaged => format!(
            "{}: {damaged} corrupt records; run `voight store verify`",
            scrub.finished_at
        ),
    }
}

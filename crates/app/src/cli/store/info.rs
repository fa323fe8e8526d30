//! `voight store info`.

use super::place;
use super::verify::{TableLine, tables};
use crate::cli::invocation::Invocation;
use crate::exit::Failure;
use crate::output::Table;
use crate::store_url::StoreUrl;
use crate::wiring::{FileWork, refused};
use clap::Args;
use serde::Serialize;
use std::path::Path;
use voight_store::{Existing, OnDisk, StorePaths, count_rows, disk_bytes};

/// Show what a store is and holds.
#[derive(Debug, Args)]
pub(in crate::cli) struct Info {
    /// A store that no server runs on [default: the store of the data directory]
    #[arg(value_name = "URL")]
    url: Option<StoreUrl>,
}

#[derive(Debug, Serialize)]
struct Shown {
    store: String,
    engine: &'static str,
    identity: String,
    format: u32,
    created_at: String,
    rows: u64,
    main_bytes: u64,
    evidence_bytes: u64,
    tables: Vec<TableLine>,
}

impl Info {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), Failure> {
        let url = place::store(invocation, self.url)?;
        let shown = place::work(invocation, &url, Looking(&url))?;
        invocation.output.data(&shown, text)
    }
}

struct Looking<'a>(&'a StoreUrl);

impl FileWork for Looking<'_> {
    type Output = Shown;

    fn on<E: OnDisk>(self, path: &Path) -> Result<Shown, Failure> {
        let store = Existing::<E>::look(path).map_err(|error| refused(&error))?;
        let identity = store.identity(path).map_err(|error| refused(&error))?;
        let mut counted = Vec::new();
        for engine in std::iter::once(&store.main).chain(&store.evidence) {
            let rows = engine.snapshot().and_then(|view| count_rows(&view));
            counted.extend(rows.map_err(|error| Failure::internal(format!("{}: {error}", self.0)))?);
        }
        let tables: Vec<_> = counted.into_iter().map(TableLine::from).collect();
        let paths = StorePaths::of(path);
        Ok(Shown {
            store: self.0.to_string(),
            engine: store.main.name(),
            identity: identity.id(),
            format: identity.format(),
            created_at: identity.created_at().to_string(),
            rows: tables.iter().map(|table| table.rows).sum(),
            main_bytes: disk_bytes(&paths.main),
            evidence_bytes: disk_bytes(&paths.evidence),
            tables,
        })
    }
}

fn text(shown: &Shown) -> String {
    let mut table = Table::default();
    table.row(["store", &shown.store]);
    table.row(["engine", shown.engine]);
    table.row(["identity", &shown.identity]);
    table.row(["format", &shown.format.to_string()]);
    table.row(["created", &shown.created_at]);
    table.row(["rows", &shown.rows.to_string()]);
    table.row(["bytes on disk", &shown.main_bytes.to_string()]);
    table.row(["of evidence", &shown.evidence_bytes.to_string()]);
    format!("{table}\n{}", tables(&shown.tables))
}

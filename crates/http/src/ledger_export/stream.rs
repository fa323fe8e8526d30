//! Streams an export with one page of the ledger in memory.

use super::billing::BillingRecords;
use crate::admin::from_store_error;
use crate::error::ApiError;
use crate::state::AppState;
use std::io::{self, Write};
use std::sync::Arc;
use tokio::runtime::Handle;
use voight_api::ledger_export::write_line;
use voight_domain::ledger_audit::{ExportHeader, ExportLine, ExportSeal, ListedContext, RowLine};
use voight_domain::metering::{ChainHead, MeterState, SignedHead};
use voight_domain::ports::{ContextFilter, LedgerEntry, Store, StoreError};
use voight_domain::registry::Client;
use voight_domain::secrets::Signer;
use voight_domain::services::Openings;
use voight_domain::vocabulary::{ContextId, Environment};

/// Maximum number of rows, contexts or invoices that one call of the store requests.
pub(super) const PAGE: usize = 500;

/// Ledger export, up to the head of the ledger at the time of creation.
pub(crate) struct LedgerExport {
    store: Arc<dyn Store>,
    signer: Arc<Signer>,
    header: ExportHeader,
    bills: BillingRecords,
    openings: Openings,
}

impl LedgerExport {
    /// Prepares the export of a client's ledger, with or without the openings of its rows.
    pub(crate) async fn start(
        state: &AppState,
        client: Client,
        environment: Environment,
        openings: Openings,
    ) -> Result<Self, StoreError> {
        let services = &state.services;
        let signer = services.secrets.signer();
        let (meter, bills) = BillingRecords::load(services.store.as_ref(), client.id, environment).await?;
        let MeterState { seq, head, .. } = meter.unwrap_or_else(|| MeterState::new(client.id, environment));
        let at = services.clock.now();
        let header = ExportHeader {
            store: services.store.info().identity,
            client: client.id,
            name: client.name.to_string(),
            environment,
            exported_at: at,
            seq,
            head,
            signed_head: SignedHead { client: client.id, environment, seq, head, at }.to_token(&signer),
            keys: signer.public_keys().clone(),
        };
        Ok(Self { store: Arc::clone(&services.store), signer, header, bills, openings })
    }

    /// Writes every line. Blocks the thread; `runtime` drives the calls of the store.
    pub(crate) fn write(self, runtime: &Handle, out: &mut dyn Write) -> Result<(), ApiError> {
        let mut lines = LineWriter { out, seal: ExportSeal::default() };
        lines.put(&ExportLine::Header(self.header.clone()))?;
        self.contexts(runtime, &mut lines)?;
        self.rows(runtime, &mut lines)?;
        self.bills.write(self.store.as_ref(), self.header.client, runtime, &mut lines)?;
        let trailer = lines.seal.close(&self.signer);
        lines.put(&ExportLine::Trailer(trailer))?;
        lines.out.flush().map_err(|error| unwritten(&error))
    }

    fn contexts(&self, runtime: &Handle, lines: &mut LineWriter<'_>) -> Result<(), ApiError> {
        let filter = ContextFilter::Client(self.header.client);
        let mut after: Option<ContextId> = None;
        loop {
            let page = runtime.block_on(self.store.contexts(filter, after.take(), PAGE)).map_err(from_store_error)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = Some(last.id.clone());
            for context in page.into_iter().filter(|context| context.environment == self.header.environment) {
                lines.put(&ExportLine::Context(ListedContext { number: context.number, id: context.id }))?;
            }
        }
    }

    /// Writes the rows up to the signed head. A row that is missing in the store is missing in the export; the verifier reports
    /// it.
    fn rows(&self, runtime: &Handle, lines: &mut LineWriter<'_>) -> Result<(), ApiError> {
        let ExportHeader { client, environment, seq: end, .. } = self.header;
        let mut head = ChainHead::genesis(client, environment);
        let mut after = 0;
        while after < end {
            let page = runtime.block_on(self.store.rows(client, environment, after, PAGE)).map_err(from_store_error)?;
            let Some(last) = page.last() else { return Ok(()) };
            after = last.row.seq;
            for LedgerEntry { row, opening } in page.into_iter().filter(|entry| entry.row.seq <= end) {
                head = head.extend(&row.to_bytes());
                let opening = opening.filter(|_| self.openings == Openings::Included);
                lines.put(&ExportLine::Row(RowLine { row, head, opening }))?;
            }
        }
        Ok(())
    }
}

/// Writer of the lines.
pub(super) struct LineWriter<'a> {
    out: &'a mut dyn Write,
    seal: ExportSeal,
}

impl LineWriter<'_> {
    pub(super) fn put(&mut self, line: &ExportLine) -> Result<(), ApiError> {
        let text = write_line(line);
        self.seal.add(&text);
        self.out.write_all(text.as_bytes()).and_then(|()| self.out.write_all(b"\n")).map_err(|error| unwritten(&error))
    }
}

/// Converts the error of a reader that has disconnected. The response has begun, so the error cannot be returned.
fn unwritten(error: &io::Error) -> ApiError {
    from_store_error(StoreError::NotApplied(error.to_string()))
}

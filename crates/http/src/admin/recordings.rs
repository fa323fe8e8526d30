//! `GET /admin/v1/contexts/{context}/recordings`: anonymised recordings of checks, one per line. Only checks whose label
//! includes consent are exported. No envelope.

use super::bulk_read::audited;
use crate::error::ApiError;
use crate::extract::Query;
use crate::operator::Caller;
use crate::state::AppState;
use crate::streamed_body::{NDJSON, StreamedBody, write_line};
use actix_web::{HttpResponse, web};
use serde::Deserialize;
use std::io::Write;
use tokio::runtime::Handle;
use voight_api::admin::{RecordedBatch, Recording, RecordingLine, Truth};
use voight_domain::services::{BulkRead, OperatorService, RecordedPerson};
use voight_domain::verdict;
use voight_domain::vocabulary::{CheckId, ContextId};

/// Filter of the recordings.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RecordingsQuery {
    /// Label: `human` or `bot`.
    label: String,
}

pub(super) async fn show(
    context: web::Path<String>,
    query: Query<RecordingsQuery>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let label: Truth = serde_json::from_value(query.label.as_str().into())
        .map_err(|_| ApiError::invalid("label is human or bot.".to_owned()))?;
    let context = state.services.registry.resolve_context(&context).await?.id;
    audited(
        &state,
        &caller,
        BulkRead::of_recordings(&context, &query.label),
    )
    .await?;
    let operator = state.services.operator.clone();
    let write = move |runtime: &Handle, out: &mut dyn Write| {
        RecordingExport {
            runtime,
            operator,
            context,
            truth: label.into(),
        }
        .write(out)
    };
    StreamedBody::respond(NDJSON, write).await
}

struct RecordingExport<'a> {
    runtime: &'a Handle,
    operator: OperatorService,
    context: ContextId,
    truth: verdict::Truth,
}

impl RecordingExport<'_> {
    /// Writes one check after the other. Runs on a thread that may block.
    fn write(&self, out: &mut dyn Write) -> Result<(), ApiError> {
        let mut after = None;
        let mut gone = 0;
        loop {
            let page = self.runtime.block_on(self.operator.list_recorded(
                &self.context,
                self.truth,
                after,
            ))?;
            for RecordedPerson { person, checks } in page.people {
                for check in checks {
                    match self.recording(&person, check)? {
                        Some(recording) => write_line(out, &RecordingLine::Recording(recording))?,
                        None => gone += 1,
                    }
                }
            }
            after = page.next;
            if after.is_none() {
                return write_line(out, &RecordingLine::Done { gone });
            }
        }
    }

    fn recording(&self, person: &str, check: CheckId) -> Result<Option<Recording>, ApiError> {
        let batches = self.runtime.block_on(self.operator.batches(check))?;
        let batches: Option<Vec<_>> = batches.iter().map(RecordedBatch::from_batch).collect();
        let recorded_batches = batches.filter(|batches| !batches.is_empty());
        Ok(recorded_batches.map(|batches| Recording {
            person: person.to_owned(),
            check_id: check.to_string(),
            batches,
        }))
    }
}

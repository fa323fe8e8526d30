//! `POST /admin/v1/contexts/{context}/replay`: re-evaluates stored evidence, one result per line. No envelope.

use super::bulk_read::audited;
use super::resolve::context_id;
use crate::error::ApiError;
use crate::extract::LargeJson;
use crate::operator::Caller;
use crate::state::AppState;
use crate::streamed_body::{NDJSON, StreamedBody, write_line};
use actix_web::{HttpResponse, web};
use std::io::Write;
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::admin::{ReplayLine, ReplayRequest};
use voight_domain::services::{BulkRead, Replay};

pub(super) async fn replay(
    context: web::Path<String>,
    LargeJson(body): LargeJson<ReplayRequest>,
    caller: Caller,
    state: web::Data<AppState>,
) -> Result<HttpResponse, ApiError> {
    let ReplayRequest {
        policy,
        apply_reason: apply,
    } = body;
    let replay = state
        .services
        .replays
        .acting_as(&caller.actor)
        .replay_context(
            &context_id(&state, &context).await?,
            policy.as_bytes(),
            apply,
        )
        .await?;
    if !replay.is_applied() {
        audited(
            &state,
            &caller,
            BulkRead::of_replay(replay.context(), replay.policy()),
        )
        .await?;
    }
    StreamedBody::respond(NDJSON, move |runtime, out| write(runtime, &replay, out)).await
}

/// Re-evaluates page by page on a thread that may block. Each page is sent at once, because the next page may take long.
fn write(runtime: &Handle, replay: &Replay, out: &mut dyn Write) -> Result<(), ApiError> {
    let mut cursor = None;
    loop {
        let page = runtime.block_on(replay.page(cursor))?;
        for flip in &page.flips {
            write_line(out, &ReplayLine::Flip(flip.into()))?;
        }
        write_line(out, &ReplayLine::Progress(page.counts.into()))?;
        // Flushing fails only if the reader has disconnected, so the error is not reported.
        out.flush().map_err(|_| ApiError::from(ErrorId::Internal))?;
        cursor = page.next;
        if cursor.is_none() {
            return write_line(
                out,
                &ReplayLine::Done {
                    policy_version: replay.policy(),
                },
            );
        }
    }
}

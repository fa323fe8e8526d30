//! `/api/v1/snapshots`: verdicts of long lists of addresses.

mod file;
mod generate;
mod generated_files;
mod list_options;
mod upload;

pub(crate) use generated_files::GeneratedFiles;

pub(super) use file::{download, manifest};
pub(super) use upload::upload;

use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{
    Authorized, Caller, NoQuery, Query, RequestInput, SessionAccess, idempotency_key, read_json,
};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::{HttpRequest, HttpResponse, web};
use voight_api::ErrorId;
use voight_api::public::{self, DeletedSnapshot, IncludedStatus, Snapshots};
use voight_domain::services::{NewSnapshot, SnapshotError};
use voight_domain::snapshot::{RewardRule, Snapshot, TokenAmount};
use voight_domain::vocabulary::SnapshotId;

/// Parsed request for a new snapshot.
pub(super) struct CreateInput(NewSnapshot);

impl RequestInput for CreateInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let public::NewSnapshot {
            context_id,
            source,
            amount,
            include,
        } = read_json(request, payload).await?;
        Query::<NoQuery>::parse(request)?;
        let amount: Option<TokenAmount> = amount
            .map(|amount| amount.parse())
            .transpose()
            .map_err(|error| ApiError::invalid(format!("amount: {error}.")))?;
        let idempotency_key = idempotency_key(request)?;
        let context = context_id
            .parse()
            .map_err(|_| ErrorId::UnknownContextForKey)?;
        let rewards = RewardRule {
            amount,
            includes_unknown: include.contains(&IncludedStatus::Unknown),
            includes_unsure: include.contains(&IncludedStatus::Unsure),
        };
        Ok(Self(NewSnapshot {
            context,
            source: source.into(),
            rewards,
            idempotency_key,
        }))
    }
}

/// Id of a snapshot in the path; `None` if the text is not an id.
pub(super) struct SnapshotInput(Option<SnapshotId>);

impl RequestInput for SnapshotInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        Ok(Self(snapshot_id(request)))
    }
}

/// Returns the id of the snapshot in the path.
fn snapshot_id(request: &HttpRequest) -> Option<SnapshotId> {
    request
        .match_info()
        .get("id")
        .and_then(|id| id.parse().ok())
}

/// Returns the snapshot of the caller. The error of another client's snapshot is that of one that does not exist.
async fn find(
    state: &AppState,
    caller: &Caller,
    id: Option<SnapshotId>,
) -> Result<Snapshot, ApiError> {
    let id = id.ok_or(SnapshotError::NotFound)?;
    Ok(state.services.snapshots.get(&caller.api_key, id).await?)
}

fn show(caller: &Caller, snapshot: &Snapshot) -> HttpResponse {
    success_in(caller.environment(), &public::Snapshot::from(snapshot))
}

/// `POST /api/v1/snapshots`
pub(super) async fn create(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: CreateInput(request),
        ..
    }: Authorized<'_, SessionAccess, CreateInput>,
) -> Result<HttpResponse, ApiError> {
    let snapshot = state
        .services
        .snapshots
        .create(&caller.api_key, request)
        .await?;
    state.snapshot_jobs.add((snapshot.client, snapshot.id));
    Ok(show(caller, &snapshot))
}

/// `GET /api/v1/snapshots`
pub(super) async fn list(
    state: web::Data<AppState>,
    Authorized { caller, .. }: Authorized<'_, SessionAccess, NoQuery>,
) -> Result<HttpResponse, ApiError> {
    let snapshots = state.services.snapshots.list(&caller.api_key).await?;
    Ok(success_in(
        caller.environment(),
        &Snapshots {
            snapshots: snapshots.iter().map(public::Snapshot::from).collect(),
        },
    ))
}

/// `GET /api/v1/snapshots/{id}`
pub(super) async fn status(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: SnapshotInput(id),
        ..
    }: Authorized<'_, SessionAccess, SnapshotInput>,
) -> Result<HttpResponse, ApiError> {
    find(&state, caller, id)
        .await
        .map(|snapshot| show(caller, &snapshot))
}

/// `POST /api/v1/snapshots/{id}/finalize`
pub(super) async fn finalize(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: SnapshotInput(id),
        ..
    }: Authorized<'_, SessionAccess, SnapshotInput>,
) -> Result<HttpResponse, ApiError> {
    let snapshot = find(&state, caller, id).await?;
    let snapshot = state.services.snapshots.finalize(&snapshot).await?;
    state.snapshot_jobs.add((snapshot.client, snapshot.id));
    Ok(show(caller, &snapshot))
}

/// `DELETE /api/v1/snapshots/{id}`
pub(super) async fn delete(
    state: web::Data<AppState>,
    Authorized {
        caller,
        input: SnapshotInput(id),
        ..
    }: Authorized<'_, SessionAccess, SnapshotInput>,
) -> Result<HttpResponse, ApiError> {
    let snapshot = find(&state, caller, id).await?;
    state.services.snapshots.delete(&snapshot).await?;
    state.generated_files.delete_unused(snapshot.client);
    Ok(success_in(
        caller.environment(),
        &DeletedSnapshot {
            id: snapshot.id.to_string(),
        },
    ))
}

impl From<SnapshotError> for ApiError {
    fn from(error: SnapshotError) -> Self {
        let message = format!("{error}.");
        match error {
            SnapshotError::UnknownContext => ErrorId::UnknownContextForKey.into(),
            SnapshotError::NotFound => Self::with_message(ErrorId::NotFound, message),
            SnapshotError::IdempotencyKeyReused => ErrorId::IdempotencyKeyReused.into(),
            SnapshotError::Empty | SnapshotError::SandboxTooMany => Self::invalid(message),
            SnapshotError::TooMany
            | SnapshotError::NoUpload
            | SnapshotError::NotReady
            | SnapshotError::State(_) => Self::with_message(ErrorId::SnapshotConflict, message),
            SnapshotError::Store(error) => error.into(),
        }
    }
}

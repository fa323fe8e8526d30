//! `PUT /api/v1/snapshots/{id}/addresses`: reads the addresses of a snapshot.

use super::list_options::{list_options, summary};
use super::{find, snapshot_id};
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, Query, RequestInput, SessionAccess, spool_body};
use crate::scan_pool::ScanOrigin;
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use std::time::Duration;
use voight_api::ErrorId;
use voight_api::public;
use voight_domain::services::{MAX_SNAPSHOT_ADDRESSES, SnapshotService};
use voight_domain::vocabulary::SnapshotId;
use voight_files::{
    ContentEncoding, LineFormat, ListOptions, UploadFormat, UploadLimits, read_list,
};

/// Maximum number of bytes of a body.
const BODY_BYTES: usize = 256 << 20;
/// Maximum time in which a body arrives.
const BODY_TIMEOUT: Duration = Duration::from_mins(10);

/// Upload whose body is not read yet.
pub(crate) struct UploadInput {
    id: Option<SnapshotId>,
    format: UploadFormat,
    encoding: ContentEncoding,
    options: ListOptions,
    is_dry_run: bool,
    request: HttpRequest,
    payload: Payload,
}

impl RequestInput for UploadInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        let Query(query) = Query::parse(request)?;
        let (options, is_dry_run) = list_options(query)?;
        let format = format(request)?;
        let encoding = encoding(request)?;
        if format == UploadFormat::Parquet && encoding != ContentEncoding::Plain {
            return Err(ApiError::with_message(
                ErrorId::UnsupportedMediaType,
                "A Parquet file compresses its columns itself; send it without Content-Encoding.",
            ));
        }
        Ok(Self {
            id: snapshot_id(request),
            format,
            encoding,
            options,
            is_dry_run,
            request: request.clone(),
            payload,
        })
    }
}

fn format(request: &HttpRequest) -> Result<UploadFormat, ApiError> {
    let value = request
        .headers()
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok())
        .unwrap_or_default();
    match value
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
        .as_str()
    {
        "text/csv" => Ok(UploadFormat::Lines(LineFormat::Csv)),
        "application/x-ndjson" | "application/jsonl" => Ok(UploadFormat::Lines(LineFormat::Ndjson)),
        "application/vnd.apache.parquet" => Ok(UploadFormat::Parquet),
        "application/json" => Ok(UploadFormat::MerkleDump),
        _ => Err(ApiError::with_message(
            ErrorId::UnsupportedMediaType,
            "Send the addresses as text/csv, application/x-ndjson, application/vnd.apache.parquet or application/json (a Merkle \
             tree dump), and state which in the header Content-Type.",
        )),
    }
}

fn encoding(request: &HttpRequest) -> Result<ContentEncoding, ApiError> {
    let value = request
        .headers()
        .get(header::CONTENT_ENCODING)
        .map(|value| value.to_str().unwrap_or("?"));
    match value.map(str::trim) {
        None | Some("identity") => Ok(ContentEncoding::Plain),
        Some("gzip") => Ok(ContentEncoding::Gzip),
        Some("zstd") => Ok(ContentEncoding::Zstd),
        Some(_) => Err(ApiError::with_message(
            ErrorId::UnsupportedMediaType,
            "The Content-Encoding of the addresses is gzip or zstd, or none.",
        )),
    }
}

/// `PUT /api/v1/snapshots/{id}/addresses`
pub(crate) async fn upload(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, SessionAccess, UploadInput>,
) -> Result<HttpResponse, ApiError> {
    let UploadInput {
        id,
        format,
        encoding,
        mut options,
        is_dry_run,
        request,
        payload,
    } = input;
    // A body that no snapshot takes is not read.
    let snapshot = find(&state, caller, id).await?;
    SnapshotService::accept_upload(&snapshot)?;
    options.amount = snapshot.rewards.amount;
    let client = snapshot.client;
    state.generated_files.delete_unused(client);
    let body = spool_body(
        &request,
        payload,
        state.spool.create(client)?,
        BODY_BYTES,
        BODY_TIMEOUT,
    )
    .await?;
    let service = state.services.snapshots.clone();
    let upload_result = state
        .scan_pool
        .run_blocking(ScanOrigin::Client(client), move |runtime| {
            let limits = UploadLimits {
                max_addresses: MAX_SNAPSHOT_ADDRESSES as u64,
                ..UploadLimits::default()
            };
            let list = read_list(body.file(), format, encoding, &options, limits);
            let list = list.map_err(|errors| ApiError::invalid(errors.to_string()))?;
            if is_dry_run {
                return Ok((snapshot, list.summary));
            }
            let snapshot = runtime.block_on(service.upload(&snapshot, &list.addresses))?;
            Ok::<_, ApiError>((snapshot, list.summary))
        });
    let (snapshot, list_summary) = upload_result.await??;
    if !is_dry_run {
        state.snapshot_jobs.add((snapshot.client, snapshot.id));
    }
    let summary = Some(summary(list_summary));
    Ok(success_in(
        caller.environment(),
        &public::Snapshot {
            summary,
            ..public::Snapshot::from(&snapshot)
        },
    ))
}

//! `PUT /api/v1/snapshots/{id}/addresses`: reads the addresses of a snapshot.

use super::{find, snapshot_id};
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, NoQuery, Query, RequestInput, SessionAccess, spool_body};
use crate::state::AppState;
use actix_web::dev::Payload;
use actix_web::http::header;
use actix_web::{HttpRequest, HttpResponse, web};
use std::fs::File;
use std::io::BufReader;
use std::time::Duration;
use voight_api::ErrorId;
use voight_api::public;
use voight_domain::services::{MAX_SNAPSHOT_ADDRESSES, SnapshotService};
use voight_domain::snapshot::ListedAddress;
use voight_domain::vocabulary::SnapshotId;
use voight_files::{AddressReader, ContentEncoding, UploadFormat, UploadLimits, UploadLine};

/// Maximum number of bytes of a body.
const BODY_BYTES: usize = 256 << 20;
/// Maximum time in which a body arrives.
const BODY_TIMEOUT: Duration = Duration::from_mins(10);

/// Upload whose body is not read yet.
pub(crate) struct UploadInput {
    id: Option<SnapshotId>,
    format: UploadFormat,
    encoding: ContentEncoding,
    request: HttpRequest,
    payload: Payload,
}

impl RequestInput for UploadInput {
    async fn read(request: &HttpRequest, payload: Payload) -> Result<Self, ApiError> {
        Query::<NoQuery>::parse(request)?;
        let (format, encoding) = (format(request)?, encoding(request)?);
        Ok(Self { id: snapshot_id(request), format, encoding, request: request.clone(), payload })
    }
}

fn format(request: &HttpRequest) -> Result<UploadFormat, ApiError> {
    let value = request.headers().get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    match value.split(';').next().unwrap_or_default().trim().to_ascii_lowercase().as_str() {
        "text/csv" => Ok(UploadFormat::Csv),
        "application/x-ndjson" | "application/jsonl" => Ok(UploadFormat::Ndjson),
        _ => Err(ApiError::with_message(
            ErrorId::UnsupportedMediaType,
            "Send the addresses as text/csv or as application/x-ndjson, and say which in the header Content-Type.",
        )),
    }
}

fn encoding(request: &HttpRequest) -> Result<ContentEncoding, ApiError> {
    let value = request.headers().get(header::CONTENT_ENCODING).map(|value| value.to_str().unwrap_or("?"));
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
    Authorized { caller, input, .. }: Authorized<SessionAccess, UploadInput>,
) -> Result<HttpResponse, ApiError> {
    let UploadInput { id, format, encoding, request, payload } = input;
    // A body that no snapshot takes is not read.
    let snapshot = find(&state, &caller, id).await?;
    SnapshotService::accept_upload(&snapshot)?;
    let body = spool_body(&request, payload, BODY_BYTES, BODY_TIMEOUT).await?;
    let service = state.services.snapshots.clone();
    let uploaded = state.scan_pool.run_blocking(move |runtime| {
        let addresses = read_addresses(body, format, encoding)?;
        runtime.block_on(service.upload(&snapshot, &addresses)).map_err(ApiError::from)
    });
    let snapshot = uploaded.await??;
    state.snapshot_jobs.add((snapshot.client, snapshot.id));
    Ok(success_in(caller.environment(), &public::Snapshot::from(&snapshot)))
}

/// Returns the distinct addresses of an upload, in ascending order.
fn read_addresses(body: File, format: UploadFormat, encoding: ContentEncoding) -> Result<Vec<ListedAddress>, ApiError> {
    let limits = UploadLimits { max_addresses: MAX_SNAPSHOT_ADDRESSES as u64, ..UploadLimits::default() };
    let lines = AddressReader::new(BufReader::new(body), format, encoding, limits);
    let lines = lines.map_err(|error| ApiError::invalid(format!("{error}.")))?;
    let mut addresses = Vec::new();
    for line in lines {
        let UploadLine { number, entry } = line.map_err(|error| ApiError::invalid(format!("{error}.")))?;
        let entry = entry.map_err(|error| {
            ApiError::invalid(format!(
                "Line {number}: {error}. Nothing was uploaded; correct the line and send all lines again."
            ))
        })?;
        addresses.push(ListedAddress { address: entry.address, amount: entry.amount });
    }
    addresses.sort_unstable_by_key(|listed| listed.address);
    let repeated =
        addresses.windows(2).find(|pair| pair[0].address == pair[1].address && pair[0].amount != pair[1].amount);
    if let Some([first, _]) = repeated {
        return Err(ApiError::invalid(format!(
            "The address {} is listed with two amounts; list it once. Nothing was uploaded.",
            first.address
        )));
    }
    addresses.dedup_by_key(|listed| listed.address);
    Ok(addresses)
}

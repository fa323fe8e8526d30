//! Downloads of the files of a snapshot, and their signed manifests.

use super::generate::{FileRequest, GeneratedFile, generate};
use super::generated_files::FileKey;
use super::{find, snapshot_id};
use crate::envelope::success_in;
use crate::error::ApiError;
use crate::extract::{Authorized, Caller, Query, RequestInput, SessionAccess};
use crate::file_body::{FileBody, ReadAt};
use crate::metrics::RejectionReason;
use crate::scan_pool::ScanOrigin;
use crate::shares::{Excess, Share, ShareLimits};
use crate::state::AppState;
use actix_web::body::SizedStream;
use actix_web::dev::Payload;
use actix_web::http::StatusCode;
use actix_web::http::header::{self, ByteRangeSpec, HeaderMap, Range};
use actix_web::{HttpRequest, HttpResponse, web};
use data_encoding::HEXLOWER;
use serde::Deserialize;
use std::io;
use std::ops::RangeInclusive;
use std::sync::Arc;
use tokio::runtime::Handle;
use voight_api::ErrorId;
use voight_api::public::{DECIMALS_DEFAULT, SignedManifest, SnapshotFormat};
use voight_domain::services::SnapshotError;
use voight_domain::snapshot::{Snapshot, SnapshotManifest};
use voight_domain::vocabulary::{ClientId, SnapshotId};

/// Limits of downloads in progress. A download without a reader holds a chunk in memory until its connection times out.
const DOWNLOADS: ShareLimits = ShareLimits {
    per_key: 32,
    in_all: 256,
};
/// `Retry-After` in seconds of a download above the limits.
const RETRY_AFTER: u32 = 10;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FileQuery {
    format: String,
    decimals: Option<String>,
}

/// Parsed request for a file.
pub(crate) struct FileInput {
    id: Option<SnapshotId>,
    request: FileRequest,
    headers: HeaderMap,
}

impl RequestInput for FileInput {
    async fn read(request: &HttpRequest, _: Payload) -> Result<Self, ApiError> {
        let Query(FileQuery { format, decimals }) = Query::<FileQuery>::parse(request)?;
        let format = SnapshotFormat::from_name(&format).ok_or_else(|| {
            let names = SnapshotFormat::ALL.map(SnapshotFormat::as_str).join(", ");
            ApiError::invalid(format!("format is one of {names}."))
        })?;
        let decimals = match decimals {
            None => DECIMALS_DEFAULT,
            Some(text) => text.parse().map_err(|_| {
                ApiError::invalid("decimals is the number of decimals of the token, 0 to 255.")
            })?,
        };
        let headers = request.headers().clone();
        Ok(Self {
            id: snapshot_id(request),
            request: FileRequest { format, decimals },
            headers,
        })
    }
}

/// `GET /api/v1/snapshots/{id}/file`
pub(crate) async fn download(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, SessionAccess, FileInput>,
) -> Result<HttpResponse, ApiError> {
    let FileInput {
        id,
        request,
        headers,
    } = input;
    let download = acquire_download(&state, caller)?;
    let (snapshot, generated) = generated(&state, caller, id, request).await?;
    let tag = format!("\"{}\"", HEXLOWER.encode(&generated.sha256));
    let mut response = HttpResponse::Ok();
    response
        .insert_header((header::ETAG, tag.as_str()))
        .insert_header((header::ACCEPT_RANGES, "bytes"));
    if header_text(&headers, header::IF_NONE_MATCH)
        .is_some_and(|tags| tags.split(',').any(|listed_tag| listed_tag.trim() == tag))
    {
        return Ok(response.status(StatusCode::NOT_MODIFIED).finish());
    }
    let total = generated.bytes;
    let range = match requested_range(&headers, &tag, total) {
        RequestedRange::Complete => None,
        RequestedRange::Part(range) => Some(range),
        RequestedRange::Unsatisfiable => {
            let mut response = actix_web::ResponseError::error_response(&ApiError::from(
                ErrorId::RangeNotSatisfiable,
            ));
            if let Ok(value) = format!("bytes */{total}").parse() {
                response.headers_mut().insert(header::CONTENT_RANGE, value);
            }
            return Ok(response);
        }
    };
    let (first, bytes) = match &range {
        Some(range) => (*range.start(), range.end() - range.start() + 1),
        None => (0, total),
    };
    if let Some(range) = &range {
        response.status(StatusCode::PARTIAL_CONTENT);
        response.insert_header((
            header::CONTENT_RANGE,
            format!("bytes {}-{}/{total}", range.start(), range.end()),
        ));
    }
    let name = format!(
        "snapshot-{}-{}.{}",
        snapshot.id,
        request.format.as_str(),
        request.format.extension()
    );
    response
        .content_type(request.format.media_type())
        .insert_header((
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ));
    let body = FileBody::new(generated, first, first + bytes, download);
    Ok(response.body(SizedStream::new(bytes, body)))
}

/// Takes a permit for a download of the client, which its body holds until it is sent.
fn acquire_download(state: &AppState, caller: &Caller) -> Result<Share<ClientId>, ApiError> {
    state
        .downloads
        .take(caller.api_key.client.id, 1, DOWNLOADS)
        .map_err(|excess| {
            state
                .metrics
                .record_rejection(RejectionReason::ClientDownloads);
            match excess {
                Excess::Key => ApiError::rate_limited_because(
                    format!(
                        "{} downloads of this client are in progress; read them first.",
                        DOWNLOADS.per_key
                    ),
                    RETRY_AFTER,
                ),
                Excess::All => ApiError::unavailable().retry_after(RETRY_AFTER),
            }
        })
}

impl ReadAt for GeneratedFile {
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        self.file.read_exact_at(bytes, offset)
    }
}

/// `GET /api/v1/snapshots/{id}/manifest`
pub(crate) async fn manifest(
    state: web::Data<AppState>,
    Authorized { caller, input, .. }: Authorized<'_, SessionAccess, FileInput>,
) -> Result<HttpResponse, ApiError> {
    let (snapshot, generated) = generated(&state, caller, input.id, input.request).await?;
    let GeneratedFile {
        bytes,
        sha256,
        statuses,
        ..
    } = *generated;
    let sha256 = HEXLOWER.encode(&sha256);
    let manifest = SnapshotManifest {
        format: input.request.format.as_str(),
        sha256: &sha256,
        bytes,
        human: statuses.human,
        bot: statuses.bot,
        unsure: statuses.unsure,
        unknown: statuses.unknown,
    };
    let signature = state.services.snapshots.sign_manifest(&snapshot, &manifest);
    Ok(success_in(
        caller.environment(),
        &SignedManifest {
            sha256: sha256.clone(),
            bytes,
            signed: signature,
        },
    ))
}

/// Returns the snapshot with its file, which is generated unless another request has generated it.
async fn generated(
    state: &AppState,
    caller: &Caller,
    id: Option<SnapshotId>,
    request: FileRequest,
) -> Result<(Snapshot, Arc<GeneratedFile>), ApiError> {
    let snapshot = find(state, caller, id).await?;
    if !snapshot.progress.state.is_readable() {
        return Err(SnapshotError::NotReady.into());
    }
    let generation = state
        .generated_files
        .get(FileKey::new(&snapshot, request), async || {
            let file = state.spool.create(snapshot.client)?;
            let service = state.services.snapshots.clone();
            let snapshot = snapshot.clone();
            let origin = ScanOrigin::Client(snapshot.client);
            let scan =
                move |runtime: &Handle| generate(runtime, &service, &snapshot, request, file);
            state.scan_pool.run_blocking(origin, scan).await?
        });
    let generated_file = generation.await?;
    Ok((snapshot, generated_file))
}

enum RequestedRange {
    Complete,
    Part(RangeInclusive<u64>),
    Unsatisfiable,
}

/// Returns the part of a file that a request asks for. Several ranges, or an `If-Range` with another tag, ask for the complete
/// file.
fn requested_range(headers: &HeaderMap, tag: &str, total: u64) -> RequestedRange {
    let is_same =
        header_text(headers, header::IF_RANGE).is_none_or(|if_range| if_range.trim() == tag);
    let range = header_text(headers, header::RANGE)
        .filter(|_| is_same)
        .and_then(|text| text.parse::<Range>().ok());
    match range {
        Some(Range::Bytes(specs)) => match specs.as_slice() {
            [spec] => to_satisfiable(spec, total)
                .map_or(RequestedRange::Unsatisfiable, RequestedRange::Part),
            _ => RequestedRange::Complete,
        },
        _ => RequestedRange::Complete,
    }
}

fn to_satisfiable(spec: &ByteRangeSpec, total: u64) -> Option<RangeInclusive<u64>> {
    spec.to_satisfiable_range(total)
        .map(|(first, last)| first..=last)
}

fn header_text(headers: &HeaderMap, name: header::HeaderName) -> Option<&str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

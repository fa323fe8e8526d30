//! Envelopes of all responses.

use actix_web::HttpResponse;
use actix_web::http::{StatusCode, header};
use serde::Serialize;
use voight_api::ErrorId;
use voight_domain::vocabulary::Environment;

#[derive(Serialize)]
struct Succeeded<'a, T> {
    success: bool,
    #[serde(skip_serializing_if = "is_false")]
    test: bool,
    data: &'a T,
}

#[derive(Serialize)]
struct Failed<'a> {
    success: bool,
    error: ErrorBody<'a>,
}

#[derive(Serialize)]
struct ErrorBody<'a> {
    id: &'a str,
    code: &'a str,
    message: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaining: Option<u64>,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde hands the field over by reference"
)]
fn is_false(value: &bool) -> bool {
    !value
}

/// Builds `{"success":true,"data":…}` with status 200.
pub fn success<T: Serialize>(data: &T) -> HttpResponse {
    success_in(Environment::Live, data)
}

/// Builds the response to a client in `environment`: sandbox responses have `"test":true` beside `success`.
pub(crate) fn success_in<T: Serialize>(environment: Environment, data: &T) -> HttpResponse {
    HttpResponse::Ok().json(Succeeded {
        success: true,
        test: environment.is_test(),
        data,
    })
}

/// Writes the body of [`success_in`]. Returns `false` if the data cannot be written, which would be a bug.
pub(crate) fn write_success<T: Serialize>(
    into: &mut Vec<u8>,
    environment: Environment,
    data: &T,
) -> bool {
    serde_json::to_writer(
        into,
        &Succeeded {
            success: true,
            test: environment.is_test(),
            data,
        },
    )
    .is_ok()
}

/// Returns the HTTP status of an error.
pub(crate) fn status(error: ErrorId) -> StatusCode {
    StatusCode::from_u16(error.row().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// Builds `{"success":false,"error":{"id":…,"code":…,"message":…}}` with the status of the error table. `remaining` is a
/// further member of the error.
pub(crate) fn failure(error: ErrorId, message: &str, remaining: Option<u64>) -> HttpResponse {
    let row = error.row();
    let mut answer = HttpResponse::build(status(error));
    // Set here because not every error passes through the pipeline, which sets `Cache-Control`.
    answer.insert_header((header::CACHE_CONTROL, "no-store"));
    answer.json(Failed {
        success: false,
        error: ErrorBody {
            id: row.id,
            code: row.code,
            message,
            remaining,
        },
    })
}

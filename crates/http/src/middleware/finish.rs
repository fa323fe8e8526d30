//! Headers that every answer carries.

use super::Answer;
use crate::limits::Allowance;
use actix_web::HttpMessage;
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{self, HeaderValue};
use actix_web::middleware::Next;

/// `Cache-Control: no-store` unless the handler chose otherwise, `nosniff`, and what the caller's limit is.
pub(crate) async fn finish(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    let mut answer = next.call(request).await?.map_into_boxed_body();
    let allowance = answer.request().extensions().get::<Allowance>().copied();
    let headers = answer.headers_mut();
    if !headers.contains_key(header::CACHE_CONTROL) {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    if let Some(allowance) = allowance {
        allowance.write(headers);
    }
    Ok(answer)
}

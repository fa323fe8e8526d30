//! The name of a request, by which its answer is found in the log.

use super::Answer;
use crate::connection::Answering;
use crate::state::AppState;
use actix_web::body::MessageBody;
use actix_web::dev::ServiceRequest;
use actix_web::http::header::{HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{HttpMessage, web};
use data_encoding::HEXLOWER;
use std::rc::Rc;

const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
const MAX_LENGTH: usize = 64;

/// The id of a request: the caller's own, if it is 1 to 64 characters of `A-Z a-z 0-9 . _ -`, else one of ours.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// The id as text.
    pub fn as_str(&self) -> &str {
        self.0.to_str().unwrap_or_default()
    }

    fn of(request: &ServiceRequest) -> Self {
        let sent = request.headers().get(&X_REQUEST_ID).filter(|value| is_fit(value.as_bytes()));
        sent.cloned().map_or_else(|| Self::draw(request), Self)
    }

    fn draw(request: &ServiceRequest) -> Self {
        let state = request.app_data::<web::Data<AppState>>();
        let random: [u8; 16] = state.map_or([0; 16], |state| state.services.entropy.bytes());
        Self(HeaderValue::try_from(HEXLOWER.encode(&random)).unwrap_or(HeaderValue::from_static("unnamed")))
    }
}

fn is_fit(id: &[u8]) -> bool {
    let fits = |byte: &u8| byte.is_ascii_alphanumeric() || b"._-".contains(byte);
    (1..=MAX_LENGTH).contains(&id.len()) && id.iter().all(fits)
}

/// Names the request, and echoes the name in whatever answers it. Until then its connection is busy.
pub(crate) async fn name_request(request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    let _busy = request.conn_data::<Rc<Answering>>().map(Answering::begin);
    let id = RequestId::of(&request);
    request.extensions_mut().insert(id.clone());
    let mut answer = next.call(request).await?.map_into_boxed_body();
    answer.headers_mut().insert(X_REQUEST_ID, id.0);
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::is_fit;

    #[test]
    fn only_short_plain_ids_are_taken() {
        assert!(is_fit(b"a.B_c-9"));
        assert!(is_fit(&[b'a'; 64]));
        for id in [&b""[..], &[b'a'; 65], b"a b", b"a\"", "ä".as_bytes()] {
            assert!(!is_fit(id));
        }
    }
}

//! Keeps an unread chunked request body alive until the response is sent, so that actix-web closes the connection instead of
//! draining it.

use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest, ServiceResponse};
use actix_web::error::PayloadError;
use actix_web::web::Bytes;
use futures_core::Stream;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

/// Shares a chunked body between its reader and the response. Returns `None` if the body is not chunked.
///
/// After the reader of a chunked body is dropped, actix waits for the end of the body without a timeout. If the body still
/// exists when the response is sent, actix closes the connection instead, as it does for a body of known length. Therefore the
/// response holds the body.
pub(super) fn share_chunked_body(request: &mut ServiceRequest) -> Option<SharedBody> {
    request.head().chunked().then(|| {
        let body = SharedBody(Rc::new(RefCell::new(request.take_payload())));
        request.set_payload(Payload::Stream {
            payload: Box::pin(body.clone()),
        });
        body
    })
}

/// Attaches the request body to the response.
pub(super) fn hold_body_until_response(
    answer: ServiceResponse<BoxBody>,
    body: Option<SharedBody>,
) -> ServiceResponse<BoxBody> {
    match body {
        Some(body) => answer.map_body(|_, response_body| {
            ResponseWithRequestBody {
                response_body,
                _body: body,
            }
            .boxed()
        }),
        None => answer,
    }
}

/// Body of a request, shared by its handler and its response.
#[derive(Clone)]
pub(super) struct SharedBody(Rc<RefCell<Payload>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// Body of a response that holds the body of its request.
struct ResponseWithRequestBody {
    response_body: BoxBody,
    _body: SharedBody,
}

impl MessageBody for ResponseWithRequestBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.response_body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.response_body).poll_next(context)
    }
}

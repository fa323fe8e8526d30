//! What becomes of a body that nobody reads to its end.

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

/// Shares a chunked body between its reader and the answer that is to keep it; `None` if the request has none.
///
/// Once the reader of such a body is gone, actix waits for its end without any limit of time; as long as there is one when the
/// answer leaves, it closes the connection instead, as it does with a body of known length. So the answer keeps it.
pub(super) fn share_chunked(request: &mut ServiceRequest) -> Option<SharedBody> {
    request.head().chunked().then(|| {
        let body = SharedBody(Rc::new(RefCell::new(request.take_payload())));
        request.set_payload(Payload::Stream { payload: Box::pin(body.clone()) });
        body
    })
}

/// The answer, with the body that it is to keep.
pub(super) fn keep_request_body(
    answer: ServiceResponse<BoxBody>,
    body: Option<SharedBody>,
) -> ServiceResponse<BoxBody> {
    match body {
        Some(body) => answer.map_body(|_, answered| ResponseWithRequestBody { answered, _body: body }.boxed()),
        None => answer,
    }
}

/// The body of a request, read by the handler and kept beside it.
#[derive(Clone)]
pub(super) struct SharedBody(Rc<RefCell<Payload>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// The body of an answer that keeps the body of its request.
struct ResponseWithRequestBody {
    answered: BoxBody,
    _body: SharedBody,
}

impl MessageBody for ResponseWithRequestBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answered.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answered).poll_next(context)
    }
}

//! What becomes of a body that nobody reads to its end.

use super::Answer;
use actix_web::HttpMessage;
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::{Payload, ServiceRequest};
use actix_web::error::PayloadError;
use actix_web::middleware::Next;
use actix_web::web::Bytes;
use futures_core::Stream;
use std::cell::RefCell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll};

/// Closes the connection behind an answer that is given before a chunked body has ended.
///
/// Once its reader is gone, actix waits for the end of such a body without any limit of time; as long as there is one when
/// the answer leaves, it closes the connection instead, as it does with a body of known length. So the answer keeps it.
pub(crate) async fn close_unread(mut request: ServiceRequest, next: Next<impl MessageBody + 'static>) -> Answer {
    if !request.head().chunked() {
        return Ok(next.call(request).await?.map_into_boxed_body());
    }
    let body = SharedBody(Rc::new(RefCell::new(request.take_payload())));
    request.set_payload(Payload::Stream { payload: Box::pin(body.clone()) });
    let answer = next.call(request).await?;
    Ok(answer.map_body(|_, answered| Keeping { answered: answered.boxed(), _body: body }.boxed()))
}

/// The body of a request, read by the handler and kept beside it.
#[derive(Clone)]
struct SharedBody(Rc<RefCell<Payload>>);

impl Stream for SharedBody {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        Pin::new(&mut *self.0.borrow_mut()).poll_next(context)
    }
}

/// The body of an answer that keeps the body of its request.
struct Keeping {
    answered: BoxBody,
    _body: SharedBody,
}

impl MessageBody for Keeping {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.answered.size()
    }

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Bytes, Self::Error>>> {
        Pin::new(&mut self.answered).poll_next(context)
    }
}

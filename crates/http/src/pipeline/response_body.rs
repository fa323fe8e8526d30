//! Bounds the bytes of a response that wait to be sent.

use crate::connection::{InFlightRequests, UnsentResponse};
use actix_web::body::{BodySize, BoxBody, MessageBody};
use actix_web::dev::ServiceResponse;
use actix_web::web::Bytes;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{Context, Poll, ready};

/// Maximum size of a piece. actix copies a whole piece into the buffer of the connection, also if the client does not read.
const PIECE_BYTES: usize = 8 << 10;

/// Splits the body of a response into pieces, unless it is small. The connection reads no further request before the last piece.
#[inline]
pub(super) fn bound_response_body(response: ServiceResponse<BoxBody>) -> ServiceResponse<BoxBody> {
    match response.response().body().size() {
        BodySize::None => response,
        BodySize::Sized(bytes) if bytes <= PIECE_BYTES as u64 => response,
        BodySize::Sized(_) | BodySize::Stream => {
            let unsent = response
                .request()
                .conn_data::<Rc<InFlightRequests>>()
                .map(InFlightRequests::unsent_response);
            response.map_body(|_, body| {
                PiecewiseBody {
                    body,
                    unread: Bytes::new(),
                    _unsent: unsent,
                }
                .boxed()
            })
        }
    }
}

/// Body that is sent in pieces.
struct PiecewiseBody {
    body: BoxBody,
    /// Bytes of the body that were produced and not sent.
    unread: Bytes,
    _unsent: Option<UnsentResponse>,
}

impl MessageBody for PiecewiseBody {
    type Error = <BoxBody as MessageBody>::Error;

    fn size(&self) -> BodySize {
        self.body.size()
    }

    fn poll_next(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Bytes, Self::Error>>> {
        while self.unread.is_empty() {
            match ready!(self.body.as_pin_mut().poll_next(context)) {
                Some(Ok(bytes)) => self.unread = bytes,
                end => return Poll::Ready(end),
            }
        }
        let piece = self.unread.len().min(PIECE_BYTES);
        Poll::Ready(Some(Ok(self.unread.split_to(piece))))
    }
}

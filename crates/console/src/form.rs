//! Form of a page: its fields and the token of the session.

use crate::error::ConsoleError;
use crate::visit::Visit;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpRequest, web};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::future::Future;
use std::pin::Pin;

/// Form that a page of the same session has sent.
pub(crate) struct Form<T> {
    /// The request.
    pub(crate) visit: Visit,
    /// The fields.
    pub(crate) fields: T,
}

/// Token of the session, which every form has.
#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    token: String,
}

/// Form without fields of its own.
#[derive(Debug, Deserialize)]
pub(crate) struct NoFields {}

impl<T: DeserializeOwned + 'static> FromRequest for Form<T> {
    type Error = ConsoleError;
    type Future = Pin<Box<dyn Future<Output = Result<Self, ConsoleError>>>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        let visit = Visit::from_request(request, payload);
        let body = String::from_request(request, payload);
        Box::pin(async move {
            let visit = visit.await?;
            let body = body.await.map_err(|_| ConsoleError::unreadable_form())?;
            let token = web::Query::<Token>::from_query(&body);
            let is_own_form = token.is_ok_and(|token| visit.accepts_form(&token.token));
            if !is_own_form {
                return Err(ConsoleError::old_form());
            }
            let fields = web::Query::<T>::from_query(&body);
            let fields = fields.map_err(|_| ConsoleError::unreadable_form())?;
            Ok(Self {
                visit,
                fields: fields.into_inner(),
            })
        })
    }
}

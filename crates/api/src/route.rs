//! Routes of the admin API: the types of a row, and the requests that follow from it.

use crate::ErrorId;
use crate::openapi::{SchemaFn, schema_of};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde::de::DeserializeOwned;
use std::fmt;
use std::marker::PhantomData;
use utoipa::ToSchema;
use voight_domain::registry::Permission;

/// Prefix of all paths of the admin API.
pub const ADMIN_PREFIX: &str = "/admin/v1";

/// All characters except the unreserved ones of RFC 3986, section 2.3.
const RESERVED: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// HTTP method of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Creates, or acts.
    Post,
    /// Changes the members that the body has.
    Patch,
    /// Replaces.
    Put,
    /// Deletes.
    Delete,
}

impl Method {
    /// Returns the name of the method.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Patch => "PATCH",
            Self::Put => "PUT",
            Self::Delete => "DELETE",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Row of the table of the admin API.
#[derive(Debug, Clone, Copy)]
pub struct AdminRoute {
    /// HTTP method.
    pub method: Method,
    /// Path below [`ADMIN_PREFIX`], with the names of its parameters.
    pub path: &'static str,
    /// Operation id.
    pub id: &'static str,
    /// Permission that the caller's role needs.
    pub permission: Permission,
    /// Summary in one line.
    pub summary: &'static str,
    /// Query parameters: name, `true` if required, description.
    pub query: &'static [(&'static str, bool, &'static str)],
    /// Schema of the request body; `None` without a body.
    pub request: Option<SchemaFn>,
    /// Body of the 200 response.
    pub response: ResponseSchema,
}

/// Schema of the body of a 200 response.
#[derive(Debug, Clone, Copy)]
pub enum ResponseSchema {
    /// Success envelope around one value.
    One(SchemaFn),
    /// Success envelope around an array of values.
    List(SchemaFn),
    /// Success envelope around one value, or an HTML page of it.
    OneOrPage(SchemaFn),
    /// Stream of one of these media types, with the schema of its lines if they have one.
    Stream(&'static [&'static str], Option<SchemaFn>),
}

/// Errors of every operation of the admin API.
const COMMON_ERRORS: [ErrorId; 12] = [
    ErrorId::RateLimited,
    ErrorId::BadAdminToken,
    ErrorId::RoleForbidden,
    ErrorId::MethodNotAllowed,
    ErrorId::UriTooLong,
    ErrorId::HeadersTooLarge,
    ErrorId::MisdirectedAdminRequest,
    ErrorId::Internal,
    ErrorId::Unavailable,
    ErrorId::InvalidRequest,
    ErrorId::NotFound,
    ErrorId::Conflict,
];

/// Additional errors of operations with a request body, on both APIs.
pub(crate) const BODY_ERRORS: [ErrorId; 5] = [
    ErrorId::InvalidJson,
    ErrorId::InvalidRequest,
    ErrorId::RequestTimeout,
    ErrorId::PayloadTooLarge,
    ErrorId::UnsupportedMediaType,
];

impl AdminRoute {
    /// Returns the complete path, with the names of its parameters.
    pub fn full_path(&self) -> String {
        format!("{ADMIN_PREFIX}{}", self.path)
    }

    /// Returns the errors that the operation can return.
    pub fn errors(&self) -> impl Iterator<Item = ErrorId> {
        COMMON_ERRORS.into_iter().chain(
            self.request
                .is_some()
                .then_some(BODY_ERRORS)
                .into_iter()
                .flatten(),
        )
    }
}

/// Body of a request: a type with a schema, or [`EmptyBody`].
pub trait RequestBody {
    /// Schema of the body.
    const SCHEMA: Option<SchemaFn>;
}

/// Absence of a request body.
#[derive(Debug, Clone, Copy)]
pub enum EmptyBody {}

impl RequestBody for EmptyBody {
    const SCHEMA: Option<SchemaFn> = None;
}

impl<T: ToSchema> RequestBody for T {
    const SCHEMA: Option<SchemaFn> = Some(schema_of::<T>);
}

/// Body of a 200 response.
pub trait Response {
    /// Data in the success envelope; `()` for a stream.
    type Data: DeserializeOwned;
    /// Schema of the body.
    const SCHEMA: ResponseSchema;
}

/// One value.
#[derive(Debug)]
pub struct One<T>(PhantomData<T>);

/// One value, or an HTML page of it for `format=html`.
#[derive(Debug)]
pub struct OneOrPage<T>(PhantomData<T>);

/// List of values.
#[derive(Debug)]
pub struct List<T>(PhantomData<T>);

/// Lines of JSON.
#[derive(Debug)]
pub struct Lines<T>(PhantomData<T>);

/// Server-sent events with JSON as their data.
#[derive(Debug)]
pub struct EventStream<T>(PhantomData<T>);

/// Ledger export, as [`ledger_export`](crate::ledger_export) describes it.
#[derive(Debug)]
pub struct LedgerExport;

/// Export of lookups in one of the [`usage_formats`](crate::usage_formats).
#[derive(Debug)]
pub struct UsageExport;

/// Dump of the store.
#[derive(Debug)]
pub struct Dump;

const NDJSON: &[&str] = &["application/x-ndjson"];
/// Media type of server-sent events.
pub const EVENT_STREAM: &str = "text/event-stream";

impl<T: ToSchema + DeserializeOwned> Response for One<T> {
    type Data = T;
    const SCHEMA: ResponseSchema = ResponseSchema::One(schema_of::<T>);
}

impl<T: ToSchema + DeserializeOwned> Response for OneOrPage<T> {
    type Data = T;
    const SCHEMA: ResponseSchema = ResponseSchema::OneOrPage(schema_of::<T>);
}

impl<T: ToSchema + DeserializeOwned> Response for List<T> {
    type Data = Vec<T>;
    const SCHEMA: ResponseSchema = ResponseSchema::List(schema_of::<T>);
}

impl<T: ToSchema> Response for Lines<T> {
    type Data = ();
    const SCHEMA: ResponseSchema = ResponseSchema::Stream(NDJSON, Some(schema_of::<T>));
}

impl<T: ToSchema> Response for EventStream<T> {
    type Data = ();
    const SCHEMA: ResponseSchema = ResponseSchema::Stream(&[EVENT_STREAM], Some(schema_of::<T>));
}

impl Response for LedgerExport {
    type Data = ();
    const SCHEMA: ResponseSchema = ResponseSchema::Stream(NDJSON, None);
}

impl Response for UsageExport {
    type Data = ();
    const SCHEMA: ResponseSchema =
        ResponseSchema::Stream(&["text/csv", "application/x-ndjson"], None);
}

impl Response for Dump {
    type Data = ();
    const SCHEMA: ResponseSchema = ResponseSchema::Stream(&["application/octet-stream"], None);
}

/// Row of the table with the types of its request body and response.
#[derive(Debug)]
pub struct Route<B, R> {
    row: AdminRoute,
    types: PhantomData<fn(B) -> R>,
}

impl<B, R> Route<B, R> {
    pub(crate) const fn new(row: AdminRoute) -> Self {
        Self {
            row,
            types: PhantomData,
        }
    }

    /// Returns the row.
    pub const fn row(&self) -> &AdminRoute {
        &self.row
    }

    /// Creates a request with the values of the path's parameters, in their order.
    pub fn call<const N: usize>(&self, parameters: [&str; N]) -> Call<B, R> {
        debug_assert_eq!(
            self.row.path.matches('{').count(),
            N,
            "parameters of {}",
            self.row.path
        );
        let mut values = parameters.into_iter();
        let mut target = ADMIN_PREFIX.to_owned();
        for segment in self.row.path.split('/').skip(1) {
            let value = if segment.starts_with('{') {
                values.next().unwrap_or_default()
            } else {
                segment
            };
            target.push('/');
            target.extend(utf8_percent_encode(value, RESERVED));
        }
        Call {
            method: self.row.method,
            target,
            types: PhantomData,
        }
    }
}

/// Appends a query parameter with a percent-encoded value to path and query.
pub fn push_query(target: &mut String, name: &str, value: &str) {
    target.push(if target.contains('?') { '&' } else { '?' });
    target.push_str(name);
    target.push('=');
    target.extend(utf8_percent_encode(value, RESERVED));
}

/// Request of a route without its body. Path segments and query values are percent-encoded.
#[derive(Debug)]
pub struct Call<B, R> {
    method: Method,
    target: String,
    types: PhantomData<fn(B) -> R>,
}

impl<B, R> Clone for Call<B, R> {
    fn clone(&self) -> Self {
        Self {
            method: self.method,
            target: self.target.clone(),
            types: PhantomData,
        }
    }
}

impl<B, R> Call<B, R> {
    /// Adds a query parameter if it has a value.
    #[must_use]
    pub fn with_query(mut self, name: &str, value: Option<&str>) -> Self {
        if let Some(value) = value {
            push_query(&mut self.target, name, value);
        }
        self
    }

    /// Returns the method.
    pub const fn method(&self) -> Method {
        self.method
    }

    /// Returns path and query.
    pub fn target(&self) -> &str {
        &self.target
    }
}

#[cfg(test)]
mod tests {
    use crate::admin::routes::LIST_LABELS;

    #[test]
    fn names_cannot_leave_their_segment() {
        let call = LIST_LABELS
            .call(["a/../b c?é"])
            .with_query("after", Some("x&y"))
            .with_query("limit", None);
        assert_eq!(
            call.target(),
            "/admin/v1/contexts/a%2F..%2Fb%20c%3F%C3%A9/labels?after=x%26y"
        );
    }
}

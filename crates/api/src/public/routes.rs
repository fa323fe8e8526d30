//! Table of the public API: one row for each operation.
//!
//! The router, the OpenAPI document and the test of scopes are derived from it.

mod webhooks;

pub use webhooks::{
    CHANGE_WEBHOOK, CREATE_WEBHOOK, DELETE_WEBHOOK, GET_WEBHOOK, LIST_WEBHOOK_DELIVERIES,
    LIST_WEBHOOKS, REPLAY_WEBHOOK, ROTATE_WEBHOOK, TEST_WEBHOOK,
};

use super::{
    BatchLookup, BatchLookupResponse, ChangeContext, ContextView, CreateSession, CreatedSession,
    DECIMALS_DEFAULT, DECIMALS_MAX, DeletedSnapshot, Events, InvoicesOfClient,
    LookupDetailResponse, LookupResponse, NewSnapshot, Quote, QuoteRequest, RegisterContext,
    RegisteredContext, SignedLedgerHead, SignedManifest, Snapshot, SnapshotFormat, Snapshots,
    UsageOfClient, VerifiedReceipt, VerifyReceipt,
};
use crate::admin::Invoice;
use crate::openapi::{
    SchemaFn, address_schema, context_id_pattern, idempotency_key, optional_query, query, schema_of,
};
use crate::route::{BODY_ERRORS, Method};
use crate::usage_formats::ExportFormat;
use crate::{ErrorId, KeySet};
use serde_json::{Value, json};
use voight_domain::events::EventType;
use voight_domain::snapshot::MAX_AMOUNT_DECIMALS;
use voight_domain::vocabulary::Scope;

/// Row of the table of the public API.
#[derive(Debug, Clone, Copy)]
pub struct PublicRoute {
    /// HTTP method.
    pub method: Method,
    /// Path with the names of its parameters.
    pub path: &'static str,
    /// Operation id.
    pub id: &'static str,
    /// Summary in one line.
    pub summary: &'static str,
    /// Description.
    pub description: &'static str,
    /// Scope that the API key needs; `None` if the operation requires no key.
    pub scope: Option<Scope>,
    /// Parameters in path, query and headers, as OpenAPI objects.
    pub(crate) parameters: fn() -> Vec<Value>,
    /// Request body; `None` without one.
    pub request: Option<RequestContent>,
    /// Body of the 200 response.
    pub response: ResponseBody,
    /// Additional headers of the 200 response: name, `true` if always present, description.
    pub headers: &'static [(&'static str, bool, &'static str)],
    /// Errors of this operation only.
    pub errors: &'static [ErrorId],
}

/// Body of a request.
#[derive(Debug, Clone, Copy)]
pub enum RequestContent {
    /// JSON of this schema.
    Json(SchemaFn),
    /// File of one of these media types.
    Files(&'static [&'static str]),
}

/// Body of a 200 response.
#[derive(Debug, Clone, Copy)]
pub enum ResponseBody {
    /// Success envelope around a value of this schema.
    Enveloped(SchemaFn),
    /// Value of this schema, without an envelope.
    Plain(SchemaFn),
    /// JSON object without a schema.
    Object,
    /// Text of one of these media types.
    Text(&'static [&'static str]),
    /// Bytes of one of these media types.
    File(&'static [&'static str]),
}

/// Numbers of entries of a page.
#[derive(Debug, Clone, Copy)]
pub struct PageLimits {
    /// Default.
    pub default: usize,
    /// Maximum. A page is built in memory.
    pub max: usize,
}

/// Rows in a page of [`EXPORT_USAGE`].
pub const EXPORT_PAGE: PageLimits = PageLimits {
    default: 1_000,
    max: 10_000,
};
/// Invoices in a page of [`LIST_INVOICES`].
pub const INVOICE_PAGE: PageLimits = PageLimits {
    default: 20,
    max: 100,
};

/// Events in a page of [`LIST_EVENTS`].
pub const EVENT_PAGE: PageLimits = PageLimits {
    default: 100,
    max: 100,
};
/// Attempts in a page of [`LIST_WEBHOOK_DELIVERIES`].
pub const DELIVERY_PAGE: PageLimits = PageLimits {
    default: 50,
    max: 100,
};
/// Maximum time in seconds for which [`LIST_EVENTS`] waits for an event.
pub const MAX_EVENT_WAIT_SECONDS: u64 = 30;

/// Errors of every operation.
const COMMON_ERRORS: [ErrorId; 5] = [
    ErrorId::MethodNotAllowed,
    ErrorId::UriTooLong,
    ErrorId::HeadersTooLarge,
    ErrorId::Internal,
    ErrorId::Unavailable,
];

/// Additional errors of operations that need a key.
const API_KEY_ERRORS: [ErrorId; 5] = [
    ErrorId::RateLimited,
    ErrorId::InvalidKey,
    ErrorId::Forbidden,
    ErrorId::KeyInBrowser,
    ErrorId::ClientSuspended,
];

impl PublicRoute {
    /// Returns the errors that the operation can return.
    pub fn all_errors(&self) -> impl Iterator<Item = ErrorId> {
        let with_key = self
            .scope
            .is_some()
            .then_some(API_KEY_ERRORS)
            .into_iter()
            .flatten();
        let with_body = self
            .request
            .is_some()
            .then_some(BODY_ERRORS)
            .into_iter()
            .flatten();
        COMMON_ERRORS
            .into_iter()
            .chain(with_key)
            .chain(with_body)
            .chain(self.errors.iter().copied())
    }
}

/// Pattern of a date or an RFC 3339 time. A pattern cannot exclude dates that do not exist.
const INSTANT: &str = concat!(
    "^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])",
    "(?:T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?(?:Z|[+-][0-9]{2}:[0-9]{2}))?$"
);

/// All rows.
pub const PUBLIC_ROUTES: &[PublicRoute] = &[
    REGISTER_CONTEXT,
    LOOK_UP_ADDRESS,
    LOOK_UP_ADDRESS_DETAIL,
    LOOK_UP_BATCH,
    CREATE_QUOTE,
    CREATE_SNAPSHOT,
    LIST_SNAPSHOTS,
    GET_SNAPSHOT,
    UPLOAD_ADDRESSES,
    FINALIZE_SNAPSHOT,
    GET_SNAPSHOT_FILE,
    GET_SNAPSHOT_MANIFEST,
    DELETE_SNAPSHOT,
    CREATE_SESSION,
    VERIFY_RECEIPT,
    CHANGE_CONTEXT,
    GET_USAGE,
    GET_LEDGER_HEAD,
    EXPORT_USAGE,
    LIST_INVOICES,
    GET_INVOICE,
    LIST_EVENTS,
    CREATE_WEBHOOK,
    LIST_WEBHOOKS,
    GET_WEBHOOK,
    CHANGE_WEBHOOK,
    DELETE_WEBHOOK,
    ROTATE_WEBHOOK,
    TEST_WEBHOOK,
    REPLAY_WEBHOOK,
    LIST_WEBHOOK_DELIVERIES,
    GET_KEYS,
    GET_OPEN_API,
    GET_LIVENESS,
];

/// Register a context.
pub const REGISTER_CONTEXT: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/register/context_id",
    id: "registerContext",
    summary: "Register a context",
    description: "Generates a context id from the title and ties it to the calling API key. Never billed, any number. \
        The query parameters eoa_address and context_id are accepted and ignored.",
    scope: Some(Scope::ContextRegister),
    parameters: || vec![idempotency_key()],
    request: Some(RequestContent::Json(schema_of::<RegisterContext>)),
    response: ResponseBody::Enveloped(schema_of::<RegisteredContext>),
    headers: &[(
        "idempotency-replayed",
        false,
        "`true` if this answers a retry; it is not billed.",
    )],
    errors: &[
        ErrorId::InvalidTitle,
        ErrorId::IdempotencyConflict,
        ErrorId::IdempotencyKeyReused,
    ],
};

/// Query the identification result for an address.
pub const LOOK_UP_ADDRESS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/users/eoa",
    id: "lookUpAddress",
    summary: "Query the identification result for an address",
    description: "Answers whether the address has ever been a bot in the context. Every answer is recorded, and billed \
        after the free allowance. An unknown address is answered with isBot false and score 0.",
    scope: Some(Scope::LookupRead),
    parameters: lookup_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<LookupResponse>),
    headers: LOOKUP_HEADERS,
    errors: LOOKUP_ERRORS,
};

/// Query the identification result for an address with its basis.
pub const LOOK_UP_ADDRESS_DETAIL: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/users/eoa/detail",
    id: "lookUpAddressDetail",
    summary: "Query the identification result for an address with its basis",
    description: "Answers as the plain lookup does, and tells addresses apart that were never checked, that are taken for \
        a human's or a bot's, and whose checks supported neither. It is one lookup: recorded, billed and limited as the \
        plain one. An idempotency key is scoped to this endpoint.",
    scope: Some(Scope::LookupRead),
    parameters: lookup_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<LookupDetailResponse>),
    headers: LOOKUP_HEADERS,
    errors: LOOKUP_ERRORS,
};

/// Query the identification results for several addresses.
pub const LOOK_UP_BATCH: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/users/eoa/batch",
    id: "lookUpBatch",
    summary: "Query the identification results for several addresses",
    description: "Answers 1 to 1,000 addresses of one context as the plain lookup does, in the order of the request. \
        Each distinct valid address is one lookup: recorded and billed as the plain one, all of the batch or none. \
        An invalid address gets an error of its own and is not billed. If a cap does not allow the whole batch, \
        nothing is answered, and `error.remaining` tells how many lookups it still allows. With an Idempotency-Key, \
        the same set of addresses is answered as the first time; the key is scoped to this endpoint. Each entry of \
        the batch counts against the rate limit of lookups; a batch above the burst is accepted when no lookup was counted \
        recently, and the next request waits until all of its entries have become available again. A client's sandbox has \
        10,000 lookups a day; further ones are rejected with 402.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![idempotency_key()],
    request: Some(RequestContent::Json(schema_of::<BatchLookup>)),
    response: ResponseBody::Enveloped(schema_of::<BatchLookupResponse>),
    headers: LOOKUP_HEADERS,
    errors: &[
        ErrorId::UnknownContextForKey,
        ErrorId::QuotaExceeded,
        ErrorId::IdempotencyConflict,
        ErrorId::IdempotencyKeyReused,
    ],
};

/// Quote the cost of lookups.
pub const CREATE_QUOTE: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/quotes",
    id: "createQuote",
    summary: "Quote the cost of lookups",
    description: "Estimates what the next lookups of the client cost, for example before a batch. The amount is exact if \
        the client records no other lookup in between and all of them before the period ends. If a cap does not \
        allow as many, `error.remaining` tells how many it allows. Nothing is recorded, billed or reserved; the request counts \
        against the rate limit of lookups. A sandbox key gets the same figures, though its lookups are never billed.",
    scope: Some(Scope::LookupRead),
    parameters: Vec::new,
    request: Some(RequestContent::Json(schema_of::<QuoteRequest>)),
    response: ResponseBody::Enveloped(schema_of::<Quote>),
    headers: &[],
    errors: &[ErrorId::UnknownContextForKey, ErrorId::QuotaExceeded],
};

/// Create a snapshot.
pub const CREATE_SNAPSHOT: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/snapshots",
    id: "createSnapshot",
    summary: "Create a snapshot",
    description: "Creates a job that looks up a list of addresses in one context: those with a verdict (source `seen`), or \
        those of an upload. Each address is one lookup, recorded and billed once, also after an interruption. A job pauses \
        while a cap is reached, and continues in the next period. A snapshot is deleted after 30 days.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![idempotency_key()],
    request: Some(RequestContent::Json(schema_of::<NewSnapshot>)),
    response: ResponseBody::Enveloped(schema_of::<Snapshot>),
    headers: &[],
    errors: &[
        ErrorId::UnknownContextForKey,
        ErrorId::SnapshotConflict,
        ErrorId::IdempotencyKeyReused,
    ],
};

/// List the snapshots.
pub const LIST_SNAPSHOTS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/snapshots",
    id: "listSnapshots",
    summary: "List the snapshots",
    description: "All snapshots of the client in the environment of the key, in the order of their creation.",
    scope: Some(Scope::LookupRead),
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<Snapshots>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest],
};

/// The state of a snapshot.
pub const GET_SNAPSHOT: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/snapshots/{id}",
    id: "getSnapshot",
    summary: "The state of a snapshot",
    description: "Ask for it until the state is `draft`, or `final` after a finalisation.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![snapshot_id()],
    request: None,
    response: ResponseBody::Enveloped(schema_of::<Snapshot>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest, ErrorId::NotFound],
};

/// Upload the addresses of a snapshot.
pub const UPLOAD_ADDRESSES: PublicRoute = PublicRoute {
    method: Method::Put,
    path: "/api/v1/snapshots/{id}/addresses",
    id: "uploadAddresses",
    summary: "Upload the addresses of a snapshot",
    description: "Takes 1 to 1,000,000 addresses, each with an amount if you like, as CSV, lines of JSON, Parquet or Merkle tree \
        dump; text may have the Content-Encoding gzip or zstd. Columns are found by their names (`address`, `wallet`, \
        `recipient`; `amount`, `reward`) or by parameters, never by their positions. A file with amounts must state their \
        unit. All lines are accepted or none; the error lists the lines that are wrong, at most 100. A repeated address \
        counts once. The response has a summary; with `dry_run=true` nothing is stored, looked up or billed.",
    scope: Some(Scope::LookupRead),
    parameters: upload_parameters,
    request: Some(RequestContent::Files(&[
        "text/csv",
        "application/x-ndjson",
        "application/vnd.apache.parquet",
        "application/json",
    ])),
    response: ResponseBody::Enveloped(schema_of::<Snapshot>),
    headers: &[],
    errors: &[ErrorId::NotFound, ErrorId::SnapshotConflict],
};

/// Finalise a snapshot.
pub const FINALIZE_SNAPSHOT: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/snapshots/{id}/finalize",
    id: "finalizeSnapshot",
    summary: "Finalise a snapshot",
    description: "Reads the verdicts of a draft again, for example after appeals. Nothing is billed. The file `changes` \
        lists the addresses whose answer has changed. A repeated request changes nothing.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![snapshot_id()],
    request: None,
    response: ResponseBody::Enveloped(schema_of::<Snapshot>),
    headers: &[],
    errors: &[
        ErrorId::InvalidRequest,
        ErrorId::NotFound,
        ErrorId::SnapshotConflict,
    ],
};

/// Download a file of a snapshot.
pub const GET_SNAPSHOT_FILE: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/snapshots/{id}/file",
    id: "getSnapshotFile",
    summary: "Download a file of a snapshot",
    description: "The rows as `csv`, `ndjson` or `parquet`; the rewards as the Merkle tree `merkle` (format standard-v1 of \
        OpenZeppelin) or as `airdrop` (CSV of addresses and whole tokens); or `changes`, the rows whose final answer \
        differs from that of the draft. Equal rows give equal bytes. A download can be resumed with Range and If-Range.",
    scope: Some(Scope::LookupRead),
    parameters: snapshot_file_parameters,
    request: None,
    response: ResponseBody::File(&[
        "text/csv",
        "application/x-ndjson",
        "application/vnd.apache.parquet",
        "application/json",
    ]),
    headers: &[
        ("etag", true, "SHA-256 of the file, in quotes."),
        ("accept-ranges", true, "`bytes`."),
    ],
    errors: &[
        ErrorId::InvalidRequest,
        ErrorId::NotFound,
        ErrorId::SnapshotConflict,
        ErrorId::RangeNotSatisfiable,
    ],
};

/// The signed manifest of a snapshot.
pub const GET_SNAPSHOT_MANIFEST: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/snapshots/{id}/manifest",
    id: "getSnapshotManifest",
    summary: "The signed manifest of a snapshot",
    description: "A compact JWS (type snapshot+jwt) over the SHA-256 of a file, the numbers of rows by status, the last ledger \
        row of the snapshot and the times. Verify it with the key of /.well-known/voight-keys.json that its kid names.",
    scope: Some(Scope::LookupRead),
    parameters: snapshot_file_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<SignedManifest>),
    headers: &[],
    errors: &[
        ErrorId::InvalidRequest,
        ErrorId::NotFound,
        ErrorId::SnapshotConflict,
    ],
};

/// Delete a snapshot.
pub const DELETE_SNAPSHOT: PublicRoute = PublicRoute {
    method: Method::Delete,
    path: "/api/v1/snapshots/{id}",
    id: "deleteSnapshot",
    summary: "Delete a snapshot",
    description: "Deletes the rows of a snapshot and ends its job. Lookups that are recorded stay recorded and billed.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![snapshot_id()],
    request: None,
    response: ResponseBody::Enveloped(schema_of::<DeletedSnapshot>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest, ErrorId::NotFound],
};

/// Vouch for an address.
pub const CREATE_SESSION: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/sessions",
    id: "createSession",
    summary: "Vouch for an address",
    description: "Returns a short-lived token by which the platform's backend says that the address is its visitor's. \
        The page hands it to the component as `session`. Never billed.",
    scope: Some(Scope::LookupRead),
    parameters: Vec::new,
    request: Some(RequestContent::Json(schema_of::<CreateSession>)),
    response: ResponseBody::Enveloped(schema_of::<CreatedSession>),
    headers: &[],
    errors: &[
        ErrorId::InvalidAddress,
        ErrorId::InvalidChecksum,
        ErrorId::UnknownContextForKey,
    ],
};

/// Redeem a receipt.
pub const VERIFY_RECEIPT: PublicRoute = PublicRoute {
    method: Method::Post,
    path: "/api/v1/receipts/verify",
    id: "verifyReceipt",
    summary: "Redeem a receipt",
    description: "Redeems a receipt, which proves that a check was completed. It is valid once, within ten minutes; a retry with the same Idempotency-Key is answered `valid` again. The response contains no findings. Never billed; it counts against the \
        rate limit of lookups.",
    scope: Some(Scope::LookupRead),
    parameters: || vec![idempotency_key()],
    request: Some(RequestContent::Json(schema_of::<VerifyReceipt>)),
    response: ResponseBody::Enveloped(schema_of::<VerifiedReceipt>),
    headers: &[(
        "idempotency-replayed",
        false,
        "`true` if this answers a retry.",
    )],
    errors: &[ErrorId::IdempotencyConflict, ErrorId::IdempotencyKeyReused],
};

/// Change the settings of a context.
pub const CHANGE_CONTEXT: PublicRoute = PublicRoute {
    method: Method::Patch,
    path: "/api/v1/contexts/{context_id}",
    id: "changeContext",
    summary: "Change the settings of a context",
    description: "Every member that is sent replaces the setting; the others stay. Answers with the context.",
    scope: Some(Scope::ContextRegister),
    parameters: || {
        vec![json!({
            "name": "context_id",
            "in": "path",
            "required": true,
            "description": "A context that this key may use.",
            "schema": context_id_pattern(),
        })]
    },
    request: Some(RequestContent::Json(schema_of::<ChangeContext>)),
    response: ResponseBody::Enveloped(schema_of::<ContextView>),
    headers: &[],
    errors: &[ErrorId::UnknownContextForKey, ErrorId::NotFound],
};

/// Usage of the client.
pub const GET_USAGE: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/usage",
    id: "getUsage",
    summary: "Usage of the client",
    description: "Lookups of all keys of the client, by day and by context. A sandbox key reads the client's sandbox, where nothing is billed. The read itself is never billed. Needs the scope usage:read.",
    scope: Some(Scope::UsageRead),
    parameters: span_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<UsageOfClient>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest],
};

/// The signed head of the client's ledger.
pub const GET_LEDGER_HEAD: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/usage/head",
    id: "getLedgerHead",
    summary: "The signed head of the client's ledger",
    description: "Save the heads: a ledger whose chain does not contain a signed head was rewritten. The \
        signature is EdDSA; verify it with the key of /.well-known/voight-keys.json that its kid names. Needs the scope \
        usage:read.",
    scope: Some(Scope::UsageRead),
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<SignedLedgerHead>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest],
};

/// Export the client's lookups.
pub const EXPORT_USAGE: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/usage/export",
    id: "exportUsage",
    summary: "Export the client's lookups",
    description: "One record for each billable lookup of the whole client, a page at a time, as CSV, as CloudEvents (lines of \
        JSON, which OpenMeter takes) or as batches for Lago (lines of JSON). Not in an envelope. Records are named for ever, so \
        that one that is taken twice is known. The read itself is never billed. Needs the scope usage:read.",
    scope: Some(Scope::UsageRead),
    parameters: export_parameters,
    request: None,
    response: ResponseBody::Text(&["text/csv", "application/x-ndjson"]),
    headers: &[(
        "voight-next",
        false,
        "Value of `after` for the next page; absent on the last one.",
    )],
    errors: &[ErrorId::InvalidRequest],
};

/// The client's invoices.
pub const LIST_INVOICES: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/invoices",
    id: "listInvoices",
    summary: "The client's invoices",
    description: "By number, the newest last, void ones included. A sandbox key has none. The read itself is never billed. \
        Needs the scope usage:read.",
    scope: Some(Scope::UsageRead),
    parameters: invoice_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<InvoicesOfClient>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest],
};

/// One of the client's invoices.
pub const GET_INVOICE: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/invoices/{id}",
    id: "getInvoice",
    summary: "One of the client's invoices",
    description: "As it was issued; only its state changes. A sandbox key has none. The read itself is never billed. Needs the \
        scope usage:read.",
    scope: Some(Scope::UsageRead),
    parameters: || {
        vec![json!({
            "name": "id",
            "in": "path",
            "required": true,
            "description": "The id of an invoice of this client.",
            "schema": { "type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}-[1-9][0-9]{0,8}$" },
        })]
    },
    request: None,
    response: ResponseBody::Enveloped(schema_of::<Invoice>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest, ErrorId::NotFound],
};

/// The public keys of receipts and of heads of ledgers.
pub const GET_KEYS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/.well-known/voight-keys.json",
    id: "getKeys",
    summary: "The public keys of receipts and of heads of ledgers",
    description: "A JWK set. Receipts (type voight-receipt+jwt) and heads of ledgers (type head+jwt) are compact JWS signed with \
        EdDSA; verify them with the key that their kid names. A receipt counts only if its key has no retired_at and is the \
        first, or if it is dated at most a minute after the retired_at of its key; heads of ledgers stay valid.",
    scope: None,
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Plain(schema_of::<KeySet>),
    headers: &[],
    errors: &[],
};

/// This document.
pub const GET_OPEN_API: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/openapi.json",
    id: "getOpenApi",
    summary: "This document",
    description: "The OpenAPI description of the public API.",
    scope: None,
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Object,
    headers: &[],
    errors: &[],
};

/// Liveness.
pub const GET_LIVENESS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/livez",
    id: "getLiveness",
    summary: "Liveness",
    description: "The process responds. The response does not depend on the store; it is also sent while the service drains or sheds load.",
    scope: None,
    parameters: Vec::new,
    request: None,
    response: ResponseBody::Text(&["text/plain"]),
    headers: &[],
    errors: &[],
};

/// Path parameter `id` of a snapshot.
fn snapshot_id() -> Value {
    json!({
        "name": "id",
        "in": "path",
        "required": true,
        "description": "The id of a snapshot of this client.",
        "schema": { "type": "string", "pattern": "^[0-7][0-9a-hjkmnp-tv-z]{25}$" },
    })
}

/// Parameters of an upload.
fn upload_parameters() -> Vec<Value> {
    let text = json!({ "type": "string" });
    let flag = json!({ "type": "boolean", "default": false });
    let unit = json!({ "type": "string", "enum": ["base", "tokens"] });
    let decimals = json!({ "type": "integer", "minimum": 0, "maximum": MAX_AMOUNT_DECIMALS });
    let column = "its name, or its number from 1 on. Default: the column with a known name";
    vec![
        snapshot_id(),
        optional_query(
            "address_column",
            &format!("Column of the addresses: {column}."),
            text.clone(),
        ),
        optional_query(
            "amount_column",
            &format!("Column of the amounts: {column}, or none."),
            text,
        ),
        optional_query("no_amounts", "Read no amounts from the file.", flag.clone()),
        optional_query(
            "unit",
            "Unit of the amounts: base units of the token, or tokens.",
            unit,
        ),
        optional_query(
            "decimals",
            "Number of decimals of the token. Without `unit`, the amounts are tokens.",
            decimals,
        ),
        optional_query(
            "dry_run",
            "Read the file and return its summary; store nothing.",
            flag,
        ),
    ]
}

fn snapshot_file_parameters() -> Vec<Value> {
    let format =
        json!({ "type": "string", "enum": SnapshotFormat::ALL.map(SnapshotFormat::as_str) });
    let decimals = json!({ "type": "integer", "minimum": 0, "maximum": DECIMALS_MAX, "default": DECIMALS_DEFAULT });
    vec![
        snapshot_id(),
        query("format", "The file.", format),
        optional_query(
            "decimals",
            "Number of decimals of the token, for the file `airdrop`.",
            decimals,
        ),
    ]
}

/// Query parameters of all lookups.
fn lookup_parameters() -> Vec<Value> {
    vec![
        query("eoa_address", "The address to ask about.", address_schema()),
        query(
            "context_id",
            "A context that this key may use.",
            context_id_pattern(),
        ),
        idempotency_key(),
    ]
}

/// Response headers of all lookups.
const LOOKUP_HEADERS: &[(&str, bool, &str)] = &[
    (
        "voight-meter",
        true,
        "The sequence number of the last recorded row of the ledger and the head of its chain after it.",
    ),
    (
        "idempotency-replayed",
        false,
        "`true` if this answers a retry; it is not billed.",
    ),
];

/// Errors of all lookups, in addition to those of every request with a key.
const LOOKUP_ERRORS: &[ErrorId] = &[
    ErrorId::InvalidRequest,
    ErrorId::InvalidAddress,
    ErrorId::InvalidChecksum,
    ErrorId::UnknownContextForKey,
    ErrorId::QuotaExceeded,
    ErrorId::IdempotencyConflict,
    ErrorId::IdempotencyKeyReused,
];

/// Returns the query parameters `from` and `to`.
fn span_parameters() -> Vec<Value> {
    let instant =
        |example: &str| json!({ "type": "string", "pattern": INSTANT, "examples": [example] });
    let from = "The first instant: a date (its midnight, UTC) or an RFC 3339 time. By default the current period's.";
    let to = "The first instant that does not belong to it any more, 400 days after from at most. By default the current period's \
        end.";
    vec![
        optional_query("from", from, instant("2026-11-01")),
        optional_query("to", to, instant("2026-12-01T00:00:00Z")),
    ]
}

fn export_parameters() -> Vec<Value> {
    let format = json!({ "type": "string", "enum": ExportFormat::ALL.map(ExportFormat::as_str) });
    let first_row = json!({ "type": "integer", "minimum": 0, "maximum": u64::MAX, "default": 0 });
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": EXPORT_PAGE.max, "default": EXPORT_PAGE.default });
    let mut parameters = vec![query("format", "Format of the export.", format)];
    parameters.extend(span_parameters());
    parameters.push(optional_query(
        "after",
        "Sequence number after which the page starts.",
        first_row,
    ));
    parameters.push(optional_query(
        "limit",
        "Maximum number of ledger rows to read.",
        limit,
    ));
    parameters
}

/// The events of the client.
pub const LIST_EVENTS: PublicRoute = PublicRoute {
    method: Method::Get,
    path: "/api/v1/events",
    id: "listEvents",
    summary: "The client's events",
    description: "What changed for the client, in order and without gaps: verdicts, contexts, keys, usage, invoices and \
        snapshots of the last 30 days. Read with `after=0` first, then with the `next` of the page before. With `wait`, a \
        request for which there is no event is answered when one happens, or after this time; a client's requests above eight \
        are answered at once. An event has a verdict only for an address that was looked up before in the context. A \
        sandbox key reads events of the sandbox. The read itself is never billed. Needs the scope events:read.",
    scope: Some(Scope::EventsRead),
    parameters: event_parameters,
    request: None,
    response: ResponseBody::Enveloped(schema_of::<Events>),
    headers: &[],
    errors: &[ErrorId::InvalidRequest, ErrorId::EventsExpired],
};

fn event_parameters() -> Vec<Value> {
    let cursor = json!({ "type": "integer", "minimum": 0, "maximum": i64::MAX, "default": 0 });
    let PageLimits { default, max } = EVENT_PAGE;
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default });
    let wait =
        json!({ "type": "integer", "minimum": 0, "maximum": MAX_EVENT_WAIT_SECONDS, "default": 0 });
    let names: Vec<_> = EventType::ALL
        .iter()
        .map(|event_type| event_type.as_str())
        .collect();
    let types = json!({ "type": "string", "minLength": 1 });
    vec![
        optional_query(
            "after",
            "Number of the event after which the page starts.",
            cursor,
        ),
        optional_query(
            "types",
            &format!(
                "Types of the events, separated by commas; all types without it. The types are {}.",
                names.join(", ")
            ),
            types,
        ),
        optional_query("limit", "Maximum number of events in the response.", limit),
        optional_query(
            "wait",
            "Seconds to wait for an event if there is none.",
            wait,
        ),
    ]
}

fn invoice_parameters() -> Vec<Value> {
    let cursor = json!({ "type": "integer", "minimum": 0, "maximum": u32::MAX, "default": 0 });
    let PageLimits { default, max } = INVOICE_PAGE;
    let limit = json!({ "type": "integer", "minimum": 1, "maximum": max, "default": default });
    vec![
        optional_query(
            "after",
            "Number of the invoice after which the page starts.",
            cursor,
        ),
        optional_query(
            "limit",
            "Maximum number of invoices in the response.",
            limit,
        ),
    ]
}

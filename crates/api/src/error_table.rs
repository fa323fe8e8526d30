//! Error table: every error that the service returns has a row here.

/// Public form of an error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorSpec {
    /// HTTP status.
    pub status: u16,
    /// `error.code`, for programs.
    pub code: &'static str,
    /// `error.id`: stable for each cause, not for each occurrence.
    pub id: &'static str,
    /// `error.message`, unless the occurrence has a more specific one.
    pub message: &'static str,
    /// Cause of the error, for the documentation.
    pub cause: &'static str,
    /// Remedy beyond the message, for the documentation.
    pub action: &'static str,
    /// APIs that return the error.
    pub apis: &'static [Api],
    /// Effect of sending the same request again.
    pub retry: Retry,
}

/// API of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// `/api/v1` of the public listener, for platforms.
    Public,
    /// The admin listener, for operators.
    Admin,
    /// `/window/v1` of the public listener, for the window.
    Window,
}

/// Effect of sending the same request again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Retry {
    /// The request fails again.
    No,
    /// The request may succeed.
    Yes,
    /// The request may succeed after the seconds in the `Retry-After` header of the response.
    RetryAfter,
}

/// Declares the enum together with its rows, so that every variant has a row. The doc comment of a variant is its cause.
macro_rules! error_table {
    ($(
        #[doc = $cause:literal]
        $name:ident = $status:literal $code:literal $id:literal of [$($api:ident)*] retry $retry:ident
            $message:literal $action:literal;
    )*) => {
        /// Errors that the service returns.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorId { $(#[doc = $cause] $name,)* }

        impl ErrorId {
            /// All errors, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the row of this error.
            pub const fn row(self) -> ErrorSpec {
                match self {
                    $(Self::$name => ErrorSpec {
                        status: $status,
                        code: $code,
                        id: $id,
                        message: $message,
                        cause: $cause.trim_ascii(),
                        action: $action,
                        apis: &[$(Api::$api),*],
                        retry: Retry::$retry,
                    },)*
                }
            }
        }
    };
}

error_table! {
    /// The body is not JSON, is an array, has trailing bytes or a duplicate member, or is not UTF-8.
    InvalidJson = 400 "INVALID_JSON" "m_r_b_1" of [Public Admin Window] retry No
        "The body is not one JSON object; send {\"name\": value, …} in UTF-8."
        "Serialise the body with a JSON library instead of building the text.";
    /// A field or parameter is missing, unknown or repeated, a type is wrong, or the `Idempotency-Key` is malformed.
    InvalidRequest = 400 "INVALID_REQUEST" "m_g_p_1" of [Public Admin Window] retry No
        "A parameter is missing, unknown, repeated or of the wrong type."
        "Correct the parameter that the message names.";
    /// The context title does not follow the rule for titles.
    InvalidTitle = 400 "INVALID_TITLE" "m_r_t_1" of [Public] retry No
        "context_title must be 1 to 64 letters, digits, '_' or '-', beginning and ending with a letter or digit."
        "Choose another title; it need not be unique.";
    /// The address is not `0x` and 40 hexadecimal digits.
    InvalidAddress = 400 "INVALID_ADDRESS" "m_l_e_1" of [Public Window] retry No
        "eoa_address must be 0x followed by 40 hexadecimal digits."
        "Send the account address of the wallet. Resolve ENS names first.";
    /// The address is in mixed case and fails EIP-55.
    InvalidChecksum = 400 "INVALID_CHECKSUM" "m_l_e_2" of [Public Window] retry No
        "eoa_address is in mixed case and fails its EIP-55 checksum; check it for a typing error, or send it in lower case."
        "Take the address from the wallet. Convert it to lower case only if it was not typed by hand.";
    /// The originSite is not a URL of the page's origin.
    OriginMismatch = 400 "ORIGIN_MISMATCH" "m_w_o_2" of [Window] retry No
        "originSite is not a URL of the page that hosts the check."
        "Set `origin-site` of the component to a URL of the page that contains it.";
    /// The evidence does not follow the schema.
    InvalidEvidence = 400 "INVALID_EVIDENCE" "m_w_e_1" of [Window] retry No
        "The evidence does not follow schema version 1."
        "Reload the page, so that the window and the service have the same version. The log names the member.";
    /// The key is missing, repeated, malformed, unknown, revoked or expired; the response is the same for all causes.
    InvalidKey = 401 "UNAUTHORIZED" "m_a_k_1" of [Public] retry No
        "Bad API key or context id: send a valid key in the x-api-key header."
        "List the keys with `voight key list`; create or rotate one if none is valid.";
    /// The context is malformed, unknown or another key's; the response is the same for all causes.
    UnknownContextForKey = 401 "UNAUTHORIZED" "m_a_c_1" of [Public] retry No
        "Bad API key or context id: use a context_id that this API key has registered."
        "Compare the context with `voight context list`. Move it with `voight context move` if another key registered it.";
    /// The token of the admin listener is missing or wrong.
    BadAdminToken = 401 "UNAUTHORIZED" "m_a_t_1" of [Admin] retry No
        "Send the admin token as Authorization: Bearer <token>; it is in admin.token in the data directory."
        "Send the current token. A named token may have been rotated or revoked: `voight admin token list`.";
    /// The client's own hard cap, or the daily limit of its sandbox, is reached.
    QuotaExceeded = 402 "QUOTA_EXCEEDED" "m_b_q_1" of [Public] retry No
        "The cap on billable lookups of this period is reached."
        "Wait for the next period, or let the operator raise the cap with `voight client cap`. In the sandbox, wait for the next \
         day.";
    /// The key lacks the scope, or the caller's network is not on the key's list.
    Forbidden = 403 "FORBIDDEN" "m_a_s_1" of [Public] retry No
        "This key may not do this."
        "Use a key with the scope that the message names, from a network on the key's list.";
    /// The role of an admin token does not allow this; the message lists the roles that do.
    RoleForbidden = 403 "FORBIDDEN" "m_a_r_1" of [Admin] retry No
        "The role of this admin token does not allow this."
        "Use a token with one of the roles in the message.";
    /// A browser sent a secret key.
    KeyInBrowser = 403 "FORBIDDEN" "m_a_b_1" of [Public] retry No
        "A secret API key was sent by a browser, where every visitor can read it. Rotate the key now, and call from your server."
        "Revoke or rotate the key with `voight key rotate --now`, and remove it from the page.";
    /// An operator suspended or closed the client; the message says which.
    ClientSuspended = 403 "CLIENT_SUSPENDED" "m_a_u_1" of [Public] retry No
        "This client is suspended; ask the operator of the service."
        "The operator reads the reason with `voight client show`, and ends a suspension with `voight client resume`.";
    /// The page's origin is not on the list of allowed origins.
    OriginNotAllowed = 403 "ORIGIN_NOT_ALLOWED" "m_w_o_1" of [Window] retry No
        "This page's origin is not registered for this context."
        "Register the origin with `voight client origins` or `voight context set --origins`.";
    /// The session token is expired, malformed, or for another address or context.
    SessionInvalid = 403 "SESSION_INVALID" "m_w_s_1" of [Window] retry No
        "The session is expired, malformed, or for another address or context."
        "Reload the page, so that the platform's backend creates another session.";
    /// Neither a signature nor a trusted browser proves wallet ownership; the message has the reason.
    OwnershipNotProven = 403 "OWNERSHIP_NOT_PROVEN" "m_w_b_1" of [Window] retry No
        "The ownership of the wallet is not proven."
        "Sign again with the account that is checked.";
    /// The signature is that of a contract account.
    SignatureUnverifiable = 403 "SIGNATURE_UNVERIFIABLE" "m_w_b_2" of [Window] retry No
        "A contract account's signature cannot be verified here; let your platform's backend vouch for the visitor."
        "The platform's backend verifies ownership and creates a vouched session.";
    /// The protocol rejects the check; the response is the same for all reasons.
    CheckRejected = 403 "CHECK_REFUSED" "m_w_r_1" of [Window] retry No
        "The check was rejected; start again."
        "Start another check. The operator reads the reason in the log and in the metric `voight_requests_rejected_total`.";
    /// The path, or the object that it names, does not exist.
    NotFound = 404 "NOT_FOUND" "m_g_n_1" of [Public Admin Window] retry No
        "This path does not exist; the paths are listed at /openapi.json."
        "Correct the path or the id in it.";
    /// The webhook endpoint does not exist, or is another client's or environment's.
    WebhookNotFound = 404 "NOT_FOUND" "m_h_n_1" of [Public] retry No
        "There is no such webhook endpoint; list the endpoints for their ids."
        "Correct the id, or use a key of the environment of the endpoint.";
    /// The window requests a context that does not exist.
    ContextUnknown = 404 "CONTEXT_UNKNOWN" "m_w_c_1" of [Window] retry No
        "This context does not exist."
        "Set `context-id` of the component to a registered context.";
    /// The path does not allow this method.
    MethodNotAllowed = 405 "METHOD_NOT_ALLOWED" "m_g_m_1" of [Public Admin Window] retry No
        "This path does not allow this method; the Allow header lists the methods that it allows."
        "Use a method of the `Allow` header.";
    /// The body arrives too slowly.
    RequestTimeout = 408 "REQUEST_TIMEOUT" "m_g_t_1" of [Public Admin Window] retry Yes
        "The body took too long to arrive; send it again."
        "If it happens again, check the connection of the caller and the buffering of the reverse proxy.";
    /// Another request with the same idempotency key is still being processed after five seconds.
    IdempotencyConflict = 409 "IDEMPOTENCY_CONFLICT" "m_g_i_1" of [Public] retry Yes
        "A request with this Idempotency-Key is still being processed; try again later with the same key."
        "Repeat the request after a second with the same key: it is done and billed at most once.";
    /// An operator's change conflicts with existing data, for example a name that is in use.
    Conflict = 409 "CONFLICT" "m_g_c_1" of [Admin] retry No
        "The change conflicts with existing data."
        "Read the current state, then change the request as the message says.";
    /// The state of the snapshot does not allow the request, or the client has too many snapshots; the message says which.
    SnapshotConflict = 409 "SNAPSHOT_CONFLICT" "m_s_c_1" of [Public] retry No
        "The state of the snapshot does not allow this."
        "Read the state with `GET /api/v1/snapshots/{id}`, then send the request that it allows.";
    /// The client has the maximum number of webhook endpoints, or the endpoint too many pending events; the message says which.
    WebhookConflict = 409 "WEBHOOK_CONFLICT" "m_h_c_1" of [Public] retry No
        "The state of the webhook endpoints does not allow this."
        "Delete an endpoint that is not used, or repeat the replay when pending events are delivered.";
    /// The operator has not enabled outbound connections, so the service sends no webhooks.
    WebhooksDisabled = 409 "WEBHOOKS_DISABLED" "m_h_d_1" of [Public] retry No
        "This service sends no webhooks: its operator has not enabled outbound connections. Read the events at /api/v1/events."
        "The operator sets `outbound.enabled = true`. Without it, follow the event feed.";
    /// The context is archived, or its client is not active; a visitor cannot tell which.
    ContextClosed = 410 "CONTEXT_CLOSED" "m_w_c_2" of [Window] retry No
        "This context opens no new checks."
        "Remove the component from the page, or restore the context or the client.";
    /// The events after the requested number were deleted: events are stored for 30 days.
    EventsExpired = 410 "EVENTS_EXPIRED" "m_e_c_1" of [Public] retry No
        "The events after this number are deleted."
        "Continue after the number that the message names, and look up the addresses whose changes you missed.";
    /// The body exceeds its size limit.
    PayloadTooLarge = 413 "PAYLOAD_TOO_LARGE" "m_g_z_1" of [Public Admin Window] retry No
        "The body is too large."
        "Send at most the number of bytes in the message; divide a list into several requests.";
    /// The request target exceeds its length limit.
    UriTooLong = 414 "URI_TOO_LONG" "m_g_z_2" of [Public Admin Window] retry No
        "The request target is too long."
        "Send at most the number of bytes in the message, and no unknown parameters.";
    /// The body is not declared as JSON.
    UnsupportedMediaType = 415 "UNSUPPORTED_MEDIA_TYPE" "m_g_y_1" of [Public Admin Window] retry No
        "Send the body as JSON, with the header Content-Type: application/json."
        "Set the header once, without another charset than UTF-8.";
    /// The requested range begins after the end of the file.
    RangeNotSatisfiable = 416 "RANGE_NOT_SATISFIABLE" "m_s_r_1" of [Public] retry No
        "The range begins after the end of the file; the Content-Range header has its length."
        "Download the file from its beginning, and compare its ETag with that of the first part.";
    /// The `Host` of a request to the admin listener is not one of its own names.
    MisdirectedAdminRequest = 421 "MISDIRECTED_REQUEST" "m_a_h_1" of [Admin] retry No
        "The admin listener answers only to its own Host; it is listed as admin_hosts in the configuration."
        "Call the listener by its address, or add the name to `server.admin_hosts`.";
    /// The idempotency key was used before with other parameters.
    IdempotencyKeyReused = 422 "IDEMPOTENCY_KEY_REUSED" "m_g_i_2" of [Public] retry No
        "This Idempotency-Key was used with other parameters; use a new key for a new request."
        "Create one key for each request, for example a UUID, and reuse it only to repeat that request.";
    /// The caller sent too many requests.
    RateLimited = 429 "RATE_LIMITED" "m_g_r_1" of [Public Admin Window] retry RetryAfter
        "Too many requests; wait for the seconds that the Retry-After header names."
        "Spread the requests. The `RateLimit` headers show the remaining requests; the operator changes the limits under `limits` in the configuration.";
    /// The request headers exceed their size limit.
    HeadersTooLarge = 431 "HEADERS_TOO_LARGE" "m_g_h_1" of [Public Admin Window] retry No
        "The request's headers are too large."
        "Send fewer or shorter headers, for example no cookies.";
    /// The service has a bug.
    Internal = 500 "INTERNAL_ERROR" "m_g_x_1" of [Public Admin Window] retry No
        "The service failed because of an internal error; report the x-request-id of this response."
        "The operator finds the request id in the log, and reports the error with it.";
    /// The ledger cannot be written, the service drains or sheds load, the clock is rejected, or a record is corrupt.
    Unavailable = 503 "UNAVAILABLE" "m_g_x_2" of [Public Admin Window] retry RetryAfter
        "The service cannot answer now; nothing was billed. Try again after the seconds that the Retry-After header names."
        "Send lookups with an `Idempotency-Key`, so that a repeated one is billed once. The operator reads the reason with `voight doctor` and at `/readyz`.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_unique_and_well_formed() {
        let ids: HashSet<_> = ErrorId::ALL.iter().map(|error| error.row().id).collect();
        assert_eq!(ids.len(), ErrorId::ALL.len());
        assert!(ids.iter().all(|id| id.len() == 7 && id.starts_with("m_")));
    }

    #[test]
    fn retry_after_is_sent_with_429_and_503_only() {
        for row in ErrorId::ALL.iter().map(|error| error.row()) {
            assert_eq!(
                row.retry == Retry::RetryAfter,
                matches!(row.status, 429 | 503),
                "{}",
                row.id
            );
        }
    }

    #[test]
    fn every_status_is_an_error() {
        assert!(
            ErrorId::ALL
                .iter()
                .all(|error| (400..600).contains(&error.row().status))
        );
    }
}

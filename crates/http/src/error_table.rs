//! Error table: every error that the service returns has a row here.

use actix_web::http::StatusCode;

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
}

/// Declares the enum together with its rows, so that every variant has a row.
macro_rules! error_table {
    ($($(#[$meta:meta])* $name:ident = $status:literal $code:literal $id:literal $message:literal;)*) => {
        /// Errors that the service returns.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorId { $($(#[$meta])* $name,)* }

        impl ErrorId {
            /// All errors, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// Returns the row of this error.
            pub const fn row(self) -> ErrorSpec {
                match self {
                    $(Self::$name => ErrorSpec { status: $status, code: $code, id: $id, message: $message },)*
                }
            }
        }
    };
}

error_table! {
    /// The body is not JSON, is an array, has trailing bytes or a duplicate member, or is not UTF-8.
    InvalidJson = 400 "INVALID_JSON" "m_r_b_1" "The body is not one JSON object; send {\"name\": value, …} in UTF-8.";
    /// A field or parameter is missing, unknown or repeated, a type is wrong, or the `Idempotency-Key` is malformed.
    InvalidRequest = 400 "INVALID_REQUEST" "m_g_p_1" "A parameter is missing, unknown, repeated or of the wrong type.";
    /// The context title does not follow the rule for titles.
    InvalidTitle = 400 "INVALID_TITLE" "m_r_t_1" "context_title must be 1 to 64 letters, digits, '_' or '-', beginning and ending with a letter or digit.";
    /// The address is not `0x` and 40 hexadecimal digits.
    InvalidAddress = 400 "INVALID_ADDRESS" "m_l_e_1" "eoa_address must be 0x followed by 40 hexadecimal digits.";
    /// The address is in mixed case and fails EIP-55.
    InvalidChecksum = 400 "INVALID_CHECKSUM" "m_l_e_2" "eoa_address is in mixed case and fails its EIP-55 checksum; check it for a typing error, or send it in lower case.";
    /// The originSite is not a URL of the page's origin.
    OriginMismatch = 400 "ORIGIN_MISMATCH" "m_w_o_2" "originSite is not a URL of the page that hosts the check.";
    /// The evidence does not follow the schema.
    InvalidEvidence = 400 "INVALID_EVIDENCE" "m_w_e_1" "The evidence does not follow schema version 1.";
    /// The key is missing, repeated, malformed, unknown, revoked or expired; the response is the same for all causes.
    InvalidKey = 401 "UNAUTHORIZED" "m_a_k_1" "Bad API key or context id: send a valid key in the x-api-key header.";
    /// The context is malformed, unknown or another key's; the response is the same for all causes.
    UnknownContextForKey = 401 "UNAUTHORIZED" "m_a_c_1" "Bad API key or context id: use a context_id that this API key has registered.";
    /// The token of the admin listener is missing or wrong.
    BadAdminToken = 401 "UNAUTHORIZED" "m_a_t_1" "Send the admin token as Authorization: Bearer <token>; it is in admin.token in the data directory.";
    /// The client's own hard cap is reached.
    QuotaExceeded = 402 "QUOTA_EXCEEDED" "m_b_q_1" "The cap on billable lookups of this period is reached.";
    /// The key lacks the scope, or the caller's network is not on the key's list.
    Forbidden = 403 "FORBIDDEN" "m_a_s_1" "This key may not do this.";
    /// The role of an admin token does not allow this; the message lists the roles that do.
    RoleForbidden = 403 "FORBIDDEN" "m_a_r_1" "The role of this admin token does not allow this.";
    /// A browser sent a secret key.
    KeyInBrowser = 403 "FORBIDDEN" "m_a_b_1" "A secret API key was sent by a browser, where every visitor can read it. Rotate the key now, and call from your server.";
    /// An operator suspended or closed the client; the message says which.
    ClientSuspended = 403 "CLIENT_SUSPENDED" "m_a_u_1" "This client is suspended; ask the operator of the service.";
    /// The page's origin is not on the list of allowed origins.
    OriginNotAllowed = 403 "ORIGIN_NOT_ALLOWED" "m_w_o_1" "This page's origin is not registered for this context.";
    /// The session token is expired, malformed, or for another address or context.
    SessionInvalid = 403 "SESSION_INVALID" "m_w_s_1" "The session is expired, malformed, or for another address or context.";
    /// Neither a signature nor a trusted browser proves wallet ownership; the message has the reason.
    OwnershipNotProven = 403 "OWNERSHIP_NOT_PROVEN" "m_w_b_1" "The check could not be bound to the wallet.";
    /// The signature is that of a contract account.
    SignatureUnverifiable = 403 "SIGNATURE_UNVERIFIABLE" "m_w_b_2" "A contract account's signature cannot be verified here; let your platform's backend vouch for the visitor.";
    /// The protocol rejects the check; the response is the same for all reasons.
    CheckRefused = 403 "CHECK_REFUSED" "m_w_r_1" "The check was refused; start again.";
    /// The path, or the object that it names, does not exist.
    NotFound = 404 "NOT_FOUND" "m_g_n_1" "There is nothing at this path; the paths are listed at /openapi.json.";
    /// The window requests a context that does not exist.
    ContextUnknown = 404 "CONTEXT_UNKNOWN" "m_w_c_1" "There is no such context.";
    /// The path does not allow this method.
    MethodNotAllowed = 405 "METHOD_NOT_ALLOWED" "m_g_m_1" "This path does not take this method; the Allow header lists those that it takes.";
    /// The body arrives too slowly.
    RequestTimeout = 408 "REQUEST_TIMEOUT" "m_g_t_1" "The body took too long to arrive; send it again.";
    /// Another request with the same idempotency key is still being processed after five seconds.
    IdempotencyConflict = 409 "IDEMPOTENCY_CONFLICT" "m_g_i_1" "A request with this Idempotency-Key is still being answered; try again later with the same key.";
    /// An operator's change conflicts with existing data, for example a name that is in use.
    Conflict = 409 "CONFLICT" "m_g_c_1" "This contradicts what is there already.";
    /// The context is archived, or its client is not active; a visitor cannot tell which.
    ContextClosed = 410 "CONTEXT_CLOSED" "m_w_c_2" "This context opens no new checks.";
    /// The body exceeds its size limit.
    PayloadTooLarge = 413 "PAYLOAD_TOO_LARGE" "m_g_z_1" "The body is too large.";
    /// The request target exceeds its length limit.
    UriTooLong = 414 "URI_TOO_LONG" "m_g_z_2" "The request target is too long.";
    /// The body is not declared as JSON.
    UnsupportedMediaType = 415 "UNSUPPORTED_MEDIA_TYPE" "m_g_y_1" "Send the body as JSON, with the header Content-Type: application/json.";
    /// The `Host` of a request to the admin listener is not one of its own names.
    MisdirectedAdminRequest = 421 "MISDIRECTED_REQUEST" "m_a_h_1" "The admin listener answers only to its own Host; it is listed as admin_hosts in the configuration.";
    /// The idempotency key was used before with other parameters.
    IdempotencyKeyReused = 422 "IDEMPOTENCY_KEY_REUSED" "m_g_i_2" "This Idempotency-Key was used with other parameters; use a new key for a new request.";
    /// The caller sent too many requests.
    RateLimited = 429 "RATE_LIMITED" "m_g_r_1" "Too many requests; wait for the seconds that the Retry-After header names.";
    /// The request headers exceed their size limit.
    HeadersTooLarge = 431 "HEADERS_TOO_LARGE" "m_g_h_1" "The request's headers are too large.";
    /// The service has a bug.
    Internal = 500 "INTERNAL_ERROR" "m_g_x_1" "Something went wrong on our side; report the x-request-id of this answer.";
    /// The ledger cannot be written, the service drains or sheds load, the clock is rejected, or a record is corrupt.
    Unavailable = 503 "UNAVAILABLE" "m_g_x_2" "The service cannot answer now; nothing was billed. Try again after the seconds that the Retry-After header names.";
}

impl ErrorId {
    /// Returns the HTTP status as actix's type.
    pub fn status(self) -> StatusCode {
        StatusCode::from_u16(self.row().status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }
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
    fn every_status_is_an_error_that_actix_knows() {
        for error in ErrorId::ALL {
            assert_eq!(error.status().as_u16(), error.row().status);
            assert!(error.row().status >= 400);
        }
    }
}

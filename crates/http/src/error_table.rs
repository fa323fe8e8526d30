//! The one table of errors: every error that leaves the service has a row here.

use actix_web::http::StatusCode;

/// What one kind of error looks like from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ErrorSpec {
    /// The HTTP status.
    pub status: u16,
    /// `error.code`: what a program switches on.
    pub code: &'static str,
    /// `error.id`: stable per cause, never per occurrence.
    pub id: &'static str,
    /// `error.message`, unless the occurrence has something better to say.
    pub message: &'static str,
}

/// Declares the enum and its rows together, so that neither can be without the other.
macro_rules! error_table {
    ($($(#[$meta:meta])* $name:ident = $status:literal $code:literal $id:literal $message:literal;)*) => {
        /// Every kind of error that leaves the service.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        pub enum ErrorId { $($(#[$meta])* $name,)* }

        impl ErrorId {
            /// Every row, in the order of the table.
            pub const ALL: &'static [Self] = &[$(Self::$name,)*];

            /// The row of this error.
            pub const fn row(self) -> ErrorSpec {
                match self {
                    $(Self::$name => ErrorSpec { status: $status, code: $code, id: $id, message: $message },)*
                }
            }
        }
    };
}

error_table! {
    /// Not JSON, array form, trailing bytes, a duplicate member, or bad UTF-8.
    InvalidJson = 400 "INVALID_JSON" "m_r_b_1" "The body is not one JSON object; send {\"name\": value, …} in UTF-8.";
    /// A missing or unknown field, a missing, unknown or repeated parameter, a wrong type, a malformed `Idempotency-Key`.
    InvalidRequest = 400 "INVALID_REQUEST" "m_g_p_1" "A parameter is missing, unknown, repeated or of the wrong type.";
    /// The title rule.
    InvalidTitle = 400 "INVALID_TITLE" "m_r_t_1" "context_title must be 1 to 64 letters, digits, '_' or '-', beginning and ending with a letter or digit.";
    /// Not `0x` and 40 hexadecimal digits.
    InvalidAddress = 400 "INVALID_ADDRESS" "m_l_e_1" "eoa_address must be 0x followed by 40 hexadecimal digits.";
    /// Mixed case that fails EIP-55.
    InvalidChecksum = 400 "INVALID_CHECKSUM" "m_l_e_2" "eoa_address is in mixed case and fails its EIP-55 checksum; check it for a typing error, or send it in lower case.";
    /// The originSite is not of the page's origin.
    OriginMismatch = 400 "ORIGIN_MISMATCH" "m_w_o_2" "originSite is not a URL of the page that hosts the check.";
    /// Evidence that does not follow the schema.
    InvalidEvidence = 400 "INVALID_EVIDENCE" "m_w_e_1" "The evidence does not follow schema version 1.";
    /// Missing, repeated, malformed, unknown, revoked or expired key: one body for all.
    InvalidKey = 401 "UNAUTHORIZED" "m_a_k_1" "Bad API key or context id: send a valid key in the x-api-key header.";
    /// A malformed or unknown context, or another key's: one body for all.
    UnknownContextForKey = 401 "UNAUTHORIZED" "m_a_c_1" "Bad API key or context id: use a context_id that this API key has registered.";
    /// A missing or wrong token on the admin listener.
    BadAdminToken = 401 "UNAUTHORIZED" "m_a_t_1" "Send the admin token as Authorization: Bearer <token>; it is in admin.token in the data directory.";
    /// The client's own hard cap.
    QuotaExceeded = 402 "QUOTA_EXCEEDED" "m_b_q_1" "The cap on billable lookups of this period is reached.";
    /// The key lacks the scope, or the caller's network is not on the key's list.
    Forbidden = 403 "FORBIDDEN" "m_a_s_1" "This key may not do this.";
    /// The role of an admin token does not allow this; the message says which do.
    RoleForbidden = 403 "FORBIDDEN" "m_a_r_1" "The role of this admin token does not allow this.";
    /// A secret key sent by a browser.
    KeyInBrowser = 403 "FORBIDDEN" "m_a_b_1" "A secret API key was sent by a browser: everybody can read it there. Rotate the key now, and call from your server.";
    /// An operator suspended or closed the client; the message says which.
    ClientSuspended = 403 "CLIENT_SUSPENDED" "m_a_u_1" "This client is suspended; ask the operator of the service.";
    /// The page's origin is not on the pinned list.
    OriginNotAllowed = 403 "ORIGIN_NOT_ALLOWED" "m_w_o_1" "This page's origin is not registered for this context.";
    /// The vouching token is expired, malformed, or for another address or context.
    SessionInvalid = 403 "SESSION_INVALID" "m_w_s_1" "The session is expired, malformed, or for another address or context.";
    /// Neither a signature nor a remembered browser shows that the address is the visitor's; the message says what is wrong.
    OwnershipNotProven = 403 "NOT_BOUND" "m_w_b_1" "The check could not be bound to the wallet.";
    /// A contract account's signature.
    SignatureUnverifiable = 403 "SIGNATURE_UNVERIFIABLE" "m_w_b_2" "A contract account's signature cannot be verified here; let your platform's backend vouch for the visitor.";
    /// The protocol refuses the check; one body for all reasons.
    CheckRefused = 403 "CHECK_REFUSED" "m_w_r_1" "The check was refused; start again.";
    /// No such route.
    NotFound = 404 "NOT_FOUND" "m_g_n_1" "There is nothing at this path; the paths are listed at /openapi.json.";
    /// The window asks for a context that does not exist.
    ContextUnknown = 404 "CONTEXT_UNKNOWN" "m_w_c_1" "There is no such context.";
    /// The route does not take this method.
    MethodNotAllowed = 405 "METHOD_NOT_ALLOWED" "m_g_m_1" "This path does not take this method; the Allow header lists those that it takes.";
    /// A body that arrives too slowly.
    RequestTimeout = 408 "REQUEST_TIMEOUT" "m_g_t_1" "The body took too long to arrive; send it again.";
    /// A twin with the same idempotency key is still being answered after five seconds.
    IdempotencyConflict = 409 "IDEMPOTENCY_CONFLICT" "m_g_i_1" "A request with this Idempotency-Key is still being answered; try again later with the same key.";
    /// An operator's change contradicts what is there, for example a name that is taken.
    Conflict = 409 "CONFLICT" "m_g_c_1" "This contradicts what is there already.";
    /// The context is archived, or its client is not active; a visitor cannot tell which.
    ContextClosed = 410 "CONTEXT_CLOSED" "m_w_c_2" "This context opens no new checks.";
    /// A body over its limit.
    PayloadTooLarge = 413 "PAYLOAD_TOO_LARGE" "m_g_z_1" "The body is too large.";
    /// A request target over its limit.
    UriTooLong = 414 "URI_TOO_LONG" "m_g_z_2" "The request target is too long.";
    /// A body that is not declared as JSON.
    UnsupportedMediaType = 415 "UNSUPPORTED_MEDIA_TYPE" "m_g_y_1" "Send the body as JSON, with the header Content-Type: application/json.";
    /// The admin listener is asked under a name that is not its own.
    MisdirectedAdminRequest = 421 "MISDIRECTED_REQUEST" "m_a_h_1" "The admin listener answers only to its own Host; it is listed as admin_hosts in the configuration.";
    /// The same idempotency key with other parameters.
    IdempotencyKeyReused = 422 "IDEMPOTENCY_KEY_REUSED" "m_g_i_2" "This Idempotency-Key was used with other parameters; use a new key for a new request.";
    /// Too many requests.
    RateLimited = 429 "RATE_LIMITED" "m_g_r_1" "Too many requests; wait for the seconds that the Retry-After header names.";
    /// Header lines over their limit.
    HeadersTooLarge = 431 "HEADERS_TOO_LARGE" "m_g_h_1" "The request's headers are too large.";
    /// A bug of ours.
    Internal = 500 "INTERNAL_ERROR" "m_g_x_1" "Something went wrong on our side; report the x-request-id of this answer.";
    /// The ledger cannot be written, the service drains or sheds load, the wall clock is in doubt, or a record is damaged.
    Unavailable = 503 "UNAVAILABLE" "m_g_x_2" "The service cannot answer now; nothing was billed. Try again after the seconds that the Retry-After header names.";
}

impl ErrorId {
    /// The HTTP status as actix has it.
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

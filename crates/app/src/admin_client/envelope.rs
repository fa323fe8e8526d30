//! Envelopes of both APIs, and the exit code of each error.

use crate::exit::{CommandError, Exit};
use crate::object_kind::ObjectKind;
use serde::Deserialize;

const BAD_TOKEN: &str = "the server has another admin token, or the named one was revoked; give its token in VOIGHT_ADMIN_TOKEN, or its data directory by \
     --data-dir";

/// Response of the admin API or of the public API.
#[derive(Debug, Deserialize)]
#[serde(untagged)]
pub(crate) enum Envelope<T> {
    /// Response to a successful call.
    Success {
        /// Requested data.
        data: T,
    },
    /// Response to a failed call.
    Error {
        /// Reason of the failure.
        error: ErrorBody,
    },
}

/// Reason of a failure.
#[derive(Debug, Deserialize)]
pub(crate) struct ErrorBody {
    message: String,
}

impl<T> Envelope<T> {
    /// Returns the data, or a failure with the exit code of the HTTP status and the message of the service.
    pub(crate) fn data(self, status: u16) -> Result<T, CommandError> {
        match self {
            Self::Success { data } => Ok(data),
            Self::Error { error } => Err(CommandError::new(Exit::of_status(status), error.message)),
        }
    }

    /// Returns the data of an admin listener, or a failure with the exit code of the HTTP status.
    pub(super) fn outcome(self, status: u16) -> Result<T, CommandError> {
        self.data(status).map_err(|failure| match status {
            401 => CommandError::new(failure.exit, BAD_TOKEN),
            _ => match ObjectKind::of_missing(&failure.message) {
                Some(kind) => {
                    let message = failure.message.trim_end_matches('.');
                    CommandError::new(failure.exit, format!("{message}; {}", kind.commands()))
                }
                None => failure,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(status: u16, body: &str) -> Result<u8, CommandError> {
        serde_json::from_str::<Envelope<u8>>(body)
            .unwrap()
            .outcome(status)
    }

    #[test]
    fn data_is_handed_out_and_errors_become_exit_codes() {
        assert_eq!(outcome(200, r#"{"success":true,"data":7}"#), Ok(7));
        let error_body = r#"{"success":false,"error":{"id":"m_x","code":"X","message":"there is no client \"a\""}}"#;
        for (status, exit) in [
            (400, Exit::Usage),
            (404, Exit::NotFound),
            (409, Exit::Failure),
            (500, Exit::Failure),
            (503, Exit::Unreachable),
        ] {
            let failure = outcome(status, error_body).unwrap_err();
            assert_eq!(failure.exit, exit, "{status}");
            assert!(
                failure.message.starts_with("there is no client"),
                "{failure}"
            );
        }
        let other_token = outcome(401, error_body).unwrap_err();
        assert_eq!(
            (other_token.exit, other_token.message.as_str()),
            (Exit::Configuration, BAD_TOKEN)
        );
    }
}

//! `[log]`: log filter and format.

use super::diagnostic::Diagnostic;
use crate::telemetry::log_filter;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Log filter and format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    /// Log filter, for example `info` or `info,voight_http=debug`. The targets `actix_server` (information),
    /// `actix_http::h1::dispatcher` (malformed requests) and `tokio_postgres` (statements) are logged only if it names them.
    #[schemars(extend("x-flag" = "--log"))]
    pub(crate) filter: String,
    /// `true` writes one JSON object per line, `false` writes text.
    #[schemars(extend("x-flag" = "--log-format"))]
    pub(crate) json: bool,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            filter: "info".into(),
            json: false,
        }
    }
}

impl Log {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let wrong = log_filter::parse(&self.filter).err();
        wrong
            .map(|failure| Diagnostic::new("log.filter", failure.message))
            .into_iter()
            .collect()
    }
}

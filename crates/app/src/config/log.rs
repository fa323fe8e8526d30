//! `[log]`: log filter and format.

use super::diagnostic::Diagnostic;
use crate::telemetry;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Log filter and format.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Log {
    /// Log filter, for example `info` or `info,voight_http=debug`. By default the HTTP server logs warnings and errors only.
    #[schemars(extend("x-flag" = "--log"))]
    pub(crate) filter: String,
    /// `true` writes one JSON object per line, `false` writes text.
    #[schemars(extend("x-flag" = "--log-format"))]
    pub(crate) json: bool,
}

impl Default for Log {
    fn default() -> Self {
        // The HTTP server answers a malformed request with 400; it is not an error of this service that should alert an
        // operator.
        Self { filter: "info,actix_server=warn,actix_http::h1::dispatcher=off".into(), json: false }
    }
}

impl Log {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let wrong = telemetry::parse(&self.filter).err();
        wrong.map(|failure| Diagnostic::new("log.filter", failure.message)).into_iter().collect()
    }
}

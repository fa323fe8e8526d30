//! `[log]`: what is logged, and how.

use super::remark::Diagnostic;
use crate::telemetry;
use serde::{Deserialize, Serialize};

/// What is logged, and how.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Log {
    /// Which events, for example `info` or `info,voight_http=debug`. Of the server underneath only what is wrong, unless asked for.
    pub(crate) filter: String,
    /// Whether events are written as JSON, one a line.
    pub(crate) json: bool,
}

impl Default for Log {
    fn default() -> Self {
        // A malformed request is answered with 400 by the server underneath; it is no error of ours to alert anybody with.
        Self { filter: "info,actix_server=warn,actix_http::h1::dispatcher=off".into(), json: false }
    }
}

impl Log {
    pub(super) fn contradictions(&self) -> Vec<Diagnostic> {
        let wrong = telemetry::parse(&self.filter).err();
        wrong.map(|failure| Diagnostic::new("log.filter", failure.message)).into_iter().collect()
    }
}

//! Span of the log lines of a request.

use crate::request_id::RequestId;
use tracing::Span;

/// Target of spans and lines. Log filters of operators name it, so it does not follow the names of modules.
pub(crate) const TARGET: &str = "voight_http::middleware::observe";

/// Span of the log lines of a request, which is created only when a line is written.
#[derive(Debug, Clone, Copy)]
pub(crate) enum LogSpan<'a> {
    /// The span that is current.
    Current,
    /// Span of a request with this id and method.
    ForRequest(&'a RequestId, &'static str),
}

impl LogSpan<'_> {
    /// Runs `log`, which writes a line.
    pub(crate) fn in_scope<T>(self, log: impl FnOnce() -> T) -> T {
        self.create().in_scope(log)
    }

    /// Creates the span; [`LogSpan::Current`] needs none.
    pub(crate) fn create(self) -> Span {
        match self {
            Self::Current => Span::none(),
            Self::ForRequest(id, method) => {
                tracing::info_span!(target: TARGET, "request", id = id.as_str(), method)
            }
        }
    }
}

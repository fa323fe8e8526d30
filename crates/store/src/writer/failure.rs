//! Why a store has stopped.

use std::sync::{Arc, OnceLock};

/// A failure that all writers of a store share: what one of them cannot trust, none acknowledges on. It is for good; only a
/// new process, which reads everything from disk again, may go on.
#[derive(Debug, Clone, Default)]
pub(crate) struct FailStop {
    reason: Arc<OnceLock<String>>,
    /// What stands in front of the reason, where it is this writer's.
    component: &'static str,
}

impl FailStop {
    /// The same failure, for the writer of this part.
    pub(crate) fn for_component(&self, whose: &'static str) -> Self {
        Self { reason: Arc::clone(&self.reason), component: whose }
    }

    /// The first reason, if there is one.
    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.get().map(String::as_str)
    }

    /// Gives a reason; the first one stays.
    pub(super) fn set(&self, why: &str) {
        self.reason.get_or_init(|| format!("{}{why}", self.component));
    }
}

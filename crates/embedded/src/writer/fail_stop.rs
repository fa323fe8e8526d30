//! Fail-stop flag of a store.

use std::sync::{Arc, OnceLock};

/// Failure that all writers of a store share: when one of them fails, all stop acknowledging writes. It is permanent;
/// only a new process, which reads everything from disk again, can continue.
#[derive(Debug, Clone, Default)]
pub(crate) struct FailStop {
    reason: Arc<OnceLock<String>>,
    /// Prefix of reasons that this writer sets.
    component: &'static str,
}

impl FailStop {
    /// Returns a handle to the same failure for the writer of another component.
    pub(crate) fn for_component(&self, component: &'static str) -> Self {
        Self {
            reason: Arc::clone(&self.reason),
            component,
        }
    }

    /// Returns the first reason, if the store has failed.
    pub(super) fn reason(&self) -> Option<&str> {
        self.reason.get().map(String::as_str)
    }

    /// Sets the reason, unless there already is one.
    pub(super) fn set(&self, why: &str) {
        self.reason
            .get_or_init(|| format!("{}{why}", self.component));
    }
}

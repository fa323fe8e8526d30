//! The contexts that a revocation of a key concerns.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::ContextAtStake;
use voight_domain::vocabulary::KeyId;

/// The contexts that a revocation of a key concerns: those tied to it, and those that it alone can reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyContexts {
    /// The key.
    pub key_id: String,
    /// The number of contexts.
    pub count: usize,
    /// The number of those that are live: not archived.
    pub live: usize,
    /// The number of live ones that no active key could reach after the revocation.
    pub live_unreachable: usize,
    /// The contexts, live ones first.
    pub contexts: Vec<KeyContext>,
}

/// A context that a revocation of a key concerns.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyContext {
    /// Its id.
    pub context_id: String,
    /// Time of the archiving.
    pub archived_at: Option<String>,
    /// `true` if no active key could reach it after the revocation.
    pub becomes_unreachable: bool,
}

impl KeyContexts {
    pub(crate) fn of(key: KeyId, at_stake: &[ContextAtStake]) -> Self {
        let contexts: Vec<_> = at_stake.iter().map(KeyContext::from).collect();
        let live = || contexts.iter().filter(|context| context.archived_at.is_none());
        Self {
            key_id: key.to_string(),
            count: contexts.len(),
            live: live().count(),
            live_unreachable: live().filter(|context| context.becomes_unreachable).count(),
            contexts,
        }
    }
}

impl From<&ContextAtStake> for KeyContext {
    fn from(ContextAtStake { context, becomes_unreachable }: &ContextAtStake) -> Self {
        Self {
            context_id: context.id.to_string(),
            archived_at: super::optional(context.archived_at),
            becomes_unreachable: *becomes_unreachable,
        }
    }
}

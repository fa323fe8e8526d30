//! Contexts that a revocation of a key affects.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::services::ContextAtStake;
use voight_domain::vocabulary::KeyId;

/// Contexts that a revocation of a key affects: those assigned to it, and those that only it can reach.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyContexts {
    /// Key id.
    pub key_id: String,
    /// Number of contexts.
    pub count: usize,
    /// Number of live contexts, which are those that are not archived.
    pub live: usize,
    /// Number of live contexts that no active key could reach after the revocation.
    pub live_unreachable: usize,
    /// Contexts, live ones first.
    pub contexts: Vec<KeyContext>,
}

/// Context that a revocation of a key affects.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct KeyContext {
    /// Context id.
    pub context_id: String,
    /// Time of archiving; null if the context is live.
    pub archived_at: Option<String>,
    /// `true` if no active key could reach the context after the revocation.
    pub becomes_unreachable: bool,
}

impl KeyContexts {
    /// Builds the list of the contexts that a revocation of `key` concerns.
    pub fn new(key: KeyId, at_stake: &[ContextAtStake]) -> Self {
        let contexts: Vec<_> = at_stake.iter().map(KeyContext::from).collect();
        let live = || {
            contexts
                .iter()
                .filter(|context| context.archived_at.is_none())
        };
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
    fn from(
        ContextAtStake {
            context,
            becomes_unreachable,
        }: &ContextAtStake,
    ) -> Self {
        Self {
            context_id: context.id.to_string(),
            archived_at: super::optional(context.archived_at),
            becomes_unreachable: *becomes_unreachable,
        }
    }
}

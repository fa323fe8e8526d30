//! The audit log.

use serde::{Deserialize, Serialize};
use voight_domain::ports;
use voight_domain::registry::Actor;

/// One record of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When.
    pub at: String,
    /// Who: `operator`, `service`, or `key:` and the id of a key.
    pub actor: String,
    /// What was done, for example `key.rotated`.
    pub action: String,
    /// On what: the id of a client, key or context.
    pub subject: String,
    /// In words: what changed, and the reason where one was given.
    pub detail: String,
}

impl From<&ports::AuditRecord> for AuditRecord {
    fn from(record: &ports::AuditRecord) -> Self {
        let entry = &record.entry;
        Self {
            seq: record.seq,
            at: entry.at.to_string(),
            actor: actor(&entry.actor),
            action: entry.action.as_str().to_owned(),
            subject: entry.subject.clone(),
            detail: entry.detail.clone(),
        }
    }
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Operator => "operator".to_owned(),
        Actor::Service => "service".to_owned(),
        Actor::Key(id) => format!("key:{id}"),
    }
}

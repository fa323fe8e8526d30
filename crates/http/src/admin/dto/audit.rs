//! The audit log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::metering::ChainHead;
use voight_domain::ports;
use voight_domain::registry::{self, Actor, AuditAction, AuditEntry};

/// One record of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditRecord {
    /// Its number, from 1, without gaps.
    pub seq: u64,
    /// When.
    pub at: String,
    /// Actor: `operator` (the admin token of the data directory), `token:` and the name of an admin token, `service`, or `key:` and the
    /// id of a key.
    pub actor: String,
    /// What was done, for example `key.rotated`.
    pub action: String,
    /// On what: the id of a client, key, context or store; for `time.accepted`, the latest date that it set aside.
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

impl AuditRecord {
    /// The entry that was recorded; its canonical bytes follow from these members. A sentence if it can be none.
    pub fn entry(&self) -> Result<AuditEntry, String> {
        Ok(AuditEntry {
            at: self.at.parse().map_err(|error| format!("at: {error}"))?,
            actor: read_actor(&self.actor)?,
            action: AuditAction::from_name(&self.action)
                .ok_or_else(|| format!("action: {:?} is unknown", self.action))?,
            subject: self.subject.clone(),
            detail: self.detail.clone(),
        })
    }
}

/// Where the audit log ends.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditHead {
    /// The number of its last record; 0 if there is none.
    pub seq: u64,
    /// The head of the chain after it, in hexadecimal digits.
    pub head: String,
}

impl From<registry::AuditHead> for AuditHead {
    fn from(registry::AuditHead { seq, head }: registry::AuditHead) -> Self {
        Self { seq, head: head.to_string() }
    }
}

impl TryFrom<AuditHead> for registry::AuditHead {
    type Error = String;

    fn try_from(AuditHead { seq, head }: AuditHead) -> Result<Self, Self::Error> {
        Ok(Self { seq, head: head.parse::<ChainHead>().map_err(|error| error.to_string())? })
    }
}

fn read_actor(text: &str) -> Result<Actor, String> {
    if let Some(name) = text.strip_prefix("token:") {
        return name.parse().map(Actor::AdminToken).map_err(|error| format!("actor: {error}"));
    }
    match (text, text.strip_prefix("key:")) {
        ("operator", _) => Ok(Actor::Operator),
        ("service", _) => Ok(Actor::Service),
        (_, Some(id)) => id.parse().map(Actor::Key).map_err(|error| format!("actor: {error}")),
        _ => Err(format!("actor: {text:?} is unknown")),
    }
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Operator => "operator".to_owned(),
        Actor::Service => "service".to_owned(),
        Actor::Key(id) => format!("key:{id}"),
        Actor::AdminToken(name) => format!("token:{name}"),
    }
}

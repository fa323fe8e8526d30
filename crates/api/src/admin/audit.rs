//! Audit log.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::metering::ChainHead;
use voight_domain::ports;
use voight_domain::registry::{self, Actor, AuditAction, AuditEntry};

/// Record of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditRecord {
    /// Sequence number, from 1, without gaps.
    pub seq: u64,
    /// Time of the action.
    pub at: String,
    /// Actor: an admin token, a user, the service or an API key. `operator` is the admin token of the data directory, `token:`
    /// with a name another admin token, `user:` with a name a user of the console, `service` the service, and `key:` with an id
    /// an API key.
    pub actor: String,
    /// Action, for example `key.rotated`.
    pub action: String,
    /// Subject: the id of a client, key, context, user or store. For `clock.acknowledged`, the latest date that the action set aside.
    pub subject: String,
    /// Description of the change, with the reason if one was given.
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
    /// Returns the recorded entry, or a message if the members are not a valid entry. The canonical bytes follow from the
    /// entry.
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

/// End of the audit log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditHead {
    /// Sequence number of the last record; 0 if the log is empty.
    pub seq: u64,
    /// Chain head after the last record, in hexadecimal digits.
    pub head: String,
}

impl From<registry::AuditHead> for AuditHead {
    fn from(registry::AuditHead { seq, head }: registry::AuditHead) -> Self {
        Self {
            seq,
            head: head.to_string(),
        }
    }
}

impl TryFrom<AuditHead> for registry::AuditHead {
    type Error = String;

    fn try_from(AuditHead { seq, head }: AuditHead) -> Result<Self, Self::Error> {
        Ok(Self {
            seq,
            head: head
                .parse::<ChainHead>()
                .map_err(|error| error.to_string())?,
        })
    }
}

fn read_actor(text: &str) -> Result<Actor, String> {
    if let Some(name) = text.strip_prefix("token:") {
        return name
            .parse()
            .map(Actor::AdminToken)
            .map_err(|error| format!("actor: {error}"));
    }
    if let Some(name) = text.strip_prefix("user:") {
        return name
            .parse()
            .map(Actor::User)
            .map_err(|error| format!("actor: {error}"));
    }
    match (text, text.strip_prefix("key:")) {
        ("operator", _) => Ok(Actor::Operator),
        ("service", _) => Ok(Actor::Service),
        (_, Some(id)) => id
            .parse()
            .map(Actor::Key)
            .map_err(|error| format!("actor: {error}")),
        _ => Err(format!("actor: {text:?} is unknown")),
    }
}

fn actor(actor: &Actor) -> String {
    match actor {
        Actor::Operator => "operator".to_owned(),
        Actor::Service => "service".to_owned(),
        Actor::Key(id) => format!("key:{id}"),
        Actor::AdminToken(name) => format!("token:{name}"),
        Actor::User(name) => format!("user:{name}"),
    }
}

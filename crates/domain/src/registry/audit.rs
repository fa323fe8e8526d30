//! Audit log entries.

use crate::codec::{DecodeError, Decoder, Encoder};
use crate::vocabulary::{AdminTokenName, KeyId, Timestamp, UserName};

const FORMAT: u8 = 1;
const OPERATOR: u8 = 0;
const KEY: u8 = 1;
const SERVICE: u8 = 2;
const ADMIN_TOKEN: u8 = 3;
const USER: u8 = 4;

/// Author of a change.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// Operator with the admin token of the data directory (command line or admin listener).
    Operator,
    /// Operator with the admin token of this name.
    AdminToken(AdminTokenName),
    /// User of the console with this name.
    User(UserName),
    /// Client, through the public API with this key.
    Key(KeyId),
    /// The service itself.
    Service,
}

/// Audited action. The names are stable: they are stored and exported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(
    missing_docs,
    reason = "each variant is its own name; the words are listed in `as_str`"
)]
pub enum AuditAction {
    ClientCreated,
    ClientChanged,
    KeyIssued,
    KeyRotated,
    KeyReinstated,
    KeyRevoked,
    KeyExposed,
    KeyExpiring,
    ContextRegistered,
    ContextChanged,
    ContextMoved,
    VerdictOverridden,
    ClockAcknowledged,
    InvoiceIssued,
    InvoicePaid,
    InvoiceVoided,
    InvoiceWrittenOff,
    AdjustmentMade,
    LimitChanged,
    ClientClosed,
    AddressErased,
    AddressLabelled,
    VerdictReplayed,
    ClusterImported,
    SigningKeyRotated,
    LedgerExported,
    UsageExported,
    StoreDumped,
    StoreBackedUp,
    VerdictsListed,
    LabelsListed,
    RecordingsExported,
    ReplayPreviewed,
    EventsStreamed,
    AdminTokenCreated,
    AdminTokenRotated,
    AdminTokenRevoked,
    WebhookCreated,
    WebhookChanged,
    WebhookRotated,
    WebhookDeleted,
    WebhookReplayed,
    WebhookTested,
    UserInvited,
    UserSignedIn,
    UserChanged,
    UserRemoved,
}

impl AuditAction {
    /// All actions.
    pub const ALL: [Self; 47] = [
        Self::ClientCreated,
        Self::ClientChanged,
        Self::KeyIssued,
        Self::KeyRotated,
        Self::KeyReinstated,
        Self::KeyRevoked,
        Self::KeyExposed,
        Self::KeyExpiring,
        Self::ContextRegistered,
        Self::ContextChanged,
        Self::ContextMoved,
        Self::VerdictOverridden,
        Self::ClockAcknowledged,
        Self::InvoiceIssued,
        Self::InvoicePaid,
        Self::InvoiceVoided,
        Self::InvoiceWrittenOff,
        Self::AdjustmentMade,
        Self::LimitChanged,
        Self::ClientClosed,
        Self::AddressErased,
        Self::AddressLabelled,
        Self::VerdictReplayed,
        Self::ClusterImported,
        Self::SigningKeyRotated,
        Self::LedgerExported,
        Self::UsageExported,
        Self::StoreDumped,
        Self::StoreBackedUp,
        Self::VerdictsListed,
        Self::LabelsListed,
        Self::RecordingsExported,
        Self::ReplayPreviewed,
        Self::EventsStreamed,
        Self::AdminTokenCreated,
        Self::AdminTokenRotated,
        Self::AdminTokenRevoked,
        Self::WebhookCreated,
        Self::WebhookChanged,
        Self::WebhookRotated,
        Self::WebhookDeleted,
        Self::WebhookReplayed,
        Self::WebhookTested,
        Self::UserInvited,
        Self::UserSignedIn,
        Self::UserChanged,
        Self::UserRemoved,
    ];

    /// Returns the action that is stored and shown as `name`.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == name)
    }

    /// Returns the action as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ClientCreated => "client.created",
            Self::ClientChanged => "client.changed",
            Self::KeyIssued => "key.issued",
            Self::KeyRotated => "key.rotated",
            Self::KeyReinstated => "key.reinstated",
            Self::KeyRevoked => "key.revoked",
            Self::KeyExposed => "key.exposed",
            Self::KeyExpiring => "key.expiring",
            Self::ContextRegistered => "context.registered",
            Self::ContextChanged => "context.changed",
            Self::ContextMoved => "context.moved",
            Self::VerdictOverridden => "verdict.overridden",
            Self::ClockAcknowledged => "clock.acknowledged",
            Self::InvoiceIssued => "invoice.issued",
            Self::InvoicePaid => "invoice.paid",
            Self::InvoiceVoided => "invoice.voided",
            Self::InvoiceWrittenOff => "invoice.written_off",
            Self::AdjustmentMade => "adjustment.made",
            Self::LimitChanged => "limit.changed",
            Self::ClientClosed => "client.closed",
            Self::AddressErased => "address.erased",
            Self::AddressLabelled => "address.labelled",
            Self::VerdictReplayed => "verdict.replayed",
            Self::ClusterImported => "cluster.imported",
            Self::SigningKeyRotated => "signing_key.rotated",
            Self::LedgerExported => "ledger.exported",
            Self::UsageExported => "usage.exported",
            Self::StoreDumped => "store.dumped",
            Self::StoreBackedUp => "store.backed_up",
            Self::VerdictsListed => "verdicts.listed",
            Self::LabelsListed => "labels.listed",
            Self::RecordingsExported => "recordings.exported",
            Self::ReplayPreviewed => "replay.previewed",
            Self::EventsStreamed => "events.streamed",
            Self::AdminTokenCreated => "admin_token.created",
            Self::AdminTokenRotated => "admin_token.rotated",
            Self::AdminTokenRevoked => "admin_token.revoked",
            Self::WebhookCreated => "webhook.created",
            Self::WebhookChanged => "webhook.changed",
            Self::WebhookRotated => "webhook.rotated",
            Self::WebhookDeleted => "webhook.deleted",
            Self::WebhookReplayed => "webhook.replayed",
            Self::WebhookTested => "webhook.tested",
            Self::UserInvited => "user.invited",
            Self::UserSignedIn => "user.signed_in",
            Self::UserChanged => "user.changed",
            Self::UserRemoved => "user.removed",
        }
    }
}

/// Entry of the audit log. It never holds a secret or an address: the log is a hash chain, so nothing could be removed
/// later. An address is represented by its keyed digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditEntry {
    /// Time of the action.
    pub at: Timestamp,
    /// Author of the action.
    pub actor: Actor,
    /// The action.
    pub action: AuditAction,
    /// Object of the action.
    ///
    /// The id of a client, key, context, webhook endpoint, user or store, the `kid` of a signing key, or the keyed digest of an address; for an
    /// acknowledged clock, the latest date that it covers.
    pub subject: String,
    /// Description of the change, and the reason if one was given.
    pub detail: String,
}

impl AuditEntry {
    /// Returns the canonical bytes, which are stored and chained.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(FORMAT);
        out.int(self.at.as_millis());
        match &self.actor {
            Actor::Operator => out.u8(OPERATOR),
            Actor::Key(id) => out.u8(KEY).fixed(&id.to_bytes()),
            Actor::Service => out.u8(SERVICE),
            Actor::AdminToken(name) => out.u8(ADMIN_TOKEN).str(name.as_str()),
            Actor::User(name) => out.u8(USER).str(name.as_str()),
        };
        // Actions are stored by their stable names.
        out.str(self.action.as_str())
            .str(&self.subject)
            .str(&self.detail)
            .finish()
    }

    /// Parses the canonical bytes of an entry.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, FORMAT)?;
        let at = Timestamp::from_millis(input.int()?);
        let actor = match input.u8()? {
            OPERATOR => Actor::Operator,
            KEY => Actor::Key(KeyId::from_bytes(input.fixed()?)),
            SERVICE => Actor::Service,
            ADMIN_TOKEN => Actor::AdminToken(input.parsed("the name of an admin token")?),
            USER => Actor::User(input.parsed("the name of a user")?),
            _ => return Err(DecodeError::OutOfRange("an actor")),
        };
        let action = AuditAction::from_name(input.str()?)
            .ok_or(DecodeError::OutOfRange("the name of an action"))?;
        let entry = Self {
            at,
            actor,
            action,
            subject: input.str()?.to_owned(),
            detail: input.str()?.to_owned(),
        };
        input.finish()?;
        Ok(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn format_1_never_changes() {
        // These bytes are chained: if this test fails, the format has changed and needs a new number.
        let entry = AuditEntry {
            at: Timestamp::from_millis(1000),
            actor: Actor::Key(KeyId::from_bytes([7; 16])),
            action: AuditAction::KeyExposed,
            subject: "a".into(),
            detail: "bc".into(),
        };
        let expected_hex = format!(
            "01d00f01{}0b6b65792e6578706f736564{}{}",
            "07".repeat(16),
            "0161",
            "026263"
        );
        assert_eq!(
            data_encoding::HEXLOWER.encode(&entry.to_bytes()),
            expected_hex
        );
        assert_eq!(AuditEntry::from_bytes(&entry.to_bytes()), Ok(entry));
    }

    #[test]
    fn entry_of_a_token_or_user_names_it() {
        let token = Actor::AdminToken("ci".parse().unwrap());
        let user = Actor::User("ci".parse().unwrap());
        for (actor, tag) in [(token, "03"), (user, "04")] {
            let entry = AuditEntry {
                at: Timestamp::from_millis(1000),
                actor,
                action: AuditAction::KeyExposed,
                subject: "a".into(),
                detail: "bc".into(),
            };
            let expected_hex = format!("01d00f{tag}0263690b6b65792e6578706f7365640161026263");
            assert_eq!(
                data_encoding::HEXLOWER.encode(&entry.to_bytes()),
                expected_hex
            );
            assert_eq!(AuditEntry::from_bytes(&entry.to_bytes()), Ok(entry));
        }
    }
}

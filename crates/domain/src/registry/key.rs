//! API keys, whose identity survives the rotation of their secrets.

use super::{Client, ClientStatus};
use crate::metering::LedgerId;
use crate::secrets::KeyDigest;
use crate::vocabulary::{ClientId, Environment, KeyId, KeyLabel, ScopeSet, Timestamp};
use ipnet::IpNet;
use std::time::Duration;

/// Default validity of the old secret after a rotation.
pub const DEFAULT_ROTATION_OVERLAP: Duration = Duration::from_hours(24);
/// Minimum time between two stored uses of a key, so that a key causes at most one write per minute.
pub const KEY_USE_RESOLUTION: Duration = Duration::from_mins(1);
/// Time before the expiry of a key from which it counts as expiring soon.
pub const KEY_EXPIRY_NOTICE: Duration = Duration::from_hours(7 * 24);
/// Maximum overlap of a rotation.
pub const MAX_ROTATION_OVERLAP: Duration = Duration::from_hours(30 * 24);

/// Stored record of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Key {
    /// Id of the key, which a rotation keeps.
    pub id: KeyId,
    /// Number of the key within its client, assigned by the store, from 1.
    ///
    /// Ledger rows hold the number instead of the id.
    pub number: u32,
    /// The client that owns the key.
    pub client: ClientId,
    /// The environment: live or sandbox.
    pub environment: Environment,
    /// Scopes of the key.
    pub scopes: ScopeSet,
    /// Networks from which the key may be used; empty for any network.
    pub networks: Vec<IpNet>,
    /// Secrets of the key, the current one last. Earlier ones are in the overlap of a rotation.
    pub secrets: Vec<KeySecret>,
    /// The time of issue.
    pub created_at: Timestamp,
    /// The time of expiry.
    pub expires_at: Option<Timestamp>,
    /// The time of revocation.
    pub revoked_at: Option<Timestamp>,
    /// The operator's label.
    pub label: Option<KeyLabel>,
    /// Time of the last authorised request, to [`KEY_USE_RESOLUTION`]; `None` before the first one.
    pub last_used_at: Option<Timestamp>,
    /// The time at which the client was told that the key expires soon. The expiry of a key never changes.
    pub expiry_reported_at: Option<Timestamp>,
}

/// Authorised request with a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KeyUse {
    /// The key.
    pub key: KeyId,
    /// The time of the request.
    pub at: Timestamp,
}

/// Key to issue; the store replaces its number.
pub type NewKey = Key;

/// Secret of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeySecret {
    /// Digest of the secret, which is stored instead of it.
    pub digest: KeyDigest,
    /// Printable hint of the secret: prefix and four characters.
    pub hint: String,
    /// The end of the validity; `None` for the current secret.
    pub valid_until: Option<Timestamp>,
}

/// Change of a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum KeyChange {
    /// Rotation: adds a new secret; the old one stays valid until `overlap_until`.
    Rotate {
        /// The new secret.
        secret: KeySecret,
        /// The end of the old secret's validity.
        ///
        /// `None` invalidates every older secret immediately, whatever the clocks say.
        overlap_until: Option<Timestamp>,
    },
    /// Reinstatement: makes a revoked key active again, with a new secret only.
    Reinstate {
        /// The new secret.
        secret: KeySecret,
    },
    /// Revocation: invalidates all secrets.
    Revoke {
        /// The time of revocation.
        at: Timestamp,
    },
    /// Report: marks a key that expires within [`KEY_EXPIRY_NOTICE`] and is not marked, so that its client is told once.
    ReportExpiry,
}

/// Key with its client, the basis of authorisation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyWithClient {
    /// The key.
    pub key: Key,
    /// The client of the key.
    pub client: Client,
}

impl KeyWithClient {
    /// Returns the ledger of the key's lookups.
    pub const fn ledger(&self) -> LedgerId {
        LedgerId {
            client: self.client.id,
            environment: self.key.environment,
        }
    }
}

impl KeyChange {
    /// Returns the secret that the change adds.
    pub const fn new_secret(&self) -> Option<&KeySecret> {
        match self {
            Self::Rotate { secret, .. } | Self::Reinstate { secret } => Some(secret),
            Self::Revoke { .. } | Self::ReportExpiry => None,
        }
    }
}

impl Key {
    /// Returns `true` if the secret with this digest is accepted at `now`. Every end is exclusive: at the instant of
    /// its expiry a key is rejected.
    pub fn accepts(&self, digest: KeyDigest, now: Timestamp) -> bool {
        let is_current = |secret: &KeySecret| secret.valid_until.is_none_or(|end| now < end);
        self.is_active(now)
            && self
                .secrets
                .iter()
                .any(|secret| secret.digest == digest && is_current(secret))
    }

    /// Returns `true` if the key is neither revoked nor expired at `now`. A revoked key stays revoked also if the clock
    /// moves back before its revocation.
    pub fn is_active(&self, now: Timestamp) -> bool {
        self.revoked_at.is_none() && !self.is_expired(now)
    }

    /// Returns `true` if the key has expired at `now`.
    pub fn is_expired(&self, now: Timestamp) -> bool {
        self.expires_at.is_some_and(|end| end <= now)
    }

    /// Returns `true` if the key is active at `now` and expires within `span`, the end of the span included.
    pub fn expires_within(&self, span: Duration, now: Timestamp) -> bool {
        let end_of_span = now.saturating_add(span);
        self.is_active(now) && self.expires_at.is_some_and(|end| end <= end_of_span)
    }

    /// Returns `true` if the client is still to be told at `now` that the key expires soon.
    pub fn is_expiry_due_for_report(&self, now: Timestamp) -> bool {
        self.expiry_reported_at.is_none() && self.expires_within(KEY_EXPIRY_NOTICE, now)
    }

    /// Returns the key after `change`. Rotation drops secrets whose overlap has ended, and never extends an overlap.
    #[must_use]
    pub fn with_change(mut self, change: KeyChange, now: Timestamp) -> Self {
        match change {
            KeyChange::Rotate {
                secret,
                overlap_until,
            } => {
                self.end_secrets(overlap_until, now);
                self.secrets.push(secret);
            }
            KeyChange::Reinstate { secret } => {
                self.secrets = vec![secret];
                self.revoked_at = None;
            }
            KeyChange::Revoke { at } => {
                self.revoked_at = Some(self.revoked_at.map_or(at, |old| old.min(at)));
            }
            KeyChange::ReportExpiry => {
                if self.is_expiry_due_for_report(now) {
                    self.expiry_reported_at = Some(now);
                }
            }
        }
        self
    }

    /// Ends the validity of every secret at `at`, or immediately. An earlier end is never postponed.
    fn end_secrets(&mut self, at: Option<Timestamp>, now: Timestamp) {
        let Some(at) = at else {
            return self.secrets.clear();
        };
        for old in &mut self.secrets {
            old.valid_until = Some(old.valid_until.map_or(at, |until| until.min(at)));
        }
        self.secrets
            .retain(|old| old.valid_until.is_some_and(|until| now < until));
    }

    /// Returns the key after a use at `at`; `None` if the use is not stored.
    ///
    /// A use is not stored if the stored one is later, or less than [`KEY_USE_RESOLUTION`] earlier.
    #[must_use]
    pub fn after_use(&self, at: Timestamp) -> Option<Self> {
        let is_due = self
            .last_used_at
            .is_none_or(|last| at >= last.saturating_add(KEY_USE_RESOLUTION));
        is_due.then(|| Self {
            last_used_at: Some(at),
            ..self.clone()
        })
    }

    /// Returns the hint of the current secret.
    pub fn hint(&self) -> &str {
        self.secrets.last().map_or("", |secret| &secret.hint)
    }
}

impl KeyWithClient {
    /// Returns `true` if the client is suspended or closed.
    pub fn is_suspended(&self) -> bool {
        self.client.status != ClientStatus::Active
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::testing::{self, secret, timestamp};

    fn key() -> Key {
        testing::key(1)
    }

    #[test]
    fn rotation_overlaps_and_ends_on_time() {
        let rotated_key = key().with_change(
            KeyChange::Rotate {
                secret: secret(2),
                overlap_until: Some(timestamp(100)),
            },
            timestamp(50),
        );
        assert!(rotated_key.accepts(KeyDigest([1; 32]), timestamp(99)));
        assert!(!rotated_key.accepts(KeyDigest([1; 32]), timestamp(100)));
        assert!(rotated_key.accepts(KeyDigest([2; 32]), timestamp(100)));
    }

    #[test]
    fn second_rotation_keeps_the_first_overlap() {
        let once = key().with_change(
            KeyChange::Rotate {
                secret: secret(2),
                overlap_until: Some(timestamp(100)),
            },
            timestamp(50),
        );
        let twice = once.with_change(
            KeyChange::Rotate {
                secret: secret(3),
                overlap_until: Some(timestamp(500)),
            },
            timestamp(60),
        );
        assert!(!twice.accepts(KeyDigest([1; 32]), timestamp(100)));
        assert!(twice.accepts(KeyDigest([2; 32]), timestamp(499)));
    }

    #[test]
    fn zero_overlap_ends_the_old_secret() {
        let rotated_key = key().with_change(
            KeyChange::Rotate {
                secret: secret(2),
                overlap_until: Some(timestamp(50)),
            },
            timestamp(50),
        );
        assert!(!rotated_key.accepts(KeyDigest([1; 32]), timestamp(50)));
        assert_eq!(rotated_key.secrets.len(), 1);
    }

    #[test]
    fn zero_overlap_holds_after_clock_set_back() {
        let change = KeyChange::Rotate {
            secret: secret(2),
            overlap_until: None,
        };
        let rotated_key = key().with_change(change, timestamp(50));
        assert!(!rotated_key.accepts(KeyDigest([1; 32]), timestamp(0)));
        assert!(rotated_key.accepts(KeyDigest([2; 32]), timestamp(0)));
    }

    #[test]
    fn reinstated_key_accepts_only_its_new_secret() {
        let rotated_key = key().with_change(
            KeyChange::Rotate {
                secret: secret(2),
                overlap_until: Some(timestamp(100)),
            },
            timestamp(50),
        );
        let revoked_key =
            rotated_key.with_change(KeyChange::Revoke { at: timestamp(60) }, timestamp(60));
        let mut reinstated_key =
            revoked_key.with_change(KeyChange::Reinstate { secret: secret(3) }, timestamp(70));
        assert!(reinstated_key.accepts(KeyDigest([3; 32]), timestamp(70)));
        assert!(
            !reinstated_key.accepts(KeyDigest([1; 32]), timestamp(70))
                && !reinstated_key.accepts(KeyDigest([2; 32]), timestamp(70))
        );
        reinstated_key.expires_at = Some(timestamp(80));
        assert!(
            !reinstated_key.accepts(KeyDigest([3; 32]), timestamp(80)),
            "an expiry is never put off"
        );
    }

    #[test]
    fn expiry_and_revocation_are_exclusive() {
        let mut expiring = key();
        expiring.expires_at = Some(timestamp(10));
        assert!(expiring.accepts(KeyDigest([1; 32]), timestamp(9)));
        assert!(!expiring.accepts(KeyDigest([1; 32]), timestamp(10)));
        let revoked_key = key()
            .with_change(KeyChange::Revoke { at: timestamp(10) }, timestamp(10))
            .with_change(KeyChange::Revoke { at: timestamp(20) }, timestamp(20));
        assert_eq!(revoked_key.revoked_at, Some(timestamp(10)));
        assert!(!revoked_key.accepts(KeyDigest([1; 32]), timestamp(10)));
    }

    #[test]
    fn revoked_key_survives_clock_set_back() {
        let revoked_key = key().with_change(KeyChange::Revoke { at: timestamp(10) }, timestamp(10));
        assert!(
            !revoked_key.accepts(KeyDigest([1; 32]), timestamp(9)),
            "a clock that was put back has revived a revoked key"
        );
    }

    #[test]
    fn expiry_is_reported_once_within_the_notice() {
        let notice = i64::try_from(KEY_EXPIRY_NOTICE.as_millis()).unwrap();
        let end = notice + 1_000;
        let expiring_key = Key {
            expires_at: Some(timestamp(end)),
            ..key()
        };
        let report = |key: &Key, at| {
            key.clone()
                .with_change(KeyChange::ReportExpiry, timestamp(at))
        };
        for early_or_late in [0, 999, end, end + 1] {
            assert_eq!(report(&expiring_key, early_or_late), expiring_key);
        }
        assert_eq!(report(&key(), 1_000), key(), "a key without an expiry");
        let reported_key = report(&expiring_key, 1_000);
        assert_eq!(reported_key.expiry_reported_at, Some(timestamp(1_000)));
        assert_eq!(report(&reported_key, 2_000), reported_key);
        let revocation = KeyChange::Revoke { at: timestamp(2) };
        let revoked_key = expiring_key.with_change(revocation, timestamp(2));
        assert_eq!(report(&revoked_key, 1_000), revoked_key);
        let reinstatement = KeyChange::Reinstate { secret: secret(2) };
        let reinstated_key =
            report(&revoked_key, 1_000).with_change(reinstatement, timestamp(1_500));
        let reported_at = report(&reinstated_key, 2_000).expiry_reported_at;
        assert_eq!(reported_at, Some(timestamp(2_000)));
    }

    #[test]
    fn last_use_is_stored_once_a_minute() {
        let used_key = key().after_use(timestamp(1_000)).unwrap();
        assert_eq!(used_key.last_used_at, Some(timestamp(1_000)));
        for early in [0, 1_000, 60_999] {
            assert_eq!(used_key.after_use(timestamp(early)), None, "{early}");
        }
        assert_eq!(
            used_key.after_use(timestamp(61_000)).unwrap().last_used_at,
            Some(timestamp(61_000))
        );
    }
}

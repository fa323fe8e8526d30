//! Sessions of users.

use crate::secrets::UserSecretDigest;
use crate::vocabulary::Timestamp;
use std::time::Duration;

/// Time after which a session that is not used ends.
const IDLE_LIFETIME: Duration = Duration::from_hours(12);
/// Time after which a session ends.
const LIFETIME: Duration = Duration::from_hours(7 * 24);
/// Time for which a proof of identity is fresh.
pub const FRESH_PROOF: Duration = Duration::from_mins(5);
/// Interval in which the use of a session is stored at most once.
pub const SEEN_RESOLUTION: Duration = Duration::from_mins(5);
/// Maximum length of the description of a device, in characters.
const MAX_DEVICE: usize = 120;

/// Session of a user in the console. Its secret is not stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserSession {
    /// Digest of the secret.
    pub digest: UserSecretDigest,
    /// Time of the sign-in.
    pub created_at: Timestamp,
    /// Time of the last use, to within [`SEEN_RESOLUTION`].
    pub used_at: Timestamp,
    /// Time of the last proof of identity.
    pub proved_at: Timestamp,
    /// Description of the device, for example "Firefox on macOS".
    pub device: String,
}

impl UserSession {
    /// Creates a session that begins at `now`. The description of the device is truncated, and loses control characters.
    pub fn new(digest: UserSecretDigest, now: Timestamp, device: &str) -> Self {
        let device = device.chars().filter(|c| !c.is_control());
        Self {
            digest,
            created_at: now,
            used_at: now,
            proved_at: now,
            device: device.take(MAX_DEVICE).collect(),
        }
    }

    /// Returns the time at which the session ends unless it is used before.
    pub fn expires_at(&self) -> Timestamp {
        let idle_end = self.used_at.saturating_add(IDLE_LIFETIME);
        idle_end.min(self.created_at.saturating_add(LIFETIME))
    }

    /// Returns `true` if the session has not ended.
    pub fn is_active(&self, now: Timestamp) -> bool {
        now < self.expires_at()
    }

    /// Returns `true` if the last proof of identity is recent enough for a change that requires one.
    pub fn is_fresh(&self, now: Timestamp) -> bool {
        self.is_active(now) && now < self.proved_at.saturating_add(FRESH_PROOF)
    }

    /// Returns `true` if a use at `now` is to be stored.
    pub fn is_use_due(&self, now: Timestamp) -> bool {
        now >= self.used_at.saturating_add(SEEN_RESOLUTION)
    }
}

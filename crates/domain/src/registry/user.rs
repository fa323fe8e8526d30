//! Users of the console: their means of sign-in, their sessions and the changes of both.

mod change;
mod rejection;
mod session;
#[cfg(test)]
mod tests;

pub use change::{UserChange, UserProof};
pub use rejection::UserRejection;
pub use session::{FRESH_PROOF, SEEN_RESOLUTION, UserSession};

use super::Role;
use crate::secrets::UserSecretDigest;
use crate::vocabulary::{EoaAddress, PasskeyLabel, Timestamp, UserId, UserName};
use std::time::Duration;

/// Maximum number of users that are not removed.
pub const MAX_USERS: usize = 200;
/// Maximum number of passkeys of a user.
pub const MAX_PASSKEYS: usize = 8;
/// Maximum number of wallets of a user.
pub const MAX_WALLETS: usize = 4;
/// Maximum number of sessions of a user. The session that was used least recently ends when another one begins.
pub const MAX_SESSIONS: usize = 16;
/// Maximum length of the id of a passkey, in bytes, by [WebAuthn](https://www.w3.org/TR/webauthn-3/#credential-id).
pub const MAX_CREDENTIAL_ID_BYTES: usize = 1023;
/// Maximum length of the state of a passkey, in bytes.
pub const MAX_PASSKEY_STATE_BYTES: usize = 4096;
/// Lifetime of a sign-in link.
pub const SIGN_IN_LINK_LIFETIME: Duration = Duration::from_mins(15);

/// User: has access to the console with a role.
///
/// The record is bounded and holds everything of the user, so a change reads and writes one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct User {
    /// Id of the user.
    pub id: UserId,
    /// Name of the user, unique among the users that are not removed, without regard to case.
    pub name: UserName,
    /// Role of the user.
    pub role: Role,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of removal, which is permanent.
    pub removed_at: Option<Timestamp>,
    /// Time of the last sign-in or use of a session, to within [`SEEN_RESOLUTION`].
    pub seen_at: Option<Timestamp>,
    /// The newest sign-in link.
    pub link: Option<SignInLink>,
    /// Passkeys, at most [`MAX_PASSKEYS`].
    pub passkeys: Vec<Passkey>,
    /// Wallets, at most [`MAX_WALLETS`].
    pub wallets: Vec<UserWallet>,
    /// Sessions, at most [`MAX_SESSIONS`], in the order in which they began. Ended ones are removed by the next sign-in.
    pub sessions: Vec<UserSession>,
}

/// Link that signs its user in once. The link itself is not stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SignInLink {
    /// Digest of the link.
    pub digest: UserSecretDigest,
    /// Time of expiry.
    pub expires_at: Timestamp,
    /// Time of use.
    pub used_at: Option<Timestamp>,
}

/// Passkey of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Passkey {
    /// Id that the authenticator assigned, at most [`MAX_CREDENTIAL_ID_BYTES`]. Unique among all users.
    pub credential_id: Vec<u8>,
    /// Label that the user chose.
    pub label: PasskeyLabel,
    /// State of the library that verifies the passkey, at most [`MAX_PASSKEY_STATE_BYTES`].
    pub state: Vec<u8>,
    /// Time of addition.
    pub created_at: Timestamp,
    /// Time of the last proof.
    pub used_at: Option<Timestamp>,
}

/// Wallet of a user. Its address is unique among all users.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UserWallet {
    /// Address of the account.
    pub address: EoaAddress,
    /// Time of addition.
    pub created_at: Timestamp,
    /// Time at which the signature of the last accepted proof was requested. An earlier proof is rejected, so that a
    /// signature is accepted once.
    pub last_proof: Timestamp,
}

impl User {
    /// Creates a user who has not signed in yet.
    pub const fn new(
        id: UserId,
        name: UserName,
        role: Role,
        created_at: Timestamp,
        link: SignInLink,
    ) -> Self {
        Self {
            id,
            name,
            role,
            created_at,
            removed_at: None,
            seen_at: None,
            link: Some(link),
            passkeys: Vec::new(),
            wallets: Vec::new(),
            sessions: Vec::new(),
        }
    }

    /// Returns `true` if the user is not removed.
    pub const fn is_active(&self) -> bool {
        self.removed_at.is_none()
    }

    /// Returns the passkey with this id.
    pub fn find_passkey(&self, credential_id: &[u8]) -> Option<&Passkey> {
        self.passkeys
            .iter()
            .find(|passkey| passkey.credential_id == credential_id)
    }

    /// Returns the session with this digest, active or not.
    pub fn find_session(&self, digest: UserSecretDigest) -> Option<&UserSession> {
        self.sessions
            .iter()
            .find(|session| session.digest == digest)
    }

    /// Returns the time of expiry of the sign-in link with this digest.
    ///
    /// # Errors
    ///
    /// A link that is unknown, used or expired at `now`, or whose user is removed.
    pub fn check_link(
        &self,
        digest: UserSecretDigest,
        now: Timestamp,
    ) -> Result<Timestamp, UserRejection> {
        if !self.is_active() {
            return Err(UserRejection::Removed(self.name.clone()));
        }
        let link = self.link.filter(|link| link.digest == digest);
        let link = link.ok_or(UserRejection::LinkUnknown)?;
        if link.used_at.is_some() {
            Err(UserRejection::LinkUsed)
        } else if now >= link.expires_at {
            Err(UserRejection::LinkExpired)
        } else {
            Ok(link.expires_at)
        }
    }

    /// Returns `true` if `new` can be added to the users in `known`.
    ///
    /// Returns `false` if the user was already added, so that a retry is safe.
    ///
    /// # Errors
    ///
    /// [`UserRejection::NameTaken`] and [`UserRejection::TooManyUsers`].
    pub fn is_new(new: &Self, known: &[Self]) -> Result<bool, UserRejection> {
        if known.iter().any(|user| user.id == new.id) {
            return Ok(false);
        }
        new.check_name(&new.name, known)?;
        if known.iter().filter(|user| user.is_active()).count() >= MAX_USERS {
            return Err(UserRejection::TooManyUsers);
        }
        Ok(true)
    }

    /// Passes if no other user that is not removed has this name.
    fn check_name(&self, name: &UserName, users: &[Self]) -> Result<(), UserRejection> {
        let is_taken = users
            .iter()
            .any(|user| user.id != self.id && user.is_active() && user.name.is_same_as(name));
        if is_taken {
            Err(UserRejection::NameTaken(name.clone()))
        } else {
            Ok(())
        }
    }

    /// Passes unless the user is the only owner among the users that are not removed.
    fn check_other_owner(&self, users: &[Self]) -> Result<(), UserRejection> {
        let has_other_owner = users
            .iter()
            .any(|user| user.id != self.id && user.is_active() && user.role == Role::Owner);
        if self.role == Role::Owner && !has_other_owner {
            Err(UserRejection::LastOwner)
        } else {
            Ok(())
        }
    }
}

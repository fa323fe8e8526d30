//! Changes of users.

use super::{
    MAX_CREDENTIAL_ID_BYTES, MAX_PASSKEY_STATE_BYTES, MAX_PASSKEYS, MAX_SESSIONS, MAX_WALLETS,
    Passkey, SignInLink, User, UserRejection, UserSession, UserWallet,
};
use crate::registry::Role;
use crate::secrets::UserSecretDigest;
use crate::vocabulary::{EoaAddress, Timestamp, UserName};

/// Change of a user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserChange {
    /// New sign-in link, which replaces the previous one.
    Invite {
        /// The link.
        link: SignInLink,
    },
    /// Sign-in by a link.
    RedeemLink {
        /// Digest of the link.
        digest: UserSecretDigest,
        /// The session that begins.
        session: UserSession,
        /// New name of the user, accepted only before any user has signed in.
        name: Option<UserName>,
    },
    /// Addition of a passkey.
    AddPasskey(Passkey),
    /// Removal of a passkey.
    RemovePasskey {
        /// Id of the passkey.
        credential_id: Vec<u8>,
    },
    /// Addition of a wallet.
    AddWallet(UserWallet),
    /// Removal of a wallet.
    RemoveWallet {
        /// Address of the wallet.
        address: EoaAddress,
    },
    /// Sign-in by a passkey or a wallet.
    SignIn {
        /// The verified proof.
        proof: UserProof,
        /// The session that begins.
        session: UserSession,
    },
    /// Repeated proof of identity in a session.
    Prove {
        /// Digest of the session.
        session: UserSecretDigest,
        /// The verified proof.
        proof: UserProof,
        /// Time of the proof.
        at: Timestamp,
    },
    /// Use of a session.
    Touch {
        /// Digest of the session.
        session: UserSecretDigest,
        /// Time of the use.
        at: Timestamp,
    },
    /// End of a session.
    EndSession {
        /// Digest of the session.
        session: UserSecretDigest,
    },
    /// End of all sessions.
    EndSessions,
    /// New role. Ends all sessions and the sign-in link.
    SetRole {
        /// The role.
        role: Role,
    },
    /// Removal, which is permanent. Ends all sessions, and deletes the sign-in link, the passkeys and the wallets.
    Remove {
        /// Time of removal.
        at: Timestamp,
    },
}

/// Proof of identity that the caller has verified.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum UserProof {
    /// Assertion of a passkey.
    Passkey {
        /// Id of the passkey.
        credential_id: Vec<u8>,
        /// State of the verifying library after the assertion.
        state: Vec<u8>,
    },
    /// Signature of a wallet.
    Wallet {
        /// Address of the wallet.
        address: EoaAddress,
        /// Time at which the signature was requested.
        requested_at: Timestamp,
    },
}

impl User {
    /// Returns the user after `change`; `None` if the change was already applied, so that a retry is safe.
    ///
    /// `users` are all users, removed ones included.
    ///
    /// # Errors
    ///
    /// Any [`UserRejection`] except for [`UserRejection::TooManyUsers`].
    pub fn changed(
        &self,
        change: &UserChange,
        users: &[Self],
    ) -> Result<Option<Self>, UserRejection> {
        if !self.is_active() {
            return match change {
                UserChange::Remove { .. } => Ok(None),
                _ => Err(UserRejection::Removed(self.name.clone())),
            };
        }
        let mut user = self.clone();
        let is_changed = match change {
            UserChange::Invite { link } => user.invite(*link),
            UserChange::RedeemLink {
                digest,
                session,
                name,
            } => user.redeem_link(*digest, session, name.as_ref(), users)?,
            UserChange::AddPasskey(passkey) => user.add_passkey(passkey, users)?,
            UserChange::RemovePasskey { credential_id } => {
                remove_from(&mut user.passkeys, |passkey| {
                    passkey.credential_id == *credential_id
                })
            }
            UserChange::AddWallet(wallet) => user.add_wallet(*wallet, users)?,
            UserChange::RemoveWallet { address } => {
                remove_from(&mut user.wallets, |wallet| wallet.address == *address)
            }
            UserChange::SignIn { proof, session } => user.sign_in(proof, session)?,
            UserChange::Prove { session, proof, at } => user.prove(*session, proof, *at)?,
            UserChange::Touch { session, at } => user.touch(*session, *at),
            UserChange::EndSession { session } => {
                remove_from(&mut user.sessions, |candidate| candidate.digest == *session)
            }
            UserChange::EndSessions => remove_from(&mut user.sessions, |_| true),
            UserChange::SetRole { role } => user.set_role(*role, users)?,
            UserChange::Remove { at } => user.remove(*at, users)?,
        };
        Ok(is_changed.then_some(user))
    }

    fn invite(&mut self, link: SignInLink) -> bool {
        let is_new = self.link.is_none_or(|known| known.digest != link.digest);
        if is_new {
            self.link = Some(link);
        }
        is_new
    }

    fn redeem_link(
        &mut self,
        digest: UserSecretDigest,
        session: &UserSession,
        name: Option<&UserName>,
        users: &[Self],
    ) -> Result<bool, UserRejection> {
        if self.find_session(session.digest).is_some() {
            return Ok(false);
        }
        self.check_link(digest, session.created_at)?;
        if let Some(name) = name.filter(|name| **name != self.name) {
            if users.iter().any(|user| user.seen_at.is_some()) {
                return Err(UserRejection::NameFixed);
            }
            self.check_name(name, users)?;
            self.name = name.clone();
        }
        if let Some(link) = &mut self.link {
            link.used_at = Some(session.created_at);
        }
        self.begin_session(session);
        Ok(true)
    }

    fn add_passkey(&mut self, passkey: &Passkey, users: &[Self]) -> Result<bool, UserRejection> {
        if self.passkeys.contains(passkey) {
            return Ok(false);
        }
        let has_length = (1..=MAX_CREDENTIAL_ID_BYTES).contains(&passkey.credential_id.len())
            && passkey.state.len() <= MAX_PASSKEY_STATE_BYTES;
        if !has_length {
            return Err(UserRejection::PasskeyLength);
        }
        if users
            .iter()
            .any(|user| user.find_passkey(&passkey.credential_id).is_some())
        {
            return Err(UserRejection::PasskeyTaken);
        }
        if self.passkeys.len() >= MAX_PASSKEYS {
            return Err(UserRejection::TooManyPasskeys);
        }
        self.passkeys.push(passkey.clone());
        Ok(true)
    }

    fn add_wallet(&mut self, wallet: UserWallet, users: &[Self]) -> Result<bool, UserRejection> {
        if self.wallets.contains(&wallet) {
            return Ok(false);
        }
        let mut known_wallets = users.iter().flat_map(|user| &user.wallets);
        if known_wallets.any(|known| known.address == wallet.address) {
            return Err(UserRejection::WalletTaken);
        }
        if self.wallets.len() >= MAX_WALLETS {
            return Err(UserRejection::TooManyWallets);
        }
        self.wallets.push(wallet);
        Ok(true)
    }

    fn sign_in(&mut self, proof: &UserProof, session: &UserSession) -> Result<bool, UserRejection> {
        if self.find_session(session.digest).is_some() {
            return Ok(false);
        }
        self.accept_proof(proof, session.created_at)?;
        self.begin_session(session);
        Ok(true)
    }

    fn prove(
        &mut self,
        digest: UserSecretDigest,
        proof: &UserProof,
        at: Timestamp,
    ) -> Result<bool, UserRejection> {
        let session = self.active_session(digest, at);
        if session.ok_or(UserRejection::SessionEnded)?.proved_at >= at {
            return Ok(false);
        }
        self.accept_proof(proof, at)?;
        if let Some(session) = self.active_session(digest, at) {
            session.proved_at = at;
            session.used_at = session.used_at.max(at);
        }
        Ok(true)
    }

    fn touch(&mut self, digest: UserSecretDigest, at: Timestamp) -> bool {
        let Some(session) = self.active_session(digest, at) else {
            return false;
        };
        let is_due = session.is_use_due(at);
        if is_due {
            session.used_at = at;
            self.seen_at = self.seen_at.max(Some(at));
        }
        is_due
    }

    fn set_role(&mut self, role: Role, users: &[Self]) -> Result<bool, UserRejection> {
        if role == self.role {
            return Ok(false);
        }
        self.check_other_owner(users)?;
        self.role = role;
        self.link = None;
        self.sessions.clear();
        Ok(true)
    }

    fn remove(&mut self, at: Timestamp, users: &[Self]) -> Result<bool, UserRejection> {
        self.check_other_owner(users)?;
        self.removed_at = Some(at);
        self.link = None;
        self.passkeys.clear();
        self.wallets.clear();
        self.sessions.clear();
        Ok(true)
    }

    /// Stores the use of a passkey or wallet of the user.
    fn accept_proof(&mut self, proof: &UserProof, at: Timestamp) -> Result<(), UserRejection> {
        match proof {
            UserProof::Passkey {
                credential_id,
                state,
            } => {
                if state.len() > MAX_PASSKEY_STATE_BYTES {
                    return Err(UserRejection::PasskeyLength);
                }
                let mut passkeys = self.passkeys.iter_mut();
                let passkey = passkeys.find(|passkey| passkey.credential_id == *credential_id);
                let passkey = passkey.ok_or(UserRejection::PasskeyUnknown)?;
                passkey.state.clone_from(state);
                passkey.used_at = Some(at);
            }
            UserProof::Wallet {
                address,
                requested_at,
            } => {
                let mut wallets = self.wallets.iter_mut();
                let wallet = wallets.find(|wallet| wallet.address == *address);
                let wallet = wallet.ok_or(UserRejection::WalletUnknown)?;
                if *requested_at <= wallet.last_proof {
                    return Err(UserRejection::SignatureUsed);
                }
                wallet.last_proof = *requested_at;
            }
        }
        Ok(())
    }

    /// Begins a session. Removes those that have ended, and the one that was used least recently if there are too many.
    fn begin_session(&mut self, session: &UserSession) {
        let now = session.created_at;
        self.sessions.retain(|session| session.is_active(now));
        if self.sessions.len() >= MAX_SESSIONS {
            let sessions = self.sessions.iter().enumerate();
            let oldest = sessions.min_by_key(|(_, session)| session.used_at);
            if let Some(index) = oldest.map(|(index, _)| index) {
                self.sessions.remove(index);
            }
        }
        self.sessions.push(session.clone());
        self.seen_at = self.seen_at.max(Some(now));
    }

    fn active_session(
        &mut self,
        digest: UserSecretDigest,
        now: Timestamp,
    ) -> Option<&mut UserSession> {
        self.sessions
            .iter_mut()
            .find(|session| session.digest == digest && session.is_active(now))
    }
}

/// Removes the items that match; returns `true` if there was one.
fn remove_from<T>(items: &mut Vec<T>, is_removed: impl Fn(&T) -> bool) -> bool {
    let count = items.len();
    items.retain(|item| !is_removed(item));
    items.len() < count
}

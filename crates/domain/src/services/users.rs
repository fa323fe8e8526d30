//! Users of the console: invite, change and remove them.

mod sign_in;

pub use sign_in::{SignInError, SignatureRequest, SignedIn};

use super::resolve::rejected;
use super::{Ports, ServiceError};
use crate::ports::{Clock, Entropy, Store, StoreError};
use crate::registry::{
    Actor, AuditAction, AuditEntry, Passkey, Role, SIGN_IN_LINK_LIFETIME, SignInLink, User,
    UserChange, UserProof, UserWallet, find_by_prefix,
};
use crate::secrets::{Secrets, UserSecret, UserSecretDigest, UserSecretKind};
use crate::vocabulary::{EoaAddress, PasskeyLabel, Timestamp, UserId, UserName};
use std::sync::Arc;

/// Name of the user who is created for the first start.
const FIRST_USER: &str = "owner";

/// Use cases of users.
#[derive(Clone)]
pub struct UserService {
    store: Arc<dyn Store>,
    clock: Arc<dyn Clock>,
    entropy: Arc<dyn Entropy>,
    secrets: Secrets,
    actor: Actor,
}

/// User with a sign-in link, which is shown once.
#[derive(Debug, Clone)]
pub struct InvitedUser {
    /// The user.
    pub user: User,
    /// The secret of the link.
    pub link: UserSecret,
    /// Time of expiry of the link.
    pub expires_at: Timestamp,
}

impl UserService {
    /// Creates the service with these ports.
    pub fn new(ports: &Ports) -> Self {
        let Ports {
            store,
            clock,
            entropy,
            secrets,
            ..
        } = ports.clone();
        Self {
            store,
            clock,
            entropy,
            secrets,
            actor: Actor::Operator,
        }
    }

    /// Returns a service that names `actor` in the audit entries.
    #[must_use]
    pub fn acting_as(&self, actor: &Actor) -> Self {
        Self {
            actor: actor.clone(),
            ..self.clone()
        }
    }

    /// Creates a sign-in link for the user with this name, who is created if missing. An earlier link is replaced.
    ///
    /// # Errors
    ///
    /// `Conflict` if the user has another role, or if there are too many users.
    pub async fn invite(&self, name: UserName, role: Role) -> Result<InvitedUser, ServiceError> {
        let users = self.store.users().await?;
        let known_user = users
            .into_iter()
            .find(|user| user.is_active() && user.name.is_same_as(&name));
        match known_user {
            Some(user) if user.role != role => {
                let message = format!(
                    "user {:?} has the role {}; change it with `voight user role`, or invite with that role",
                    user.name.as_str(),
                    user.role
                );
                Err(StoreError::Conflict(message).into())
            }
            Some(user) => self.invite_again(&user).await,
            None => self.create(name, role).await,
        }
    }

    /// Creates a sign-in link for an owner while no user has ever signed in; the owner is created if missing.
    pub async fn first_link(&self) -> Result<Option<InvitedUser>, ServiceError> {
        let users = self.store.users().await?;
        if users.iter().any(|user| user.seen_at.is_some()) {
            return Ok(None);
        }
        let owner = users
            .iter()
            .find(|user| user.is_active() && user.role == Role::Owner);
        let invited_user = if let Some(owner) = owner {
            self.invite_again(owner).await?
        } else {
            let name = FIRST_USER.parse().map_err(|error| invalid(&error))?;
            self.create(name, Role::Owner).await?
        };
        Ok(Some(invited_user))
    }

    /// Returns all users, removed ones included.
    pub async fn list(&self) -> Result<Vec<User>, ServiceError> {
        Ok(self.store.users().await?)
    }

    /// Returns the user with this name, this id, or a unique prefix of the id. Of several users with the name, one that
    /// is not removed takes precedence, then the latest.
    pub async fn find(&self, reference: &str) -> Result<User, ServiceError> {
        let users = self.store.users().await?;
        if let Ok(name) = reference.parse::<UserName>() {
            let users_with_name = users.iter().filter(|user| user.name.is_same_as(&name));
            if let Some(user) = users_with_name.max_by_key(|user| (user.is_active(), user.id)) {
                return Ok(user.clone());
            }
        }
        find_by_prefix(reference, users, |user| user.id.to_string())
            .map_err(|error| rejected("user", reference, &error))
    }

    /// Gives a user another role, which ends the user's sessions and sign-in link.
    ///
    /// # Errors
    ///
    /// `Conflict` if the user is removed, or is the only owner.
    pub async fn set_role(&self, id: UserId, role: Role) -> Result<User, ServiceError> {
        let detail = format!("role {role}");
        self.change_found(id, UserChange::SetRole { role }, |_| detail)
            .await
    }

    /// Removes a user permanently. A repeat changes nothing.
    ///
    /// # Errors
    ///
    /// `Conflict` if the user is the only owner.
    pub async fn remove(&self, id: UserId) -> Result<User, ServiceError> {
        let change = UserChange::Remove {
            at: self.clock.now(),
        };
        self.change_found(id, change, |user| user.role.to_string())
            .await
    }

    /// Adds a passkey whose registration the caller has verified.
    ///
    /// # Errors
    ///
    /// `Conflict` if a user has the passkey already, or the user has too many.
    pub async fn add_passkey(
        &self,
        id: UserId,
        credential_id: Vec<u8>,
        label: PasskeyLabel,
        state: Vec<u8>,
    ) -> Result<User, ServiceError> {
        let detail = format!("passkey {:?} added", label.as_str());
        let passkey = Passkey {
            credential_id,
            label,
            state,
            created_at: self.clock.now(),
            used_at: None,
        };
        self.change_found(id, UserChange::AddPasskey(passkey), |_| detail)
            .await
    }

    /// Removes a passkey. A repeat changes nothing.
    pub async fn remove_passkey(
        &self,
        id: UserId,
        credential_id: &[u8],
    ) -> Result<User, ServiceError> {
        let change = UserChange::RemovePasskey {
            credential_id: credential_id.to_vec(),
        };
        let describe = |user: &User| {
            let label = user
                .find_passkey(credential_id)
                .map(|passkey| passkey.label.as_str());
            format!("passkey {:?} removed", label.unwrap_or_default())
        };
        self.change_found(id, change, describe).await
    }

    /// Adds a wallet by its proof.
    ///
    /// # Errors
    ///
    /// `Invalid` if the proof is that of a passkey; `Conflict` if a user has the wallet already, or the user has too many.
    pub async fn add_wallet(&self, id: UserId, proof: UserProof) -> Result<User, ServiceError> {
        let UserProof::Wallet {
            address,
            requested_at,
        } = proof
        else {
            return Err(invalid(&"a wallet is added by its own signature"));
        };
        let wallet = UserWallet {
            address,
            created_at: self.clock.now(),
            last_proof: requested_at,
        };
        let detail = format!("{} added", self.describe_wallet(&address));
        self.change_found(id, UserChange::AddWallet(wallet), |_| detail)
            .await
    }

    /// Removes a wallet. A repeat changes nothing.
    pub async fn remove_wallet(
        &self,
        id: UserId,
        address: EoaAddress,
    ) -> Result<User, ServiceError> {
        let detail = format!("{} removed", self.describe_wallet(&address));
        self.change_found(id, UserChange::RemoveWallet { address }, |_| detail)
            .await
    }

    /// Ends a session. A repeat changes nothing.
    pub async fn end_session(
        &self,
        id: UserId,
        session: UserSecretDigest,
    ) -> Result<User, ServiceError> {
        let change = UserChange::EndSession { session };
        self.change_found(id, change, |_| "session ended".to_owned())
            .await
    }

    /// Ends all sessions of a user.
    pub async fn end_sessions(&self, id: UserId) -> Result<User, ServiceError> {
        self.change_found(id, UserChange::EndSessions, |_| {
            "all sessions ended".to_owned()
        })
        .await
    }

    async fn create(&self, name: UserName, role: Role) -> Result<InvitedUser, ServiceError> {
        let now = self.clock.now();
        let id = UserId::new(now, self.entropy.bytes());
        let (link, secret) = self.new_link(id, now);
        let user = User::new(id, name, role, now, link);
        let audit = self.audit(AuditAction::UserInvited, &user, role.as_str());
        self.store.create_user(user.clone(), audit).await?;
        Ok(InvitedUser {
            user,
            link: secret,
            expires_at: link.expires_at,
        })
    }

    async fn invite_again(&self, user: &User) -> Result<InvitedUser, ServiceError> {
        let (link, secret) = self.new_link(user.id, self.clock.now());
        let change = UserChange::Invite { link };
        let user = self.change(user, change, user.role.as_str()).await?;
        Ok(InvitedUser {
            user,
            link: secret,
            expires_at: link.expires_at,
        })
    }

    fn new_link(&self, id: UserId, now: Timestamp) -> (SignInLink, UserSecret) {
        let secret = UserSecret::new(UserSecretKind::Link, id, self.entropy.bytes());
        let link = SignInLink {
            digest: self.secrets.user_secret_digest(&secret),
            expires_at: now.saturating_add(SIGN_IN_LINK_LIFETIME),
            used_at: None,
        };
        (link, secret)
    }

    async fn change_found(
        &self,
        id: UserId,
        change: UserChange,
        describe: impl FnOnce(&User) -> String + Send,
    ) -> Result<User, ServiceError> {
        let user = self.store.user(id).await?.ok_or_else(|| unknown(id))?;
        let detail = describe(&user);
        self.change(&user, change, &detail).await
    }

    /// Changes a user with the audit entry of the change.
    async fn change(
        &self,
        user: &User,
        change: UserChange,
        detail: &str,
    ) -> Result<User, ServiceError> {
        let audit = audited_action(&change).map(|action| self.audit(action, user, detail));
        let changed_user = self.store.change_user(user.id, change, audit).await?;
        changed_user.ok_or_else(|| unknown(user.id))
    }

    fn audit(&self, action: AuditAction, user: &User, detail: &str) -> AuditEntry {
        AuditEntry {
            at: self.clock.now(),
            actor: self.actor.clone(),
            action,
            subject: user.id.to_string(),
            detail: format!("{}, {detail}", user.name),
        }
    }

    /// Returns the text that stands for a wallet in the audit log, which holds no address.
    fn describe_wallet(&self, address: &EoaAddress) -> String {
        format!("wallet {}", self.secrets.audit_address_digest(address))
    }
}

/// Returns the audited action of a change; `None` for the use of a session.
const fn audited_action(change: &UserChange) -> Option<AuditAction> {
    match change {
        UserChange::Invite { .. } => Some(AuditAction::UserInvited),
        UserChange::RedeemLink { .. } | UserChange::SignIn { .. } => {
            Some(AuditAction::UserSignedIn)
        }
        UserChange::Remove { .. } => Some(AuditAction::UserRemoved),
        UserChange::Touch { .. } => None,
        UserChange::AddPasskey(_)
        | UserChange::RemovePasskey { .. }
        | UserChange::AddWallet(_)
        | UserChange::RemoveWallet { .. }
        | UserChange::Prove { .. }
        | UserChange::EndSession { .. }
        | UserChange::EndSessions
        | UserChange::SetRole { .. } => Some(AuditAction::UserChanged),
    }
}

fn unknown(id: UserId) -> ServiceError {
    ServiceError::NotFound(format!("user {:?}", id.to_string()))
}

fn invalid(error: &impl ToString) -> ServiceError {
    ServiceError::Invalid(error.to_string())
}

//! Sign-in of users by a link, a passkey or a wallet, their sessions, and repeated proofs of identity.

use super::UserService;
use crate::ownership::{SignInRequest, WalletSignature};
use crate::ports::StoreError;
use crate::registry::{Actor, Passkey, User, UserChange, UserProof, UserSession};
use crate::secrets::{UserSecret, UserSecretDigest, UserSecretKind};
use crate::services::ServiceError;
use crate::vocabulary::{EoaAddress, Origin, Timestamp, UserId, UserName};

/// User with a new session.
#[derive(Debug, Clone)]
pub struct SignedIn {
    /// The user.
    pub user: User,
    /// The secret of the session.
    pub session: UserSecret,
}

/// Request for the signature of a wallet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SignatureRequest {
    /// The message that the wallet signs.
    pub message: String,
    /// The sealed request, which the browser returns with the signature.
    pub token: String,
    /// Time of expiry.
    pub expires_at: Timestamp,
}

/// Error of a sign-in or of a proof of identity.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SignInError {
    /// The link, passkey or wallet is not accepted. The reason is for the log: a caller of the console sees one text.
    #[error("{0}")]
    Rejected(String),
    /// The store failed.
    #[error(transparent)]
    Store(StoreError),
}

impl UserService {
    /// Returns the user of a valid sign-in link and its time of expiry, without using the link.
    pub async fn peek_link(&self, text: &str) -> Result<(User, Timestamp), SignInError> {
        let link = parse_secret(UserSecretKind::Link, text)?;
        let user = self.known_user(link.user()).await?;
        let digest = self.secrets.user_secret_digest(&link);
        let expires_at = user
            .check_link(digest, self.clock.now())
            .map_err(|error| SignInError::rejected(&error))?;
        Ok((user, expires_at))
    }

    /// Signs a user in by a link, which works once. `name` is the new name of the user, accepted only before any user
    /// has signed in.
    pub async fn redeem_link(
        &self,
        text: &str,
        name: Option<UserName>,
        device: &str,
    ) -> Result<SignedIn, SignInError> {
        let link = parse_secret(UserSecretKind::Link, text)?;
        let mut user = self.known_user(link.user()).await?;
        let mut detail = "by a link".to_owned();
        if let Some(name) = name.clone() {
            // The audit entry names the user as the change does.
            let earlier_name = std::mem::replace(&mut user.name, name);
            detail = format!("{detail}, earlier name {:?}", earlier_name.as_str());
        }
        let digest = self.secrets.user_secret_digest(&link);
        let with_session = |session| UserChange::RedeemLink {
            digest,
            session,
            name,
        };
        self.begin_session(&user, with_session, &detail, device)
            .await
    }

    /// Returns a passkey of a user, for its verification.
    pub async fn find_passkey(
        &self,
        id: UserId,
        credential_id: &[u8],
    ) -> Result<Option<(User, Passkey)>, StoreError> {
        let user = self.store.user(id).await?;
        Ok(user.and_then(|user| {
            let passkey = user.find_passkey(credential_id)?.clone();
            Some((user, passkey))
        }))
    }

    /// Requests a signature of a wallet for a console with this origin.
    pub fn request_signature(&self, origin: Origin, address: EoaAddress) -> SignatureRequest {
        let request = SignInRequest {
            origin,
            address,
            nonce: self.entropy.bytes(),
            issued_at: self.clock.now(),
        };
        SignatureRequest {
            message: request.to_string(),
            token: request.to_token(&self.secrets),
            expires_at: request.expires_at(),
        }
    }

    /// Verifies the signature of a request for a console with this origin.
    pub fn verify_wallet(
        &self,
        token: &str,
        origin: &Origin,
        signature: &str,
    ) -> Result<UserProof, SignInError> {
        let request = SignInRequest::from_token(token, &self.secrets)
            .filter(|request| request.origin == *origin && self.clock.now() < request.expires_at());
        let request = request
            .ok_or_else(|| SignInError::rejected(&"the request for a signature has expired"))?;
        let signature: WalletSignature = signature
            .parse()
            .map_err(|error| SignInError::rejected(&error))?;
        request
            .verify(&signature)
            .map_err(|error| SignInError::rejected(&error))?;
        Ok(UserProof::Wallet {
            address: request.address,
            requested_at: request.issued_at,
        })
    }

    /// Signs a user in by a passkey whose assertion the caller has verified.
    pub async fn sign_in_with_passkey(
        &self,
        id: UserId,
        credential_id: Vec<u8>,
        state: Vec<u8>,
        device: &str,
    ) -> Result<SignedIn, SignInError> {
        let user = self.known_user(id).await?;
        let proof = UserProof::Passkey {
            credential_id,
            state,
        };
        self.sign_in(&user, proof, device).await
    }

    /// Signs in the user of a wallet by the signature of a request.
    pub async fn sign_in_with_wallet(
        &self,
        token: &str,
        origin: &Origin,
        signature: &str,
        device: &str,
    ) -> Result<SignedIn, SignInError> {
        let proof = self.verify_wallet(token, origin, signature)?;
        let users = self.store.users().await?;
        let user = users.iter().find(|user| has_wallet(user, &proof));
        let user = user.ok_or_else(|| SignInError::rejected(&"no user has the wallet"))?;
        self.sign_in(user, proof, device).await
    }

    /// Returns the user and the session of a secret; `None` if the session has ended. Stores the use of the session.
    pub async fn session(&self, text: &str) -> Result<Option<(User, UserSession)>, StoreError> {
        let Some(secret) = UserSecret::parse(UserSecretKind::Session, text) else {
            return Ok(None);
        };
        let Some(user) = self.store.user(secret.user()).await? else {
            return Ok(None);
        };
        let now = self.clock.now();
        let digest = self.secrets.user_secret_digest(&secret);
        let session = user.find_session(digest).cloned();
        let Some(session) = session.filter(|session| session.is_active(now)) else {
            return Ok(None);
        };
        if session.is_use_due(now) {
            let change = UserChange::Touch {
                session: digest,
                at: now,
            };
            // A store that accepts no changes still answers reads, so its console stays usable until the session is idle.
            let _ = self.store.change_user(user.id, change, None).await;
        }
        Ok(Some((user, session)))
    }

    /// Stores a repeated proof of identity in a session, which is fresh afterwards.
    pub async fn prove(
        &self,
        id: UserId,
        session: UserSecretDigest,
        proof: UserProof,
    ) -> Result<User, SignInError> {
        let user = self.known_user(id).await?;
        let detail = format!("identity proven {}", self.describe_proof(&user, &proof));
        let change = UserChange::Prove {
            session,
            proof,
            at: self.clock.now(),
        };
        Ok(self.change(&user, change, &detail).await?)
    }

    async fn sign_in(
        &self,
        user: &User,
        proof: UserProof,
        device: &str,
    ) -> Result<SignedIn, SignInError> {
        let detail = self.describe_proof(user, &proof);
        let with_session = |session| UserChange::SignIn { proof, session };
        self.begin_session(user, with_session, &detail, device)
            .await
    }

    /// Applies the change that begins a session. The user is the author of the change.
    async fn begin_session(
        &self,
        user: &User,
        with_session: impl FnOnce(UserSession) -> UserChange + Send,
        detail: &str,
        device: &str,
    ) -> Result<SignedIn, SignInError> {
        let secret = UserSecret::new(UserSecretKind::Session, user.id, self.entropy.bytes());
        let digest = self.secrets.user_secret_digest(&secret);
        let change = with_session(UserSession::new(digest, self.clock.now(), device));
        let changed_user = self
            .acting_as(&Actor::User(user.name.clone()))
            .change(user, change, detail)
            .await?;
        Ok(SignedIn {
            user: changed_user,
            session: secret,
        })
    }

    async fn known_user(&self, id: UserId) -> Result<User, SignInError> {
        let user = self.store.user(id).await.map_err(SignInError::Store)?;
        user.ok_or_else(|| SignInError::rejected(&"the user does not exist"))
    }

    fn describe_proof(&self, user: &User, proof: &UserProof) -> String {
        match proof {
            UserProof::Passkey { credential_id, .. } => {
                let passkey = user.find_passkey(credential_id);
                let label = passkey.map(|passkey| passkey.label.as_str());
                format!("by passkey {:?}", label.unwrap_or_default())
            }
            UserProof::Wallet { address, .. } => format!("by {}", self.describe_wallet(address)),
        }
    }
}

impl SignInError {
    fn rejected(reason: &impl ToString) -> Self {
        Self::Rejected(reason.to_string())
    }
}

impl From<StoreError> for SignInError {
    /// A conflict is a rejection of the rules in [`User::changed`].
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Conflict(reason) => Self::Rejected(reason),
            error => Self::Store(error),
        }
    }
}

impl From<ServiceError> for SignInError {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Store(error) => error.into(),
            error => Self::rejected(&error),
        }
    }
}

fn parse_secret(kind: UserSecretKind, text: &str) -> Result<UserSecret, SignInError> {
    UserSecret::parse(kind, text).ok_or_else(|| SignInError::rejected(&"the text is malformed"))
}

fn has_wallet(user: &User, proof: &UserProof) -> bool {
    let UserProof::Wallet { address, .. } = proof else {
        return false;
    };
    user.wallets.iter().any(|wallet| wallet.address == *address)
}

//! Errors of creating and changing users.

use super::{MAX_PASSKEYS, MAX_USERS, MAX_WALLETS};
use crate::vocabulary::UserName;

/// Error of creating or changing a user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UserRejection {
    /// The user is removed, which is permanent.
    #[error("user {:?} is permanently removed; invite a new user", .0.as_str())]
    Removed(UserName),
    /// A user that is not removed has the same name.
    #[error("a user named {:?} already exists; choose another name", .0.as_str())]
    NameTaken(UserName),
    /// The name cannot be chosen any more.
    #[error("a name can be chosen only before any user has signed in; sign in without one")]
    NameFixed,
    /// The maximum number of users exists.
    #[error("there are {MAX_USERS} users, which is the maximum; remove one first")]
    TooManyUsers,
    /// The link is not the newest one of the user.
    #[error("the sign-in link is unknown, or a newer one replaced it; create a new one")]
    LinkUnknown,
    /// The link was used.
    #[error("the sign-in link was already used; create a new one")]
    LinkUsed,
    /// The link has expired.
    #[error("the sign-in link has expired; create a new one")]
    LinkExpired,
    /// The user has no such passkey.
    #[error("the user has no such passkey; sign in by another passkey, a wallet or a new link")]
    PasskeyUnknown,
    /// A user has the passkey already.
    #[error("the passkey is already registered; sign in by it")]
    PasskeyTaken,
    /// The id or the state of the passkey is empty or too long.
    #[error(
        "the passkey has an id or a state of unsupported length; register another authenticator"
    )]
    PasskeyLength,
    /// The user has the maximum number of passkeys.
    #[error("a user has at most {MAX_PASSKEYS} passkeys; remove one first")]
    TooManyPasskeys,
    /// The user has no such wallet.
    #[error("the user has no such wallet; sign in by another wallet, a passkey or a new link")]
    WalletUnknown,
    /// A user has the wallet already.
    #[error("the wallet is already registered; sign in by it")]
    WalletTaken,
    /// The user has the maximum number of wallets.
    #[error("a user has at most {MAX_WALLETS} wallets; remove one first")]
    TooManyWallets,
    /// The signature, or one that was requested later, was already accepted.
    #[error("the signature was already used; sign again")]
    SignatureUsed,
    /// The session does not exist or has ended.
    #[error("the session has ended; sign in again")]
    SessionEnded,
    /// The user is the only owner.
    #[error("the user is the only owner; give another user the role owner first")]
    LastOwner,
}

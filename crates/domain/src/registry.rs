//! Registry: clients, their keys and contexts, admin tokens, users, and the audit record of every change.

mod access;
mod admin_token;
mod audit;
mod audit_head;
mod client;
mod context;
mod key;
mod reference;
mod settings;
#[cfg(test)]
pub(crate) mod testing;
mod transfer;
mod user;

pub use admin_token::{
    AdminToken, AdminTokenChange, AdminTokenRejection, Permission, Role, RoleError,
};
pub use audit::{Actor, AuditAction, AuditEntry};
pub use audit_head::AuditHead;
pub use client::{Client, ClientChange, ClientStatus, ContextAccess, NewClient};
pub use context::{Context, ContextChange, NewContext, OriginDecision};
pub use key::{
    DEFAULT_ROTATION_OVERLAP, KEY_EXPIRY_NOTICE, KEY_USE_RESOLUTION, Key, KeyChange, KeySecret,
    KeyUse, KeyWithClient, MAX_ROTATION_OVERLAP, NewKey,
};
pub use reference::{Candidates, PREFIX_MIN, ReferenceError, find_by_prefix, find_only};
pub use settings::{
    ContextMode, ContextSettings, DeviceLimitPolicy, MinConfidence, OwnershipPolicy, PressCount,
    SettingError, UnverifiedFlagPolicy,
};
pub use transfer::{
    ContextTransfer, TransferFacts, TransferOutcome, TransferRejection, TransferScope,
    TransferStep, transfer_contexts,
};
pub use user::{
    FRESH_PROOF, MAX_CREDENTIAL_ID_BYTES, MAX_PASSKEY_STATE_BYTES, MAX_PASSKEYS, MAX_SESSIONS,
    MAX_USERS, MAX_WALLETS, Passkey, SEEN_RESOLUTION, SIGN_IN_LINK_LIFETIME, SignInLink, User,
    UserChange, UserProof, UserRejection, UserSession, UserWallet,
};

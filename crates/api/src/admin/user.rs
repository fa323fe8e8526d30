//! Users of the console.

use super::optional;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::registry;
use voight_domain::services;

/// User to invite.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewUser {
    /// Name, unique among users that are not removed, without regard to case. A user who exists gets a new link.
    pub name: String,
    /// Role: `owner`, `operator`, `analyst` or `billing`.
    pub role: String,
}

/// New role of a user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRole {
    /// Role: `owner`, `operator`, `analyst` or `billing`.
    pub role: String,
}

/// Options of a removal. No member is defined.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct UserRemoval {}

/// User of the console.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct User {
    /// User id.
    pub id: String,
    /// User name.
    pub name: String,
    /// Role of the user.
    pub role: String,
    /// Number of passkeys.
    pub passkeys: usize,
    /// Number of wallets.
    pub wallets: usize,
    /// Time of creation.
    pub created_at: String,
    /// Time of the last use of the console, to within five minutes; null before the first sign-in.
    pub seen_at: Option<String>,
    /// Time of removal; null while the user has access.
    pub removed_at: Option<String>,
}

/// User with a sign-in link, which only this response contains.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct InvitedUser {
    /// The user.
    pub user: User,
    /// Path of the link on the admin listener. The link works once.
    pub path: String,
    /// Time of expiry of the link.
    pub expires_at: String,
}

impl From<&registry::User> for User {
    fn from(user: &registry::User) -> Self {
        Self {
            id: user.id.to_string(),
            name: user.name.to_string(),
            role: user.role.to_string(),
            passkeys: user.passkeys.len(),
            wallets: user.wallets.len(),
            created_at: user.created_at.to_string(),
            seen_at: optional(user.seen_at),
            removed_at: optional(user.removed_at),
        }
    }
}

impl From<&services::InvitedUser> for InvitedUser {
    fn from(invited_user: &services::InvitedUser) -> Self {
        Self {
            user: User::from(&invited_user.user),
            path: format!("/console/sign-in/{}", *invited_user.link.expose()),
            expires_at: invited_user.expires_at.to_string(),
        }
    }
}

//! Caller of a request to the admin API: its role, and its name in the audit log.

use crate::error::ApiError;
use actix_web::dev::Payload;
use actix_web::{FromRequest, HttpMessage, HttpRequest};
use std::future::{Ready, ready};
use voight_api::ErrorId;
use voight_domain::registry::{Actor, Permission, Role};
use voight_domain::vocabulary::AdminTokenId;

/// Holder of the token that authenticated a request to the admin API.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Caller {
    /// Actor in audit entries.
    pub(crate) actor: Actor,
    /// Role of the token.
    pub(crate) role: Role,
    /// Token; `None` for that of the data directory.
    pub(crate) token: Option<TokenVersion>,
}

/// Named admin token between two rotations.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TokenVersion {
    /// Id of the token.
    pub(crate) id: AdminTokenId,
    /// Number of rotations.
    pub(crate) generation: u32,
}

impl Caller {
    /// Holder of the token of the data directory.
    pub(crate) const OWNER: Self = Self {
        actor: Actor::Operator,
        role: Role::Owner,
        token: None,
    };

    /// Returns the name of the caller's token; `None` for the token of the data directory.
    pub(crate) fn name(&self) -> Option<&str> {
        match &self.actor {
            Actor::AdminToken(name) => Some(name.as_str()),
            Actor::Operator | Actor::Service | Actor::Key(_) | Actor::User(_) => None,
        }
    }

    /// Checks that the caller's role has `permission`.
    ///
    /// # Errors
    ///
    /// 403 with the role of the token and the roles that have the permission.
    pub(crate) fn require(&self, permission: Permission) -> Result<(), ApiError> {
        if self.role.allows(permission) {
            return Ok(());
        }
        let message = format!(
            "The admin token {:?} has the role {}; this needs the role {}.",
            self.name().unwrap_or_default(),
            self.role,
            permission.roles()
        );
        Err(ApiError::with_message(ErrorId::RoleForbidden, message))
    }
}

impl FromRequest for Caller {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(
            request
                .extensions()
                .get::<Self>()
                .cloned()
                .ok_or_else(|| ErrorId::BadAdminToken.into()),
        )
    }
}

//! Named admin tokens: roles, permissions and changes.

use crate::vocabulary::{AdminTokenId, AdminTokenName, Timestamp};
use std::fmt;
use std::str::FromStr;

/// Role of an admin token. The names are stable: they are stored and shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// All permissions, including admin tokens, signing keys, dumps and the clock. The token of the data directory has
    /// this role.
    Owner,
    /// Operator: all reads except ledger exports with openings and dumps, and most changes.
    ///
    /// The changes are those of clients, keys, contexts, verdicts, labels and clusters.
    Operator,
    /// All reads except ledger exports with openings and dumps.
    Analyst,
    /// Reads of clients, usage and invoices; invoices, credits, corrections, caps and budgets.
    Billing,
}

/// Permission that a route of the admin API requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Permission {
    /// Reads clients, usage, invoices and the state of the service.
    ReadAccounts,
    /// Reads everything that neither [`Permission::ReadAccounts`] nor [`Permission::Own`] covers.
    Read,
    /// Changes invoices, credits, corrections, caps and budgets.
    Bill,
    /// Changes clients, keys, contexts, verdicts, labels and clusters.
    Operate,
    /// Reads or changes data that gives control of the installation.
    ///
    /// This data is admin tokens, signing keys, dumps, openings and the clock.
    Own,
}

/// Error of a text that names no role.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a role; a role is owner, operator, analyst or billing")]
pub struct RoleError(String);

impl Role {
    /// All roles.
    pub const ALL: [Self; 4] = [Self::Owner, Self::Operator, Self::Analyst, Self::Billing];

    /// Returns the role as stored and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Owner => "owner",
            Self::Operator => "operator",
            Self::Analyst => "analyst",
            Self::Billing => "billing",
        }
    }

    /// Returns `true` if a token with this role has `permission`.
    pub const fn allows(self, permission: Permission) -> bool {
        match permission {
            Permission::ReadAccounts => true,
            Permission::Read => matches!(self, Self::Owner | Self::Operator | Self::Analyst),
            Permission::Bill => matches!(self, Self::Owner | Self::Billing),
            Permission::Operate => matches!(self, Self::Owner | Self::Operator),
            Permission::Own => matches!(self, Self::Owner),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for Role {
    type Err = RoleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|role| role.as_str() == text)
            .ok_or_else(|| RoleError(text.to_owned()))
    }
}

impl Permission {
    /// All permissions.
    pub const ALL: [Self; 5] = [
        Self::ReadAccounts,
        Self::Read,
        Self::Bill,
        Self::Operate,
        Self::Own,
    ];

    /// Returns the roles with this permission as text, for the error of a caller without it.
    pub fn roles(self) -> String {
        let roles: Vec<_> = Role::ALL
            .into_iter()
            .filter(|role| role.allows(self))
            .map(Role::as_str)
            .collect();
        match roles.split_last() {
            Some((last, [])) => (*last).to_owned(),
            Some((last, others)) => format!("{} or {last}", others.join(", ")),
            None => String::new(),
        }
    }
}

/// Named admin token. Its secret is derived from the pepper, the id and the generation, so no part of it is stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdminToken {
    /// Id of the token, which is a part of the token's text.
    pub id: AdminTokenId,
    /// Name of the token, unique among the tokens that are not revoked.
    pub name: AdminTokenName,
    /// Role of the token.
    pub role: Role,
    /// Number of rotations. The secret of an earlier generation is rejected.
    pub generation: u32,
    /// Time of creation.
    pub created_at: Timestamp,
    /// Time of revocation.
    pub revoked_at: Option<Timestamp>,
}

/// Change of an admin token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AdminTokenChange {
    /// Rotation: gives the token the secret of the next generation.
    Rotate {
        /// The new generation.
        generation: u32,
    },
    /// Revocation, which is permanent.
    Revoke {
        /// Time of revocation.
        at: Timestamp,
    },
}

/// Error of creating or changing an admin token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AdminTokenRejection {
    /// The token is revoked, which is permanent.
    #[error("admin token {:?} is permanently revoked; create a new one", .0.as_str())]
    Revoked(AdminTokenName),
    /// The token was rotated concurrently.
    #[error("admin token {:?} was rotated meanwhile; rotate it again if its secret must change once more", .0.as_str())]
    Rotated(AdminTokenName),
    /// A token that is not revoked has the same name.
    #[error("an admin token named {:?} already exists; choose another name, or revoke that token first", .0.as_str())]
    NameTaken(AdminTokenName),
}

impl AdminToken {
    /// Returns `true` if the token is accepted by the admin API.
    pub const fn is_active(&self) -> bool {
        self.revoked_at.is_none()
    }

    /// Returns the token after `change`; `None` if the change was already applied, so that a retry is safe.
    ///
    /// # Errors
    ///
    /// A rotation of a revoked token, and a rotation to a generation that is not the next one.
    pub fn changed(&self, change: AdminTokenChange) -> Result<Option<Self>, AdminTokenRejection> {
        match change {
            AdminTokenChange::Revoke { .. } if !self.is_active() => Ok(None),
            AdminTokenChange::Revoke { at } => Ok(Some(Self {
                revoked_at: Some(at),
                ..self.clone()
            })),
            AdminTokenChange::Rotate { .. } if !self.is_active() => {
                Err(AdminTokenRejection::Revoked(self.name.clone()))
            }
            AdminTokenChange::Rotate { generation } if generation == self.generation => Ok(None),
            AdminTokenChange::Rotate { generation }
                if self.generation.checked_add(1) == Some(generation) =>
            {
                Ok(Some(Self {
                    generation,
                    ..self.clone()
                }))
            }
            AdminTokenChange::Rotate { .. } => Err(AdminTokenRejection::Rotated(self.name.clone())),
        }
    }

    /// Returns `true` if `new` can be added to the tokens in `known`.
    ///
    /// Returns `false` if the token was already added, so that a retry is safe.
    ///
    /// # Errors
    ///
    /// [`AdminTokenRejection::NameTaken`] if a token that is not revoked has the same name.
    pub fn is_new(new: &Self, known: &[Self]) -> Result<bool, AdminTokenRejection> {
        if known.iter().any(|token| token.id == new.id) {
            return Ok(false);
        }
        if known
            .iter()
            .any(|token| token.is_active() && token.name == new.name)
        {
            return Err(AdminTokenRejection::NameTaken(new.name.clone()));
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AT: Timestamp = Timestamp::from_millis(1000);

    fn token(id: u8, name: &str) -> AdminToken {
        AdminToken {
            id: AdminTokenId::from_bytes([id; 16]),
            name: name.parse().unwrap(),
            role: Role::Analyst,
            generation: 0,
            created_at: AT,
            revoked_at: None,
        }
    }

    #[test]
    fn roles_have_documented_permissions() {
        let of = |role: Role| {
            Permission::ALL
                .into_iter()
                .filter(|permission| role.allows(*permission))
                .collect::<Vec<_>>()
        };
        assert_eq!(of(Role::Owner), Permission::ALL);
        assert_eq!(
            of(Role::Operator),
            [
                Permission::ReadAccounts,
                Permission::Read,
                Permission::Operate
            ]
        );
        assert_eq!(
            of(Role::Analyst),
            [Permission::ReadAccounts, Permission::Read]
        );
        assert_eq!(
            of(Role::Billing),
            [Permission::ReadAccounts, Permission::Bill]
        );
        assert_eq!(Permission::Own.roles(), "owner");
        assert_eq!(Permission::Read.roles(), "owner, operator or analyst");
    }

    #[test]
    fn roles_parse_only_by_name() {
        for role in Role::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        let error = "Admin".parse::<Role>().unwrap_err().to_string();
        assert_eq!(
            error,
            "\"Admin\" is not a role; a role is owner, operator, analyst or billing"
        );
    }

    #[test]
    fn rotation_needs_the_next_generation() {
        let first = token(1, "ci");
        let second = first
            .changed(AdminTokenChange::Rotate { generation: 1 })
            .unwrap()
            .unwrap();
        assert_eq!(second.generation, 1);
        assert_eq!(
            second.changed(AdminTokenChange::Rotate { generation: 1 }),
            Ok(None),
            "a repetition"
        );
        for generation in [0, 3] {
            let rejection = second.changed(AdminTokenChange::Rotate { generation });
            assert_eq!(
                rejection,
                Err(AdminTokenRejection::Rotated(first.name.clone())),
                "{generation}"
            );
        }
    }

    #[test]
    fn revocation_is_permanent() {
        let revoked_token = token(1, "ci")
            .changed(AdminTokenChange::Revoke { at: AT })
            .unwrap()
            .unwrap();
        assert!(!revoked_token.is_active());
        let later = AdminTokenChange::Revoke {
            at: Timestamp::from_millis(9),
        };
        assert_eq!(
            revoked_token.changed(later),
            Ok(None),
            "the first revocation is what counts"
        );
        let rotation = revoked_token.changed(AdminTokenChange::Rotate { generation: 1 });
        assert_eq!(
            rotation,
            Err(AdminTokenRejection::Revoked(revoked_token.name))
        );
    }

    #[test]
    fn name_is_unique_among_active_tokens() {
        let existing_tokens = [token(1, "ci")];
        assert_eq!(
            AdminToken::is_new(&existing_tokens[0], &existing_tokens),
            Ok(false),
            "a repetition"
        );
        assert_eq!(
            AdminToken::is_new(&token(2, "cd"), &existing_tokens),
            Ok(true)
        );
        let name_taken = AdminTokenRejection::NameTaken(existing_tokens[0].name.clone());
        assert_eq!(
            AdminToken::is_new(&token(2, "ci"), &existing_tokens),
            Err(name_taken)
        );
        let revoked_tokens = [AdminToken {
            revoked_at: Some(AT),
            ..token(1, "ci")
        }];
        assert_eq!(
            AdminToken::is_new(&token(2, "ci"), &revoked_tokens),
            Ok(true)
        );
    }
}

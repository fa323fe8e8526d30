//! Authentication methods that a server may ask for, as `require_auth` of libpq names them.

mod guard;
mod watch;

pub(super) use guard::Guarded;

use std::fmt;
use std::sync::Arc;

/// Authentication method of a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuthMethod {
    /// Password in clear text.
    Password,
    /// MD5 digest of the password, which is sufficient to log in again and can be cracked quickly.
    Md5,
    /// SCRAM: client and server prove to each other that they know the password.
    ScramSha256,
    /// No request: the server trusts the client or authenticates it by other means.
    None,
}

/// Set of allowed authentication methods.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AuthMethods(Arc<[AuthMethod]>);

impl AuthMethod {
    const ALL: [Self; 4] = [Self::Password, Self::Md5, Self::ScramSha256, Self::None];

    /// Returns the name in `require_auth`.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::Md5 => "md5",
            Self::ScramSha256 => "scram-sha-256",
            Self::None => "none",
        }
    }

    /// Returns the remedy for an operator whose server uses this method while it is not allowed.
    pub(crate) const fn remedy(self) -> &'static str {
        match self {
            Self::Password => {
                "let pg_hba.conf ask for scram-sha-256 instead; a pooler that knows nothing else is allowed by ?require_auth=scram-sha-256,password"
            }
            Self::Md5 => {
                "set password_encryption = 'scram-sha-256' there and the password of this role again, or allow it by ?require_auth=scram-sha-256,md5"
            }
            Self::ScramSha256 => "add scram-sha-256 to require_auth in the URL",
            Self::None => {
                "let pg_hba.conf ask for scram-sha-256, or add none to require_auth in the URL"
            }
        }
    }
}

impl AuthMethods {
    /// Parses a comma-separated list of names. The error message lists the valid names.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        let method = |name: &str| {
            let auth_method = AuthMethod::ALL
                .into_iter()
                .find(|method| method.name() == name);
            auth_method.ok_or_else(|| {
                format!("require_auth={text} is a list of password, md5, scram-sha-256 and none, and {name:?} is none of them")
            })
        };
        text.split(',')
            .map(method)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Returns `true` if the server may use `method`.
    pub(super) fn has(&self, method: AuthMethod) -> bool {
        self.0.contains(&method)
    }
}

/// Methods that do not reveal the password.
impl Default for AuthMethods {
    fn default() -> Self {
        Self(Arc::new([AuthMethod::ScramSha256, AuthMethod::None]))
    }
}

impl fmt::Display for AuthMethod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unsafe_methods_are_allowed_by_name_only() {
        let default = AuthMethods::default();
        assert!(default.has(AuthMethod::ScramSha256) && default.has(AuthMethod::None));
        assert!(!default.has(AuthMethod::Md5) && !default.has(AuthMethod::Password));
        let auth_methods = AuthMethods::parse("scram-sha-256,md5").unwrap();
        assert!(auth_methods.has(AuthMethod::Md5) && !auth_methods.has(AuthMethod::None));
        for wrong in ["", "!md5", "md5,", "MD5", "gss"] {
            assert!(
                AuthMethods::parse(wrong)
                    .unwrap_err()
                    .contains("scram-sha-256"),
                "{wrong}"
            );
        }
    }
}

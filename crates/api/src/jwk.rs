//! Public keys as a JWK set (RFC 7517).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::Timestamp;
use voight_domain::secrets::{PublicKey, PublicKeys, Signer};

/// Public keys, the one in use first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct KeySet {
    keys: Vec<PublicJwk>,
}

/// Ed25519 public key (RFC 8037).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PublicJwk {
    kty: String,
    crv: String,
    alg: String,
    #[serde(rename = "use")]
    usage: String,
    kid: String,
    x: String,
    /// Time of retirement, RFC 3339 in UTC; absent for the key in use. A receipt that is dated more than one minute later is
    /// invalid. Ledger heads stay valid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, required = false, format = DateTime)]
    retired_at: Option<String>,
}

impl From<&Signer> for KeySet {
    fn from(signer: &Signer) -> Self {
        let with_retirement = |(key, retired): (_, Option<Timestamp>)| PublicJwk {
            retired_at: retired.map(|at| at.to_string()),
            ..PublicJwk::from(key)
        };
        Self {
            keys: signer.dated_keys().map(with_retirement).collect(),
        }
    }
}

impl From<&PublicKeys> for KeySet {
    fn from(keys: &PublicKeys) -> Self {
        Self {
            keys: keys.0.iter().map(PublicJwk::from).collect(),
        }
    }
}

impl From<&PublicKey> for PublicJwk {
    fn from(key: &PublicKey) -> Self {
        let [kty, crv, alg, usage] = ["OKP", "Ed25519", "EdDSA", "sig"].map(str::to_owned);
        Self {
            kty,
            crv,
            alg,
            usage,
            kid: key.kid.clone(),
            x: key.x.clone(),
            retired_at: None,
        }
    }
}

impl TryFrom<KeySet> for PublicKeys {
    type Error = String;

    fn try_from(set: KeySet) -> Result<Self, Self::Error> {
        set.keys
            .into_iter()
            .map(PublicKey::try_from)
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

impl TryFrom<PublicJwk> for PublicKey {
    type Error = String;

    fn try_from(jwk: PublicJwk) -> Result<Self, Self::Error> {
        let jwk = PublicJwk {
            retired_at: None,
            ..jwk
        };
        let key = Self::from_x(&jwk.x).map_err(|error| error.to_string())?;
        if PublicJwk::from(&key) == jwk {
            Ok(key)
        } else {
            Err(format!("the key {:?} is not one of ours", jwk.kid))
        }
    }
}

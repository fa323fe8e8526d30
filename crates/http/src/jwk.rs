//! Public keys as a JWK set (RFC 7517).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use voight_domain::secrets::{PublicKey, PublicKeys};

/// The public keys, the current one first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeySet {
    keys: Vec<PublicJwk>,
}

/// An Ed25519 public key (RFC 8037).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct PublicJwk {
    kty: String,
    crv: String,
    alg: String,
    #[serde(rename = "use")]
    usage: String,
    kid: String,
    x: String,
}

impl From<&PublicKeys> for KeySet {
    fn from(keys: &PublicKeys) -> Self {
        Self { keys: keys.0.iter().map(PublicJwk::from).collect() }
    }
}

impl From<&PublicKey> for PublicJwk {
    fn from(key: &PublicKey) -> Self {
        let [kty, crv, alg, usage] = ["OKP", "Ed25519", "EdDSA", "sig"].map(str::to_owned);
        Self { kty, crv, alg, usage, kid: key.kid.clone(), x: key.x.clone() }
    }
}

impl TryFrom<KeySet> for PublicKeys {
    type Error = String;

    fn try_from(set: KeySet) -> Result<Self, Self::Error> {
        set.keys.into_iter().map(PublicKey::try_from).collect::<Result<_, _>>().map(Self)
    }
}

impl TryFrom<PublicJwk> for PublicKey {
    type Error = String;

    fn try_from(jwk: PublicJwk) -> Result<Self, Self::Error> {
        let key = Self::from_x(&jwk.x).map_err(|error| error.to_string())?;
        if PublicJwk::from(&key) == jwk { Ok(key) } else { Err(format!("the key {:?} is not one of ours", jwk.kid)) }
    }
}

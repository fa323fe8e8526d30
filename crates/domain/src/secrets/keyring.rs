//! Secrets derived from a pepper, and their uses.

use super::digest::{AddressDigest, DigestKey, IdempotencyDigest, KeyDigest, NetworkHash};
use super::mac_key::MacKey;
use super::signers::Signers;
use super::{
    AdminTokenText, Pepper, Signer, SigningKeyRotation, UserSecret, UserSecretDigest,
    WebhookKeyPair, WebhookSecret,
};
use crate::linkage::{ClusterKey, ClusterKind, DeviceFingerprint};
use crate::vocabulary::{
    AdminTokenId, ApiKey, ClientId, ContextId, ContextTitle, EndpointId, EoaAddress,
    IdempotencyKey, KeyId, ReceiptId,
};
use data_encoding::BASE64URL_NOPAD;
use std::net::IpAddr;
use std::sync::Arc;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Length of a token's MAC in bytes.
const MAC_LENGTH: usize = 32;

/// Derived secrets of one installation.
#[derive(Clone)]
pub struct Secrets {
    api_key: MacKey,
    token: MacKey,
    admin_token: MacKey,
    user_secret: MacKey,
    idempotency: DigestKey,
    network: MacKey,
    address: DigestKey,
    cluster: MacKey,
    webhook_secret: MacKey,
    webhook_key_pair: MacKey,
    signers: Signers,
}

impl Secrets {
    /// Derives all secrets, with the signing key of this number in use.
    pub fn derive(pepper: &Pepper, signer_number: u32) -> Self {
        Self {
            api_key: MacKey::new(&pepper.derive("api key digest", 0)),
            token: MacKey::new(&pepper.derive("token mac", 0)),
            admin_token: MacKey::new(&pepper.derive("admin token secret", 0)),
            user_secret: MacKey::new(&pepper.derive("user secret digest", 0)),
            idempotency: DigestKey::from_bytes(pepper.derive("idempotency claim", 0)),
            network: MacKey::new(&pepper.derive("network hash", 0)),
            address: DigestKey::from_bytes(pepper.derive("address digest", 0)),
            cluster: MacKey::new(&pepper.derive("cluster digest", 0)),
            webhook_secret: MacKey::new(&pepper.derive("webhook secret", 0)),
            webhook_key_pair: MacKey::new(&pepper.derive("webhook key pair", 0)),
            signers: Signers::derive(pepper, signer_number),
        }
    }

    /// Returns the digest under which an API key is stored.
    pub fn key_digest(&self, key: &ApiKey) -> KeyDigest {
        KeyDigest(self.api_key.mac(&[key.expose().as_bytes()]))
    }

    /// Returns the MAC of a token's bytes; `kind` prevents that a token of one kind is accepted as another.
    pub fn token_mac(&self, kind: &str, bytes: &[u8]) -> [u8; 32] {
        self.token.mac(&[kind.as_bytes(), bytes])
    }

    /// Returns `true` if `given` is the MAC of these bytes; compared in constant time.
    pub fn verify_token_mac(&self, kind: &str, bytes: &[u8], given: &[u8]) -> bool {
        self.token_mac(kind, bytes).ct_eq(given).into()
    }

    /// Returns the text of a named admin token of this generation.
    pub fn admin_token(&self, id: AdminTokenId, generation: u32) -> AdminTokenText {
        AdminTokenText::new(
            id,
            self.admin_token
                .mac(&[&id.to_bytes(), &generation.to_be_bytes()]),
        )
    }

    /// Returns the digest under which the secret of a sign-in link or session is stored.
    pub fn user_secret_digest(&self, secret: &UserSecret) -> UserSecretDigest {
        UserSecretDigest(self.user_secret.mac(&[secret.expose().as_bytes()]))
    }

    /// Returns the HMAC secret of a webhook endpoint in this generation.
    pub fn webhook_secret(&self, id: EndpointId, generation: u32) -> WebhookSecret {
        let parts = [&id.to_bytes()[..], &generation.to_be_bytes()];
        WebhookSecret::new(self.webhook_secret.mac(&parts))
    }

    /// Returns the Ed25519 key pair of a webhook endpoint in this generation.
    pub fn webhook_key_pair(&self, id: EndpointId, generation: u32) -> WebhookKeyPair {
        let parts = [&id.to_bytes()[..], &generation.to_be_bytes()];
        WebhookKeyPair::from_seed(&Zeroizing::new(self.webhook_key_pair.mac(&parts)))
    }

    /// Returns a token: the bytes and their MAC in base64url, for a caller that returns it unchanged.
    pub fn seal(&self, kind: &str, mut bytes: Vec<u8>) -> String {
        let mac = self.token_mac(kind, &bytes);
        bytes.extend_from_slice(&mac);
        BASE64URL_NOPAD.encode(&bytes)
    }

    /// Returns the bytes of a token of this kind that this installation sealed; `None` for any other text.
    pub fn unseal(&self, kind: &str, token: &str) -> Option<Vec<u8>> {
        let mut bytes = BASE64URL_NOPAD.decode(token.as_bytes()).ok()?;
        let mac = bytes.split_off(bytes.len().checked_sub(MAC_LENGTH)?);
        self.verify_token_mac(kind, &bytes, &mac).then_some(bytes)
    }

    /// Returns the digest of an idempotency key, scoped to a route.
    pub fn idempotency_key_digest(&self, route: &str, key: &IdempotencyKey) -> IdempotencyDigest {
        self.idempotency_digest(&[b"key", route.as_bytes(), key.as_str().as_bytes()])
    }

    /// Returns the digest that names a snapshot of a client.
    pub fn snapshot_digest(&self, client: ClientId, name: &str) -> IdempotencyDigest {
        self.idempotency_digest(&[b"snapshot", &client.to_bytes(), name.as_bytes()])
    }

    /// Returns the digest of the parameters of a lookup.
    pub fn lookup_fingerprint(
        &self,
        context: &ContextId,
        address: &EoaAddress,
    ) -> IdempotencyDigest {
        self.idempotency_digest(&[b"lookup", context.as_str().as_bytes(), address.as_bytes()])
    }

    /// Returns the digest of the parameters of a batch lookup of these addresses, which are distinct and ascend.
    pub fn batch_fingerprint(
        &self,
        context: &ContextId,
        addresses: &[EoaAddress],
    ) -> IdempotencyDigest {
        let addresses: Vec<u8> = addresses
            .iter()
            .flat_map(|address| *address.as_bytes())
            .collect();
        self.idempotency_digest(&[b"batch", context.as_str().as_bytes(), &addresses])
    }

    /// Returns the digest of the parameters of a registration. The requesting key is one of them: by default only the
    /// key that registered a context may use it, so a replay must not return the context to another key of the client.
    pub fn registration_fingerprint(&self, key: KeyId, title: &ContextTitle) -> IdempotencyDigest {
        self.idempotency_digest(&[b"registration", &key.to_bytes(), title.as_str().as_bytes()])
    }

    /// Returns the digest of the parameters of a redemption.
    ///
    /// The redemption of the receipt is also stored under this digest.
    pub fn redemption_fingerprint(&self, receipt: ReceiptId) -> IdempotencyDigest {
        self.idempotency_digest(&[b"redemption", &receipt.to_bytes()])
    }

    /// Returns the keyed hash of a caller's network within a context.
    pub fn network(&self, context: &ContextId, ip: IpAddr) -> NetworkHash {
        let network = match ip.to_canonical() {
            IpAddr::V4(v4) => v4.octets().to_vec(),
            // A /64 is assigned to one subscriber; its hosts are one network.
            IpAddr::V6(v6) => v6.octets()[..8].to_vec(),
        };
        NetworkHash(short(
            self.network.mac(&[context.as_str().as_bytes(), &network]),
        ))
    }

    /// Returns the cluster of a device within a context.
    pub fn device_cluster(&self, context: &ContextId, marks: &DeviceFingerprint) -> ClusterKey {
        self.cluster(ClusterKind::Device, context, &marks.0)
    }

    /// Returns the operator's cluster with this name within a context.
    pub fn operator_cluster(&self, context: &ContextId, name: &str) -> ClusterKey {
        self.cluster(ClusterKind::Operator, context, name.as_bytes())
    }

    fn cluster(&self, kind: ClusterKind, context: &ContextId, shared: &[u8]) -> ClusterKey {
        let parts = [
            kind.as_str().as_bytes(),
            context.as_str().as_bytes(),
            shared,
        ];
        ClusterKey {
            kind,
            digest: short(self.cluster.mac(&parts)),
        }
    }

    /// Returns the key of the digests of addresses in contexts.
    pub const fn address_key(&self) -> DigestKey {
        self.address
    }

    /// Returns the digest of an address in a context, used for its tombstone.
    pub fn address_digest(&self, context: &ContextId, address: &EoaAddress) -> AddressDigest {
        self.address.address_digest(context, address)
    }

    /// Returns the digest of an address in the audit log.
    ///
    /// The digest is equal for all contexts, so that an operator who knows the address can find all of its entries.
    pub fn audit_address_digest(&self, address: &EoaAddress) -> AddressDigest {
        AddressDigest(self.address.digest(&[b"audit", address.as_bytes()]))
    }

    /// Returns the signer of receipts and ledger heads that is in use.
    pub fn signer(&self) -> Arc<Signer> {
        self.signers.current()
    }

    /// Returns the signer of this number, in use or not.
    pub fn signer_by_number(&self, number: u32) -> Signer {
        self.signers.numbered(number)
    }

    /// Activates the signing key of this number, unless a later one is active.
    ///
    /// The activation applies to every clone of these secrets. Earlier signatures stay valid, those of receipts within
    /// the bounds of [`Signer::verify_dated`]. `rotations` are those after the key in use so far.
    pub fn rotate_signer_to(&self, number: u32, rotations: &[SigningKeyRotation]) {
        self.signers.rotate_to(number, rotations);
    }

    fn idempotency_digest(&self, parts: &[&[u8]]) -> IdempotencyDigest {
        IdempotencyDigest(self.idempotency.digest(parts))
    }
}

fn short(long: [u8; 32]) -> [u8; 16] {
    let mut out = [0; 16];
    out.copy_from_slice(&long[..16]);
    out
}

impl std::fmt::Debug for Secrets {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secrets(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vocabulary::Environment;

    fn secrets() -> Secrets {
        Secrets::derive(&Pepper::from_bytes([3; 32]), 0)
    }

    #[test]
    fn sealed_token_is_for_one_kind() {
        let mac = secrets().token_mac("challenge", b"bytes");
        assert!(secrets().verify_token_mac("challenge", b"bytes", &mac));
        assert!(!secrets().verify_token_mac("session", b"bytes", &mac));
        assert!(!secrets().verify_token_mac("challenge", b"byteS", &mac));
        assert!(!secrets().verify_token_mac("challenge", b"bytes", &mac[..31]));
    }

    #[test]
    fn digests_depend_on_the_pepper() {
        let key = ApiKey::generate(Environment::Live, &[9; 64]).unwrap();
        let other_secrets = Secrets::derive(&Pepper::from_bytes([4; 32]), 0);
        assert_ne!(secrets().key_digest(&key), other_secrets.key_digest(&key));
    }

    #[test]
    fn address_digest_depends_on_context_and_use() {
        let context: ContextId = "a.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let elsewhere: ContextId = "b.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let [address, other] = [[1; 20], [2; 20]].map(EoaAddress::from_bytes);
        let foreign = Secrets::derive(&Pepper::from_bytes([4; 32]), 0);
        let digests = [
            secrets().address_digest(&context, &address),
            secrets().address_digest(&context, &other),
            secrets().address_digest(&elsewhere, &address),
            secrets().audit_address_digest(&address),
            secrets().audit_address_digest(&other),
            foreign.address_digest(&context, &address),
            foreign.audit_address_digest(&address),
        ];
        let different: std::collections::BTreeSet<_> = digests.into_iter().collect();
        assert_eq!(different.len(), digests.len());
        assert_eq!(secrets().address_digest(&context, &address), digests[0]);
    }

    #[test]
    fn cluster_id_depends_on_context() {
        let [here, there] = [
            "a.01k0ab3cdefghjkmnpqrstvwxy",
            "b.01k0ab3cdefghjkmnpqrstvwxy",
        ]
        .map(|id| id.parse().unwrap());
        let marks = DeviceFingerprint([1; 32]);
        let name = String::from_utf8(marks.0.to_vec()).unwrap();
        let digests: std::collections::BTreeSet<_> = [
            secrets().device_cluster(&here, &marks),
            secrets().device_cluster(&there, &marks),
            secrets().device_cluster(&here, &DeviceFingerprint([2; 32])),
            secrets().operator_cluster(&here, &name),
        ]
        .map(|key| key.digest)
        .into();
        assert_eq!(digests.len(), 4);
        assert_eq!(
            secrets().device_cluster(&here, &marks),
            secrets().device_cluster(&here, &marks)
        );
    }

    #[test]
    fn ipv6_hosts_share_a_network_digest() {
        let context: ContextId = "a.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let other_context: ContextId = "b.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap();
        let hash = |text: &str| secrets().network(&context, text.parse().unwrap());
        assert_eq!(hash("2001:db8::1"), hash("2001:db8::2"));
        assert_ne!(hash("2001:db8::1"), hash("2001:db8:0:1::1"));
        assert_eq!(hash("::ffff:192.0.2.1"), hash("192.0.2.1"));
        assert_ne!(
            hash("192.0.2.1"),
            secrets().network(&other_context, "192.0.2.1".parse().unwrap())
        );
    }
}

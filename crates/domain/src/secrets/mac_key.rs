//! MAC keys for digests that are computed often.

use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

/// Key of HMAC-SHA-256, hashed once: hashing the key is half of the cost of a short MAC.
#[derive(Clone)]
pub(super) struct MacKey(Hmac<Sha256>);

impl MacKey {
    pub(super) fn new(key: &[u8]) -> Self {
        let Ok(hashed) = Hmac::new_from_slice(key) else {
            unreachable!("HMAC takes keys of every length");
        };
        Self(hashed)
    }

    /// Returns the MAC over a message, as other programs compute it.
    pub(super) fn mac_message(&self, message: &[u8]) -> [u8; 32] {
        self.0
            .clone()
            .chain_update(message)
            .finalize()
            .into_bytes()
            .into()
    }

    /// Returns the MAC over the parts with their lengths.
    ///
    /// The lengths make the encoding of the list of parts unambiguous.
    pub(super) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(&(part.len() as u64).to_be_bytes());
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}

#[cfg(test)]
mod tests {
    use super::MacKey;
    use data_encoding::HEXLOWER;
    use hmac::{Hmac, KeyInit, Mac};
    use sha2::Sha256;

    #[test]
    fn mac_covers_part_lengths() {
        let key = MacKey::new(&[7; 32]);
        let mut hmac = Hmac::<Sha256>::new_from_slice(&[7; 32]).unwrap();
        hmac.update(b"\0\0\0\0\0\0\0\x03key\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x01a");
        let expected_mac: [u8; 32] = hmac.finalize().into_bytes().into();
        assert_eq!(
            HEXLOWER.encode(&key.mac(&[b"key", b"", b"a"])),
            HEXLOWER.encode(&expected_mac)
        );
    }

    #[test]
    fn mac_key_has_no_state() {
        let key = MacKey::new(&[7; 32]);
        let first = key.mac(&[b"a"]);
        assert_ne!(key.mac(&[b"b"]), first);
        assert_eq!(key.mac(&[b"a"]), first);
        assert_ne!(key.mac(&[b"", b"a"]), first);
    }
}

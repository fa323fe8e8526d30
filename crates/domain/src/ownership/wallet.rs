//! Signatures of wallets: EIP-191 text, secp256k1, recovered to an address.

use super::OwnershipError;
use crate::vocabulary::EoaAddress;
use k256::ecdsa::{RecoveryId, Signature, SigningKey, VerifyingKey};
use sha3::{Digest, Keccak256};
use std::fmt;
use std::str::FromStr;

/// Length of a signature in bytes: r, s and the recovery id.
const LENGTH: usize = 65;

/// Signature by `personal_sign` of an externally owned account.
///
/// A signature has one accepted form. The other form with `s` in the upper half, which any visitor can compute, is
/// rejected, as in [EIP-2](https://eips.ethereum.org/EIPS/eip-2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WalletSignature {
    signature: Signature,
    recovery: RecoveryId,
}

impl WalletSignature {
    /// Signs a text with this key, for wallets whose keys the program holds: in a demo and in tests.
    pub fn sign_text(text: &str, key: &SigningKey) -> Self {
        let (signature, recovery) = key.sign_prehash_recoverable(&text_digest(text));
        Self {
            signature,
            recovery,
        }
    }

    /// Returns the address whose key signed this text.
    pub fn recover_signer(&self, text: &str) -> Result<EoaAddress, OwnershipError> {
        let key =
            VerifyingKey::recover_from_prehash(&text_digest(text), &self.signature, self.recovery);
        Ok(address_of(
            &key.map_err(|_| OwnershipError::SignerMismatch)?,
        ))
    }

    /// Passes if the key of `address` has signed this text.
    pub(super) fn verify(&self, text: &str, address: EoaAddress) -> Result<(), OwnershipError> {
        if self.recover_signer(text)? == address {
            Ok(())
        } else {
            Err(OwnershipError::SignerMismatch)
        }
    }
}

impl fmt::Display for WalletSignature {
    /// Formats the signature as wallets do: the last byte is 27 or 28.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = data_encoding::HEXLOWER.encode(&self.signature.to_bytes());
        write!(f, "0x{numbers}{:02x}", self.recovery.to_byte() + 27)
    }
}

impl FromStr for WalletSignature {
    type Err = OwnershipError;

    /// Parses `0x` and 130 hexadecimal digits; the last byte is 0, 1, 27 or 28, depending on the wallet.
    fn from_str(text: &str) -> Result<Self, OwnershipError> {
        let digits = text.strip_prefix("0x").ok_or(OwnershipError::Malformed)?;
        let bytes = data_encoding::HEXLOWER_PERMISSIVE.decode(digits.as_bytes());
        let bytes = bytes.map_err(|_| OwnershipError::Malformed)?;
        // Contracts accept signatures of every length, also none; those of externally owned accounts have this one.
        if bytes.len() != LENGTH {
            return Err(OwnershipError::Unverifiable);
        }
        let (numbers, [recovery]) = bytes.split_last_chunk().ok_or(OwnershipError::Malformed)?;
        let signature = Signature::from_slice(numbers).map_err(|_| OwnershipError::Malformed)?;
        if signature.normalize_s() != signature {
            return Err(OwnershipError::NotCanonical);
        }
        let recovery = match recovery {
            0 | 27 => RecoveryId::new(false, false),
            1 | 28 => RecoveryId::new(true, false),
            _ => return Err(OwnershipError::Malformed),
        };
        Ok(Self {
            signature,
            recovery,
        })
    }
}

/// Returns the digest that a wallet signs for a text.
///
/// The format is version `E` of [EIP-191](https://eips.ethereum.org/EIPS/eip-191): because of the prefix the text
/// cannot be a valid transaction.
fn text_digest(text: &str) -> [u8; 32] {
    let prefix = format!("\x19Ethereum Signed Message:\n{}", text.len());
    Keccak256::new()
        .chain_update(prefix)
        .chain_update(text)
        .finalize()
        .into()
}

/// Returns the address of a key.
///
/// The address is the last 20 bytes of the hash of the key's two coordinates, by appendix F of Ethereum's [Yellow
/// Paper](https://ethereum.github.io/yellowpaper/paper.pdf).
pub fn address_of(key: &VerifyingKey) -> EoaAddress {
    let point = key.to_sec1_point(false);
    // The first byte is the tag of an uncompressed point.
    let hash = Keccak256::digest(&point.as_bytes()[1..]);
    let mut address = [0; 20];
    address.copy_from_slice(&hash[12..]);
    EoaAddress::from_bytes(address)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Key, address and signature of "Some data" in the documentation of web3.js, `eth.accounts.sign`.
    const KEY: &str = "4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318";
    const ADDRESS: &str = "0x2c7536E3605D9C16a7a3D7b1898e529396a65c23";
    const DIGEST: &str = "1da44b586eb0729ff70a73c326926f6ed5a25f5b056e7f47fbc6e58d86871655";
    const SIGNATURE: &str = "0xb91467e570a6466aa9e9876cbcd013baba02900b8979d43fe208a4a4f339f5fd\
                             6007e74cd82e037b800186422fc2da167c747ef045e5d18a5f5d4300f8e1a0291c";

    /// Test wallet with its own key.
    pub(crate) struct TestWallet(SigningKey);

    impl TestWallet {
        pub(crate) fn with_key(key: [u8; 32]) -> Self {
            Self(SigningKey::from_slice(&key).unwrap())
        }

        pub(crate) fn address(&self) -> EoaAddress {
            address_of(self.0.verifying_key())
        }

        /// Signs as `personal_sign` does.
        pub(crate) fn sign(&self, text: &str) -> String {
            WalletSignature::sign_text(text, &self.0).to_string()
        }
    }

    fn documented() -> TestWallet {
        TestWallet::with_key(
            data_encoding::HEXLOWER
                .decode(KEY.as_bytes())
                .unwrap()
                .try_into()
                .unwrap(),
        )
    }

    #[test]
    fn documented_signer_is_recovered() {
        assert_eq!(
            data_encoding::HEXLOWER.encode(&text_digest("Some data")),
            DIGEST
        );
        let signature: WalletSignature = SIGNATURE.parse().unwrap();
        assert_eq!(
            signature
                .recover_signer("Some data")
                .map(|address| address.to_string()),
            Ok(ADDRESS.to_owned())
        );
        assert_eq!(
            (
                documented().address().to_string(),
                documented().sign("Some data")
            ),
            (ADDRESS.into(), SIGNATURE.into())
        );
    }

    #[test]
    fn both_recovery_id_encodings_are_accepted() {
        let zero_based = format!("{}01", SIGNATURE.strip_suffix("1c").unwrap());
        assert_eq!(zero_based.parse::<WalletSignature>(), SIGNATURE.parse());
        let of_another_key = format!("{}1b", SIGNATURE.strip_suffix("1c").unwrap());
        let signer = of_another_key
            .parse::<WalletSignature>()
            .unwrap()
            .recover_signer("Some data");
        assert_ne!(
            signer.map(|address| address.to_string()),
            Ok(ADDRESS.to_owned())
        );
    }

    #[test]
    fn high_s_signature_is_rejected() {
        let bytes = data_encoding::HEXLOWER
            .decode(&SIGNATURE.as_bytes()[2..])
            .unwrap();
        let low = Signature::from_slice(&bytes[..64]).unwrap();
        let high = Signature::from_scalars(low.r().to_bytes(), (-*low.s()).to_bytes()).unwrap();
        assert_eq!(high.normalize_s(), low);
        let spelled_again = WalletSignature {
            signature: high,
            recovery: RecoveryId::new(false, false),
        };
        assert_eq!(
            spelled_again.to_string().parse::<WalletSignature>(),
            Err(OwnershipError::NotCanonical)
        );
    }

    #[test]
    fn malformed_signatures_are_reported() {
        let zero = format!("0x{}1b", "0".repeat(128));
        for (text, error) in [
            ("", OwnershipError::Malformed),
            (&SIGNATURE[2..], OwnershipError::Malformed),
            (&SIGNATURE[..131], OwnershipError::Malformed),
            (&SIGNATURE.replace('b', "g"), OwnershipError::Malformed),
            (&zero, OwnershipError::Malformed),
            (
                &SIGNATURE.replace("291c", "2925"),
                OwnershipError::Malformed,
            ),
        ] {
            assert_eq!(text.parse::<WalletSignature>(), Err(error), "{text}");
        }
    }

    #[test]
    fn contract_signatures_are_unverifiable() {
        for bytes in [0, 1, 64, 66, 130, 2000] {
            let text = format!("0x{}", "ab".repeat(bytes));
            assert_eq!(
                text.parse::<WalletSignature>(),
                Err(OwnershipError::Unverifiable),
                "{bytes} bytes"
            );
        }
    }

    proptest! {
        #[test]
        fn signer_is_recovered(key in proptest::array::uniform32(1_u8..255), text: String) {
            let wallet = TestWallet::with_key(key);
            let signature: WalletSignature = wallet.sign(&text).parse().unwrap();
            prop_assert_eq!(signature.recover_signer(&text), Ok(wallet.address()));
        }

        #[test]
        fn parser_never_panics(text: String, digits in "0x[0-9a-f]{130}") {
            for text in [text, digits] {
                if let Ok(signature) = text.parse::<WalletSignature>() {
                    let _ = signature.recover_signer("a text");
                }
            }
        }
    }
}

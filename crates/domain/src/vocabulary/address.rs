//! Address of an Ethereum account.

use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};
use sha3::{Digest, Keccak256};
use std::fmt;
use std::str::FromStr;

/// Address of an externally owned account, 20 bytes.
///
/// Parsed from `0x` and 40 hexadecimal digits. Digits in one case are accepted without a checksum; mixed case is an
/// [EIP-55](https://eips.ethereum.org/EIPS/eip-55) checksum, which must be right. Displayed with that checksum.
///
/// ```
/// use voight_domain::EoaAddress;
/// use voight_domain::vocabulary::AddressError;
///
/// let address: EoaAddress = "0x52908400098527886e0f7030069857d2e4169ee7".parse()?;
/// assert_eq!(address.to_string(), "0x52908400098527886E0F7030069857D2E4169EE7");
///
/// let mistyped = "0x52908400098527886E0F7030069857D2E4169Ee7".parse::<EoaAddress>();
/// assert_eq!(mistyped, Err(AddressError::Checksum));
/// # Ok::<(), AddressError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EoaAddress([u8; 20]);

/// Error returned for a text that is not an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum AddressError {
    /// The text is not `0x` followed by 40 hexadecimal digits.
    #[error("an address is 0x followed by 40 hexadecimal digits")]
    Malformed,
    /// The EIP-55 checksum of a mixed-case address is wrong.
    #[error(
        "the mixed-case address fails its EIP-55 checksum: check it for a typing error, or send it in lower case"
    )]
    Checksum,
}

impl EoaAddress {
    /// Creates the address from these bytes.
    pub const fn from_bytes(bytes: [u8; 20]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the address.
    pub const fn as_bytes(&self) -> &[u8; 20] {
        &self.0
    }

    /// Returns the address in lower case, without a checksum.
    pub fn to_lower_hex(&self) -> String {
        format!("0x{}", HEXLOWER.encode(&self.0))
    }

    /// Returns the digits, in upper case as the checksum (EIP-55) requires.
    fn digits(&self) -> [u8; 40] {
        let mut digits = [0; 40];
        HEXLOWER.encode_mut(&self.0, &mut digits);
        let hash = Keccak256::digest(digits);
        for (position, digit) in digits.iter_mut().enumerate() {
            let nibble = hash[position / 2] >> (if position % 2 == 0 { 4 } else { 0 }) & 0x0f;
            if nibble >= 8 {
                digit.make_ascii_uppercase();
            }
        }
        digits
    }
}

impl FromStr for EoaAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let digits = text.strip_prefix("0x").ok_or(AddressError::Malformed)?;
        let digits: &[u8; 40] = digits
            .as_bytes()
            .try_into()
            .map_err(|_| AddressError::Malformed)?;
        let mut bytes = [0; 20];
        HEXLOWER_PERMISSIVE
            .decode_mut(digits, &mut bytes)
            .map_err(|_| AddressError::Malformed)?;
        let address = Self(bytes);
        let is_mixed_case =
            digits.iter().any(u8::is_ascii_lowercase) && digits.iter().any(u8::is_ascii_uppercase);
        if is_mixed_case && address.digits() != *digits {
            return Err(AddressError::Checksum);
        }
        Ok(address)
    }
}

impl fmt::Display for EoaAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        f.write_str(str::from_utf8(&self.digits()).map_err(|_| fmt::Error)?)
    }
}

impl fmt::Debug for EoaAddress {
    /// Shortens the address, because a full address must never be in a log line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [first, second, .., last] = self.0;
        write!(f, "0x{first:02x}{second:02x}…{last:02x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Test vectors of EIP-55.
    const VECTORS: [&str; 8] = [
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "0x8617E340B3D01FA5F11F306F4090FD50E238070D",
        "0xde709f2102306220921060314715629080e2fb77",
        "0x27b1fdb04752bbc536007a920d24acb045561c26",
        "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
        "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359",
        "0xdbF03B407c01E7cD3CBea99509d93f8DDDC8C6FB",
        "0xD1220A0cf47c7B9Be7A2E6BA89F429762e7b9aDb",
    ];

    #[test]
    fn eip_55_vectors_parse_and_print() {
        for text in VECTORS {
            assert_eq!(text.parse::<EoaAddress>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn wrong_checksum_is_not_malformed() {
        let wrong = VECTORS[4].replace('A', "a").replacen('b', "B", 1);
        assert_eq!(wrong.parse::<EoaAddress>(), Err(AddressError::Checksum));
        for text in [
            "",
            "0x",
            "0X52908400098527886E0F7030069857D2E4169EE7",
            "0x5290",
            "vitalik.eth",
            "0x52908400098527886E0F7030069857D2E4169EE7 ",
        ] {
            assert_eq!(
                text.parse::<EoaAddress>(),
                Err(AddressError::Malformed),
                "{text}"
            );
        }
    }

    #[test]
    fn zero_address_is_valid() {
        assert!(
            "0x0000000000000000000000000000000000000000"
                .parse::<EoaAddress>()
                .is_ok()
        );
    }

    #[test]
    fn debug_hides_the_address() {
        assert_eq!(
            format!("{:?}", VECTORS[4].parse::<EoaAddress>().unwrap()),
            "0x5aae…ed"
        );
    }

    proptest! {
        #[test]
        fn case_does_not_change_an_address(bytes: [u8; 20]) {
            let address = EoaAddress::from_bytes(bytes);
            let lower = address.to_lower_hex();
            let upper = format!("0x{}", lower[2..].to_uppercase());
            for text in [lower, upper, address.to_string()] {
                prop_assert_eq!(text.parse::<EoaAddress>(), Ok(address));
            }
        }

        #[test]
        fn parser_never_panics(text: String) {
            let _ = text.parse::<EoaAddress>();
        }
    }
}

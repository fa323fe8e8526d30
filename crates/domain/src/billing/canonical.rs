//! Canonical bytes of a price book, which are stored and digested.

use super::{Currency, PriceBook, PriceBookParts, PricingMode, Tier, UnitPrice};
use crate::codec::{DecodeError, Decoder, Encoder};
use std::fmt;

const FORMAT: u8 = 1;
const GRADUATED: u8 = 0;
const VOLUME: u8 = 1;

/// BLAKE3 digest of a price book's canonical bytes. Two price books with the same digest charge the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct PriceBookDigest(pub [u8; 32]);

impl fmt::Display for PriceBookDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&data_encoding::HEXLOWER.encode(&self.0))
    }
}

impl PriceBook {
    /// Returns the digest, which identifies the price book.
    pub fn digest(&self) -> PriceBookDigest {
        let mut hasher = blake3::Hasher::new();
        PriceBookDigest(
            hasher
                .update(b"voight price book 1 ")
                .update(&self.to_bytes())
                .finalize()
                .into(),
        )
    }

    /// Returns the canonical bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(FORMAT);
        out.str(self.name())
            .uint(self.version().into())
            .str(self.currency().code());
        out.u8(match self.mode() {
            PricingMode::Graduated => GRADUATED,
            PricingMode::Volume => VOLUME,
        });
        out.list(self.tiers(), |out, tier| {
            out.option(tier.up_to, |out, up_to| {
                out.uint(up_to);
            });
            out.uint(tier.unit_price.as_pico()).uint(tier.flat_fee);
        });
        out.finish()
    }

    /// Parses the canonical bytes of a price book. An invalid price book is rejected.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, FORMAT)?;
        let name = input.str()?.to_owned();
        let version = input.uint_as()?;
        let currency: Currency = input.parsed("a currency")?;
        let mode = match input.u8()? {
            GRADUATED => PricingMode::Graduated,
            VOLUME => PricingMode::Volume,
            _ => return Err(DecodeError::OutOfRange("the mode of a price book")),
        };
        let tiers = input.list(|input| {
            Ok(Tier {
                up_to: input.option(Decoder::uint)?,
                unit_price: UnitPrice::from_pico(input.uint()?),
                flat_fee: input.uint()?,
            })
        })?;
        input.finish()?;
        Self::new(PriceBookParts {
            name,
            version,
            currency,
            mode,
            tiers,
        })
        .map_err(|_| DecodeError::OutOfRange("a price book"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn price_book_digest_is_unique() {
        let book = PriceBook::example(Currency::USD);
        assert_eq!(PriceBook::from_bytes(&book.to_bytes()), Ok(book.clone()));
        for (version, mode) in [(1, PricingMode::Volume), (2, PricingMode::Graduated)] {
            let name = "example".to_owned();
            let currency = Currency::USD;
            let tiers = book.tiers().to_vec();
            let other_book = PriceBook::new(PriceBookParts {
                name,
                version,
                currency,
                mode,
                tiers,
            })
            .unwrap();
            assert_ne!(book.digest(), other_book.digest());
        }
    }

    #[test]
    fn inconsistent_encoded_book_is_rejected() {
        let mut bytes = PriceBook::example(Currency::USD).to_bytes();
        bytes.pop();
        assert!(PriceBook::from_bytes(&bytes).is_err());
        let encoded_book = Encoder::versioned(1)
            .str("x")
            .uint(1)
            .str("USD")
            .u8(0)
            .uint(1)
            .u8(1)
            .uint(5)
            .uint(1)
            .uint(0)
            .finish();
        assert_eq!(
            PriceBook::from_bytes(&encoded_book),
            Err(DecodeError::OutOfRange("a price book"))
        );
    }
}

//! Price of a quote, which a snapshot may name.

use super::LedgerId;
use crate::billing::Money;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, ContextId, Environment, SnapshotId, Timestamp};

const VERSION: u8 = 1;
const KIND: &str = "quote";

/// Price of the lookups of one snapshot, independent of the periods in which they are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedPrice {
    /// The number of lookups.
    pub units: u64,
    /// The price of all of them.
    pub amount: Money,
    /// The time until which a snapshot at this price can be created.
    pub expires_at: Timestamp,
}

/// Terms of a quote. They are sealed in the id of the quote, so no store keeps them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct QuoteTerms {
    /// The id of the snapshot at this price. A quote has only one, so its price applies once.
    pub snapshot: SnapshotId,
    /// The ledger of the lookups.
    pub ledger: LedgerId,
    /// The context of the lookups.
    pub context: ContextId,
    /// The price.
    pub price: QuotedPrice,
}

impl QuotedPrice {
    /// Appends the price to a record.
    pub fn encode(&self, out: &mut Encoder) {
        self.amount.encode(out.uint(self.units).int(self.expires_at.as_millis()));
    }

    /// Reads the price from a record.
    pub fn decode(input: &mut Decoder<'_>) -> Result<Self, DecodeError> {
        let (units, expires_at) = (input.uint()?, Timestamp::from_millis(input.int()?));
        Ok(Self { units, amount: Money::decode(input)?, expires_at })
    }
}

impl QuoteTerms {
    /// Returns the id of the quote: a token of the terms.
    pub fn to_token(&self, secrets: &Secrets) -> String {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.snapshot.to_bytes()).fixed(&self.ledger.client.to_bytes());
        out.u8(self.ledger.environment.is_test().into()).str(self.context.as_str());
        self.price.encode(&mut out);
        secrets.seal(KIND, out.finish())
    }

    /// Returns the terms in an authentic token; `None` for any other text.
    pub fn from_token(token: &str, secrets: &Secrets) -> Option<Self> {
        Self::decode(&secrets.unseal(KIND, token)?).ok()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let snapshot = SnapshotId::from_bytes(input.fixed()?);
        let client = ClientId::from_bytes(input.fixed()?);
        let ledger = LedgerId { client, environment: Environment::from_is_test(input.bool()?) };
        let context = input.parsed("a context id")?;
        let price = QuotedPrice::decode(&mut input)?;
        input.finish()?;
        Ok(Self { snapshot, ledger, context, price })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::billing::Currency;
    use crate::secrets::Pepper;

    fn secrets(pepper: u8) -> Secrets {
        Secrets::derive(&Pepper::from_bytes([pepper; 32]), 0)
    }

    fn terms() -> QuoteTerms {
        QuoteTerms {
            snapshot: SnapshotId::from_bytes([1; 16]),
            ledger: LedgerId { client: ClientId::from_bytes([2; 16]), environment: Environment::Sandbox },
            context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
            price: QuotedPrice {
                units: 1_500,
                amount: Money { minor: -7, currency: Currency::USD },
                expires_at: Timestamp::from_millis(100),
            },
        }
    }

    #[test]
    fn terms_survive_the_round_trip() {
        let token = terms().to_token(&secrets(8));
        assert_eq!(QuoteTerms::from_token(&token, &secrets(8)), Some(terms()));
    }

    #[test]
    fn a_token_of_another_installation_or_kind_or_with_more_bytes_is_no_quote() {
        let secrets = secrets(8);
        let bytes = secrets.unseal(KIND, &terms().to_token(&secrets)).unwrap();
        assert_eq!(QuoteTerms::from_token(&terms().to_token(&self::secrets(9)), &secrets), None);
        assert_eq!(QuoteTerms::from_token(&secrets.seal("session", bytes.clone()), &secrets), None);
        assert_eq!(QuoteTerms::from_token(&secrets.seal(KIND, [&bytes[..], &[0]].concat()), &secrets), None);
    }
}

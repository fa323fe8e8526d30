//! Price of a quote, which a snapshot may name.

use super::LedgerId;
use crate::billing::Money;
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::secrets::Secrets;
use crate::vocabulary::{ClientId, ContextId, Environment, SnapshotId, Timestamp};

/// Kind of the sealed tokens of quotes.
const TOKEN_KIND: &str = "quote";
/// Format of the sealed tokens of quotes.
const TOKEN_VERSION: u8 = 1;

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
    /// Returns the id of the quote: the terms with their MAC, in base64url.
    pub fn seal(&self, secrets: &Secrets) -> String {
        let mut out = Encoder::versioned(TOKEN_VERSION);
        out.fixed(&self.snapshot.to_bytes()).fixed(&self.ledger.client.to_bytes());
        out.u8(self.ledger.environment.is_test().into()).str(self.context.as_str());
        self.price.encode(&mut out);
        secrets.seal(TOKEN_KIND, out.finish())
    }

    /// Returns the terms of a quote of this installation; `None` for any other text.
    pub fn unseal(quote_id: &str, secrets: &Secrets) -> Option<Self> {
        Self::decode(&secrets.unseal(TOKEN_KIND, quote_id)?).ok()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, TOKEN_VERSION)?;
        let snapshot = SnapshotId::from_bytes(input.fixed()?);
        let client = ClientId::from_bytes(input.fixed()?);
        let environment = if input.bool()? { Environment::Sandbox } else { Environment::Live };
        let context = input.parsed("a context id")?;
        let price = QuotedPrice::decode(&mut input)?;
        input.finish()?;
        Ok(Self { snapshot, ledger: LedgerId { client, environment }, context, price })
    }
}

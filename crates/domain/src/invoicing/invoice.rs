//! Invoices and their states.

use super::Statement;
use crate::vocabulary::{ClientId, ClientName, Timestamp};
use std::fmt;
use std::str::FromStr;

/// Numbered invoice. No field except the state ever changes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// Id of the invoice: client and number.
    pub id: InvoiceId,
    /// The name of the client at the time of issue.
    pub name: ClientName,
    /// The statement of the period.
    pub statement: Statement,
    /// The time of issue.
    pub issued_at: Timestamp,
    /// The number of the voided invoice that this one replaces.
    pub replaces: Option<u32>,
    /// The state of the invoice.
    pub state: InvoiceState,
}

/// Id of an invoice: `<client id>-<number>`. Numbers run from 1 within a client, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InvoiceId {
    /// The client.
    pub client: ClientId,
    /// The number.
    pub number: u32,
}

/// State of an invoice. Before the issue there is only a draft, which is recomputed for every request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceState {
    /// The invoice is issued and not yet paid.
    Open,
    /// The invoice was paid at this time.
    Paid(Timestamp),
    /// The invoice was voided; its period moves to exactly one other invoice.
    Void {
        /// The time of the voiding.
        at: Timestamp,
        /// The operator's reason, as free text.
        reason: String,
    },
    /// The invoice was written off at this time.
    Uncollectible(Timestamp),
}

/// Change of an open invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceChange {
    /// Marks the invoice as paid.
    Pay,
    /// Voids the invoice.
    Void {
        /// The operator's reason.
        reason: String,
    },
    /// Marks the invoice as uncollectible.
    WriteOff,
}

/// Error of changing an invoice that is not open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invoice {id} is {state} and only an open invoice can become {wanted}")]
pub struct InvoiceError {
    id: InvoiceId,
    state: &'static str,
    wanted: &'static str,
}

/// Error returned for a text that is not an invoice id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "an invoice is named by the id of its client and its number, for example 01k0ab3cdefghjkmnpqrstvwxy-1"
)]
pub struct InvoiceIdError;

impl Invoice {
    /// Returns the invoice after `change`.
    pub fn with_change(self, change: InvoiceChange, now: Timestamp) -> Result<Self, InvoiceError> {
        let state = match change {
            InvoiceChange::Pay => InvoiceState::Paid(now),
            InvoiceChange::Void { reason } => InvoiceState::Void { at: now, reason },
            InvoiceChange::WriteOff => InvoiceState::Uncollectible(now),
        };
        if self.state != InvoiceState::Open {
            return Err(InvoiceError {
                id: self.id,
                state: self.state.as_str(),
                wanted: state.as_str(),
            });
        }
        Ok(Self { state, ..self })
    }
}

impl InvoiceState {
    /// Returns the state as shown.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Paid(_) => "paid",
            Self::Void { .. } => "void",
            Self::Uncollectible(_) => "uncollectible",
        }
    }
}

impl fmt::Display for InvoiceId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{}", self.client, self.number)
    }
}

impl FromStr for InvoiceId {
    type Err = InvoiceIdError;

    fn from_str(text: &str) -> Result<Self, InvoiceIdError> {
        let (client, number) = text.rsplit_once('-').ok_or(InvoiceIdError)?;
        let client = client.parse().map_err(|_| InvoiceIdError)?;
        let id = Self {
            client,
            number: number.parse().map_err(|_| InvoiceIdError)?,
        };
        // An invoice id has exactly one spelling, and the number 0 is invalid.
        if id.number > 0 && id.to_string() == text {
            Ok(id)
        } else {
            Err(InvoiceIdError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invoice_id_has_one_spelling() {
        let id = InvoiceId {
            client: ClientId::from_bytes([1; 16]),
            number: 12,
        };
        assert_eq!(id.to_string().parse(), Ok(id));
        let client = id.client;
        for text in [
            "",
            "-",
            "12",
            &format!("{client}-0"),
            &format!("{client}-01"),
            &format!("{client}-+1"),
        ] {
            assert_eq!(text.parse::<InvoiceId>(), Err(InvoiceIdError), "{text}");
        }
    }
}

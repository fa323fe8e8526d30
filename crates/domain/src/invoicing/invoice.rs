//! Invoices and their states.

use super::Statement;
use crate::vocabulary::{ClientId, ClientName, Timestamp};
use std::fmt;
use std::str::FromStr;

/// A numbered invoice. Nothing of it ever changes but its state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Invoice {
    /// Whose it is, and its number.
    pub id: InvoiceId,
    /// The client's name when it was issued.
    pub name: ClientName,
    /// What the period comes to.
    pub statement: Statement,
    /// When it was issued.
    pub issued_at: Timestamp,
    /// The number of the voided invoice that it stands in for.
    pub replaces: Option<u32>,
    /// What has become of it.
    pub state: InvoiceState,
}

/// Names an invoice: `<client id>-<number>`. Numbers run from 1 within a client, without gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct InvoiceId {
    /// The client.
    pub client: ClientId,
    /// The number.
    pub number: u32,
}

/// What has become of an invoice. Before it is issued there is only a draft, which is made anew whenever it is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceState {
    /// Issued, and to be paid.
    Open,
    /// Paid.
    Paid(Timestamp),
    /// Taken back; its period goes to exactly one other invoice.
    Void {
        /// When.
        at: Timestamp,
        /// Why, in the operator's words.
        reason: String,
    },
    /// Given up.
    Uncollectible(Timestamp),
}

/// A change of an open invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InvoiceChange {
    /// It was paid.
    Pay,
    /// It is taken back.
    Void {
        /// Why.
        reason: String,
    },
    /// It is given up.
    WriteOff,
}

/// Why an invoice cannot be changed so.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invoice {id} is {state} and only an open invoice can become {wanted}")]
pub struct InvoiceError {
    id: InvoiceId,
    state: &'static str,
    wanted: &'static str,
}

/// Why text names no invoice.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("an invoice is named by the id of its client and its number, for example 01k0ab3cdefghjkmnpqrstvwxy-1")]
pub struct InvoiceIdError;

impl Invoice {
    /// The invoice after `change`.
    pub fn with_change(self, change: InvoiceChange, now: Timestamp) -> Result<Self, InvoiceError> {
        let state = match change {
            InvoiceChange::Pay => InvoiceState::Paid(now),
            InvoiceChange::Void { reason } => InvoiceState::Void { at: now, reason },
            InvoiceChange::WriteOff => InvoiceState::Uncollectible(now),
        };
        if self.state != InvoiceState::Open {
            return Err(InvoiceError { id: self.id, state: self.state.as_str(), wanted: state.as_str() });
        }
        Ok(Self { state, ..self })
    }
}

impl InvoiceState {
    /// The state as shown.
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
        let id = Self { client, number: number.parse().map_err(|_| InvoiceIdError)? };
        // One invoice has one spelling, and none has the number 0.
        if id.number > 0 && id.to_string() == text { Ok(id) } else { Err(InvoiceIdError) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_invoice_has_one_name() {
        let id = InvoiceId { client: ClientId::from_bytes([1; 16]), number: 12 };
        assert_eq!(id.to_string().parse(), Ok(id));
        let client = id.client;
        for text in ["", "-", "12", &format!("{client}-0"), &format!("{client}-01"), &format!("{client}-+1")] {
            assert_eq!(text.parse::<InvoiceId>(), Err(InvoiceIdError), "{text}");
        }
    }
}

//! Soft alerts: each is raised once, and blocks nothing.

use crate::codec::DecodeError;
use crate::events::{EventSubject, EventType, NewEvent};
use crate::vocabulary::{Environment, Timestamp};

/// Kind of an alert.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum AlertKind {
    /// 80 % of the free allowance is used.
    Allowance80,
    /// The free allowance is used up: the next lookup is charged.
    Allowance100,
    /// 80 % of the period's budget is spent.
    Budget80,
    /// The period's budget is spent.
    Budget100,
    /// A cap is reached: the next lookup of the period is rejected.
    CapReached,
}

/// Alert that was raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Alert {
    /// The kind of the alert.
    pub kind: AlertKind,
    /// The sequence number of the row that raised it.
    pub seq: u64,
    /// The date of that row.
    pub at: Timestamp,
}

/// Set of raised alerts.
///
/// Alerts of the allowance stay until its reset, those of the budget and the caps within the running period.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AlertSet(u8);

impl AlertKind {
    /// All kinds, in the order in which they are raised.
    pub const ALL: [Self; 5] = [
        Self::Allowance80,
        Self::Allowance100,
        Self::Budget80,
        Self::Budget100,
        Self::CapReached,
    ];
    /// Kinds of the free allowance.
    pub(super) const OF_ALLOWANCE: [Self; 2] = [Self::Allowance80, Self::Allowance100];
    /// Kinds of the budget.
    pub(super) const OF_BUDGET: [Self; 2] = [Self::Budget80, Self::Budget100];
    /// Kinds of the caps.
    pub(super) const OF_CAP: [Self; 1] = [Self::CapReached];

    /// Returns the kind as stored, logged and shown.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Allowance80 => "allowance.80",
            Self::Allowance100 => "allowance.100",
            Self::Budget80 => "budget.80",
            Self::Budget100 => "budget.100",
            Self::CapReached => "cap.reached",
        }
    }

    /// Returns `true` for a kind of the free allowance.
    pub const fn is_of_allowance(self) -> bool {
        matches!(self, Self::Allowance80 | Self::Allowance100)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

impl Alert {
    /// Returns the event of the alert, which a lookup has raised in a ledger of this environment.
    pub const fn event(&self, environment: Environment) -> NewEvent {
        NewEvent {
            event_type: match self.kind {
                AlertKind::Allowance80 => EventType::Allowance80,
                AlertKind::Allowance100 => EventType::Allowance100,
                AlertKind::Budget80 => EventType::Budget80,
                AlertKind::Budget100 => EventType::Budget100,
                AlertKind::CapReached => EventType::CapReached,
            },
            environment,
            subject: EventSubject::Ledger(self.seq),
        }
    }
}

impl AlertSet {
    /// Returns `true` if the set contains this kind.
    pub const fn contains(self, kind: AlertKind) -> bool {
        self.0 & kind.bit() != 0
    }

    /// Returns the kinds in the set.
    pub fn iter(self) -> impl Iterator<Item = AlertKind> {
        AlertKind::ALL
            .into_iter()
            .filter(move |kind| self.contains(*kind))
    }

    /// Returns the kinds that are in at least one of the two sets.
    #[must_use]
    pub(super) const fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Returns the set with one more kind.
    #[must_use]
    pub(super) const fn with(self, kind: AlertKind) -> Self {
        Self(self.0 | kind.bit())
    }

    /// Returns the set without these kinds.
    #[must_use]
    pub(super) fn without<const N: usize>(self, kinds: [AlertKind; N]) -> Self {
        Self(
            kinds
                .into_iter()
                .fold(self.0, |bits, kind| bits & !kind.bit()),
        )
    }

    /// Returns the bits of the set, for records.
    pub const fn bits(self) -> u8 {
        self.0
    }

    /// Returns the set with these bits.
    pub fn from_bits(bits: u8) -> Result<Self, DecodeError> {
        if bits < 1 << AlertKind::ALL.len() {
            Ok(Self(bits))
        } else {
            Err(DecodeError::OutOfRange("a set of alerts"))
        }
    }
}

impl FromIterator<AlertKind> for AlertSet {
    fn from_iter<I: IntoIterator<Item = AlertKind>>(kinds: I) -> Self {
        kinds.into_iter().fold(Self::default(), Self::with)
    }
}

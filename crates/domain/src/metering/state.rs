//! The one value from which every metering decision is made.

use super::{AnchorDay, Head, Period};
use crate::codec::{DecodeError, Decoder, Encoder};
use crate::vocabulary::{ClientId, Environment, Timestamp};

const VERSION: u8 = 1;

/// The meter of one (client, environment). Stores keep it and never interpret it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MeterState {
    /// The sequence number of the last row; 0 before the first.
    pub seq: u64,
    /// The chain's head after that row.
    pub head: Head,
    /// When that row was written.
    pub last_at: Timestamp,
    /// Free lookups used of the allowance.
    pub allowance_used: u64,
    /// The running period; `None` before the first row.
    pub period: Option<Period>,
    /// Lookups in the running period.
    pub billable: u64,
    /// Those beyond the free allowance.
    pub paid: u64,
    /// The client's own hard cap, in billable lookups a period.
    pub cap: Option<u64>,
}

impl MeterState {
    /// The meter before the first lookup.
    pub fn new(client: ClientId, environment: Environment) -> Self {
        Self {
            seq: 0,
            head: Head::genesis(client, environment),
            last_at: Timestamp::default(),
            allowance_used: 0,
            period: None,
            billable: 0,
            paid: 0,
            cap: None,
        }
    }

    /// Lookups of the period that `now` lies in: (all, paid). Zero if the last row is of an earlier period.
    pub fn in_period(&self, now: Timestamp, anchor: AnchorDay) -> (u64, u64) {
        if self.period == Some(Period::containing(now.max(self.last_at), anchor)) {
            (self.billable, self.paid)
        } else {
            (0, 0)
        }
    }

    /// The bytes of the state, with a version in front.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.seq).fixed(&self.head.0).int(self.last_at.as_millis()).uint(self.allowance_used);
        out.option(self.period, |out, period| {
            out.int(period.start.as_millis()).int(period.end.as_millis());
        });
        out.uint(self.billable).uint(self.paid);
        out.option(self.cap, |out, cap| {
            out.uint(cap);
        });
        out.finish()
    }

    /// The state with these bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let state = Self {
            seq: input.uint()?,
            head: Head(input.fixed()?),
            last_at: Timestamp::from_millis(input.int()?),
            allowance_used: input.uint()?,
            period: input.option(|input| {
                Ok(Period { start: Timestamp::from_millis(input.int()?), end: Timestamp::from_millis(input.int()?) })
            })?,
            billable: input.uint()?,
            paid: input.uint()?,
            cap: input.option(Decoder::uint)?,
        };
        input.finish()?;
        Ok(state)
    }
}

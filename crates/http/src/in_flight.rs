//! Requests in flight and connections, as shares of weight 1 of a client, a network or a check.

use crate::shares::{Share, Shares};

/// Requests in flight, or connections, by key.
pub(crate) type InFlight<K> = Shares<K>;

/// Permit of one request in flight, or of one connection, until it is dropped.
pub(crate) type InFlightPermit<K> = Share<K>;

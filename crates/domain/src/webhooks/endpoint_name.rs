//! Names of endpoints.

use crate::vocabulary::{ClientId, EndpointId};

/// Name of an endpoint: its client and its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EndpointName {
    /// The client.
    pub client: ClientId,
    /// The endpoint.
    pub id: EndpointId,
}

//! Ports of the use cases.

use crate::ports::{Assessor, Clock, Entropy, Outbound, PolicyLoader, Store};
use crate::secrets::Secrets;
use std::sync::Arc;

/// Ports and secrets of the use cases.
#[derive(Clone)]
pub struct Ports {
    /// All storage ports.
    pub store: Arc<dyn Store>,
    /// Evaluates evidence.
    pub assessor: Arc<dyn Assessor>,
    /// Loads candidate policies for replays.
    pub candidates: Arc<dyn PolicyLoader>,
    /// Wall clock.
    pub clock: Arc<dyn Clock>,
    /// Source of randomness.
    pub entropy: Arc<dyn Entropy>,
    /// Outbound connections.
    pub outbound: Arc<dyn Outbound>,
    /// Signing keys and keyed hashes.
    pub secrets: Secrets,
}

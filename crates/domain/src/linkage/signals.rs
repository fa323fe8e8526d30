//! Link signals of a check.

use super::{ClusterKey, MovementFingerprint};
use crate::secrets::{AddressDigest, NetworkHash};

/// Signals from the evidence of a check that may link it to others, not yet scoped to a context.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RawLinkSignals {
    /// Fingerprints of the movements that ended in a press and are long enough to be recognised.
    pub traces: Vec<MovementFingerprint>,
    /// The fingerprint of the device.
    pub device: Option<DeviceFingerprint>,
}

/// Digest of several consistent properties of a device. It is not keyed, so it is never stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceFingerprint(pub [u8; 32]);

/// Link signals of a check, scoped to its context.
///
/// The signals cannot be compared with those of another context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSignals {
    /// The digest of the address.
    pub subject: AddressDigest,
    /// The network of the last batch of evidence, if there is one.
    pub network: Option<NetworkHash>,
    /// The cluster of the device, if several properties of the device were observed and are consistent.
    pub device: Option<ClusterKey>,
    /// Fingerprints of the movements.
    pub traces: Vec<MovementFingerprint>,
}

impl LinkSignals {
    /// Returns the keys of the clusters of the check.
    pub fn clusters(&self) -> impl Iterator<Item = ClusterKey> + '_ {
        self.device
            .into_iter()
            .chain(self.network.map(ClusterKey::of_network))
    }
}

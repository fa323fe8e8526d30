//! What a check presents for links.

use super::{ClusterKey, MovementFingerprint};
use crate::secrets::{AddressDigest, NetworkHash};

/// What an assessor found in the evidence of a check that may link it to others.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RawLinkSignals {
    /// The movements that ended in a press, those that are long enough to be known again.
    pub traces: Vec<MovementFingerprint>,
    /// What tells its machine from others.
    pub device: Option<DeviceFingerprint>,
}

/// A digest of several marks of a machine that agree. It has no key yet, so it is never kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DeviceFingerprint(pub [u8; 32]);

/// What a check presents to the links of its context: nothing that could be compared with another context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LinkSignals {
    /// What stands for its address.
    pub subject: AddressDigest,
    /// The network that its last evidence came from, if it has any.
    pub network: Option<NetworkHash>,
    /// The cluster of its device, if several marks of the device were seen and agree.
    pub device: Option<ClusterKey>,
    /// Its movements.
    pub traces: Vec<MovementFingerprint>,
}

impl LinkSignals {
    /// The clusters that the check says it belongs to.
    pub fn clusters(&self) -> impl Iterator<Item = ClusterKey> + '_ {
        self.device.into_iter().chain(self.network.map(ClusterKey::of_network))
    }
}

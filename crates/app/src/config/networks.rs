//! Lists of networks.

use super::list;
use crate::network::parse_network;
use ipnet::IpNet;
use serde::Deserializer;

/// Deserialises networks; the error names every invalid one.
pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<IpNet>, D::Error> {
    list::parse_each(list::items(from)?, parse_network)
}

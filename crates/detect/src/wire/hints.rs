//! Client hints.

use super::fault::Fault;
use super::fields::object;
use super::list::List;
use super::node::{FromNode, Node};
use super::row::row_of;
use super::text::Text;

object! {
    /// Client hints, as `navigator.userAgentData` tells them.
    Hints {
        brands: List<NamedVersion, 16> = "brands",
        mobile: bool = "mobile",
        platform: Text<512> = "platform",
        platform_version: Text<512> = "platformVersion",
        architecture: Text<512> = "architecture",
        bitness: Text<512> = "bitness",
        model: Text<512> = "model",
        full_versions: List<NamedVersion, 16> = "fullVersions",
        wow64: bool = "wow64",
    }
}

/// A brand and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedVersion {
    /// The brand.
    pub name: Text<512>,
    /// Its version.
    pub version: Text<512>,
}

impl FromNode for NamedVersion {
    fn from_node(node: Node) -> Result<Self, Fault> {
        let mut nodes = row_of(node, 2)?.into_iter();
        let mut next = || Text::from_node(nodes.next().unwrap_or(Node::Null));
        Ok(Self { name: next().map_err(|fault| fault.at(0))?, version: next().map_err(|fault| fault.at(1))? })
    }
}

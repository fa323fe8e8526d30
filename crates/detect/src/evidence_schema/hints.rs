//! Client hints.

use super::fault::SchemaError;
use super::fields::object;
use super::list::BoundedList;
use super::node::{FromJson, JsonValue};
use super::row::{row_of, value};
use super::text::BoundedText;
use voight_domain::check::Member;

object! {
    /// Client hints, as `navigator.userAgentData` reports them.
    Hints {
        brands: BoundedList<NamedVersion, 16> = "brands": "The browser's names and main versions.",
        mobile: bool = "mobile": "The browser reports that it runs on a phone.",
        platform: BoundedText<512> = "platform": "The system that it says it runs on.",
        platform_version: BoundedText<512> = "platformVersion": "That system's version.",
        architecture: BoundedText<512> = "architecture": "The kind of processor.",
        bitness: BoundedText<512> = "bitness": "The word size of the processor: 32 or 64 bits.",
        model: BoundedText<512> = "model": "The model of a phone, where the browser tells it.",
        full_versions: BoundedList<NamedVersion, 16> = "fullVersions": "The browser's names and exact versions.",
        wow64: bool = "wow64": "A 32-bit browser runs on a 64-bit Windows.",
    }
}

/// Brand and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedVersion {
    /// Name of the brand.
    pub name: BoundedText<512>,
    /// Version of the brand.
    pub version: BoundedText<512>,
}

impl FromJson for NamedVersion {
    const MEMBERS: &'static [Member] = &[
        value("name", "A name of the browser."),
        value("version", "Its version."),
    ];

    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let mut nodes = row_of(node, Self::MEMBERS.len())?.into_iter();
        let mut next = || BoundedText::from_node(nodes.next().unwrap_or(JsonValue::Null));
        Ok(Self {
            name: next().map_err(|fault| fault.at_index(0))?,
            version: next().map_err(|fault| fault.at_index(1))?,
        })
    }
}

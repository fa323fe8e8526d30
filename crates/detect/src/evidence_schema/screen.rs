//! Screens, windows and pointing devices.

use super::fault::SchemaError;
use super::fields::object;
use super::node::{FromJson, JsonValue};
use super::text::enum_value;

object! {
    /// Screen, in CSS pixels.
    Screen {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
        avail_w: f64 = "availW": "The width that windows may take.",
        avail_h: f64 = "availH": "The height that windows may take.",
        depth: f64 = "depth": "The number of bits of a colour.",
    }
}

object! {
    /// Size in CSS pixels.
    Size {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
    }
}

object! {
    /// Position in CSS pixels.
    Position {
        x: f64 = "x": "From the left.",
        y: f64 = "y": "From the top.",
    }
}

object! {
    /// Visual viewport.
    Viewport {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
        scale: f64 = "scale": "The zoom factor.",
        left: f64 = "left": "The offset to the right.",
        top: f64 = "top": "The offset downwards.",
    }
}

/// Accuracy of the pointing device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the media query")]
pub enum PointerAccuracy {
    None,
    Coarse,
    Fine,
}

impl FromJson for PointerAccuracy {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        enum_value(
            &node,
            &[
                ("none", Self::None),
                ("coarse", Self::Coarse),
                ("fine", Self::Fine),
            ],
        )
    }
}

object! {
    /// Media queries about pointing.
    Media {
        hover: bool = "hover": "The main pointing device can hover.",
        any_hover: bool = "anyHover": "Any pointing device can hover.",
        pointer: PointerAccuracy = "pointer": "The accuracy of the main pointing device.",
        any_pointer: PointerAccuracy = "anyPointer": "The accuracy of the most accurate pointing device.",
    }
}

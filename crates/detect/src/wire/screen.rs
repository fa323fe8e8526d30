//! Screens, windows and what points on them.

use super::fault::SchemaError;
use super::fields::object;
use super::node::{FromJson, JsonValue};
use super::text::enum_value;

object! {
    /// The screen, in CSS pixels.
    Screen {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
        avail_w: f64 = "availW": "The width that windows may take.",
        avail_h: f64 = "availH": "The height that windows may take.",
        depth: f64 = "depth": "How many bits a colour has.",
    }
}

object! {
    /// A size in CSS pixels.
    Size {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
    }
}

object! {
    /// A position in CSS pixels.
    Position {
        x: f64 = "x": "From the left.",
        y: f64 = "y": "From the top.",
    }
}

object! {
    /// The visual viewport.
    Viewport {
        w: f64 = "w": "Its width.",
        h: f64 = "h": "Its height.",
        scale: f64 = "scale": "How far it is zoomed.",
        left: f64 = "left": "How far it is moved to the right.",
        top: f64 = "top": "How far it is moved down.",
    }
}

/// How exactly the user can point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the media query")]
pub enum PointerAccuracy {
    None,
    Coarse,
    Fine,
}

impl FromJson for PointerAccuracy {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        enum_value(&node, &[("none", Self::None), ("coarse", Self::Coarse), ("fine", Self::Fine)])
    }
}

object! {
    /// Media queries about pointing.
    Media {
        hover: bool = "hover": "Whether the main way of pointing can hover.",
        any_hover: bool = "anyHover": "Whether any way of pointing can hover.",
        pointer: PointerAccuracy = "pointer": "How exact the main way of pointing is.",
        any_pointer: PointerAccuracy = "anyPointer": "How exact the most exact way is.",
    }
}

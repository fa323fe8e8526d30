//! Screens, windows and what points on them.

use super::fault::Fault;
use super::fields::object;
use super::node::{FromNode, Node};
use super::text::word;

object! {
    /// The screen, in CSS pixels.
    Screen {
        w: f64 = "w",
        h: f64 = "h",
        avail_w: f64 = "availW",
        avail_h: f64 = "availH",
        depth: f64 = "depth",
    }
}

object! {
    /// A size in CSS pixels.
    Size {
        w: f64 = "w",
        h: f64 = "h",
    }
}

object! {
    /// A position in CSS pixels.
    Position {
        x: f64 = "x",
        y: f64 = "y",
    }
}

object! {
    /// The visual viewport.
    Viewport {
        w: f64 = "w",
        h: f64 = "h",
        scale: f64 = "scale",
        left: f64 = "left",
        top: f64 = "top",
    }
}

/// How exactly the user can point.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are those of the media query")]
pub enum Pointing {
    None,
    Coarse,
    Fine,
}

impl FromNode for Pointing {
    fn from_node(node: Node) -> Result<Self, Fault> {
        word(&node, &[("none", Self::None), ("coarse", Self::Coarse), ("fine", Self::Fine)])
    }
}

object! {
    /// Media queries about pointing.
    Media {
        hover: bool = "hover",
        any_hover: bool = "anyHover",
        pointer: Pointing = "pointer",
        any_pointer: Pointing = "anyPointer",
    }
}

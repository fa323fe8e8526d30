//! Rectangles as they were rendered.

use super::fault::SchemaError;
use super::fields::{Fields, member};
use super::node::{FromJson, JsonValue};
use super::text::enum_value;
use voight_domain::check::Member;

/// Subject of a rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names say it")]
pub enum RectangleRole {
    Stage,
    First,
    Second,
    Other,
}

/// Rectangle; lengths in hundredths of a CSS pixel, relative to the viewport.
///
/// All members are required.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rectangle {
    /// Subject of the rectangle.
    pub role: RectangleRole,
    /// Time of the measurement, in tenths of a millisecond.
    pub t: i64,
    /// Left edge.
    pub x: i64,
    /// Upper edge.
    pub y: i64,
    /// Width.
    pub w: i64,
    /// Height.
    pub h: i64,
}

impl FromJson for RectangleRole {
    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let words = [
            ("stage", Self::Stage),
            ("first", Self::First),
            ("second", Self::Second),
            ("other", Self::Other),
        ];
        enum_value(&node, &words)
    }
}

impl FromJson for Rectangle {
    const MEMBERS: &'static [Member] = &[
        member::<RectangleRole>(
            "role",
            "The element: the field, a target or another button.",
        ),
        member::<i64>("t", "The time at which the element was shown there."),
        member::<i64>("x", "Its left edge."),
        member::<i64>("y", "Its upper edge."),
        member::<i64>("w", "Its width."),
        member::<i64>("h", "Its height."),
    ];

    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let mut fields = Fields::from_object(node, Self::MEMBERS)?;
        Ok(Self {
            role: fields.required("role")?,
            t: fields.required("t")?,
            x: fields.required("x")?,
            y: fields.required("y")?,
            w: fields.required("w")?,
            h: fields.required("h")?,
        })
    }
}

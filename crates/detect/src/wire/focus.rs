//! Where the focus went, and whether the page was visible.

use super::fault::Fault;
use super::node::Node;
use super::pointer::{ROLES, Role};
use super::row::{Rows, code, undo, whole_row};

/// The focus came or went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FocusChange {
    /// Whether it went.
    pub blur: bool,
    /// When.
    pub t: i64,
    /// On what.
    pub role: Role,
}

impl Rows for FocusChange {
    type Before = [i64; 1];
    const MAX: usize = 100;

    fn row(node: Node, before: &mut [i64; 1]) -> Result<Self, Fault> {
        let mut row = whole_row::<3>(node)?;
        undo(&mut row, [1], before);
        Ok(Self { blur: code(row[0], 1, 0)? == 1, t: row[1], role: ROLES[code(row[2], 3, 2)?] })
    }
}

/// The page was shown or hidden.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct VisibilityChange {
    /// When.
    pub t: i64,
    /// Whether it was hidden.
    pub hidden: bool,
}

impl Rows for VisibilityChange {
    type Before = [i64; 1];
    const MAX: usize = 50;

    fn row(node: Node, before: &mut [i64; 1]) -> Result<Self, Fault> {
        let mut row = whole_row::<2>(node)?;
        undo(&mut row, [0], before);
        Ok(Self { t: row[0], hidden: code(row[1], 1, 1)? == 1 })
    }
}

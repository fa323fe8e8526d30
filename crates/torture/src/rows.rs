//! The fault matrix, one file for each row.

mod kill;

use crate::row::Row;

/// Every row, in the order of the published table.
pub const ROWS: &[Row] = &[kill::ROW];

//! Columns of an upload that are read, and those that are not.

use super::column_plan::{ColumnPlan, Columns};
use voight_domain::snapshot::AmountUnit;

/// Maximum number of ignored columns that are named.
const MAX_IGNORED: usize = 100;

/// Columns of an upload.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct UsedColumns {
    /// Name of the column with addresses, or `column 1`.
    pub address: String,
    /// Name and unit of the column with amounts.
    pub amount: Option<(String, AmountUnit)>,
    /// Names of the columns that are not read, at most 100.
    pub ignored: Vec<String>,
}

impl UsedColumns {
    /// Adds the columns of a line.
    pub(super) fn add(&mut self, columns: Columns<'_>, plan: ColumnPlan) {
        self.address = columns.label(plan.address);
        self.amount = plan
            .amount
            .map(|amount| (columns.label(amount.index), amount.unit));
        for name in plan.ignored(columns) {
            if self.ignored.len() < MAX_IGNORED && !self.ignored.contains(&name) {
                self.ignored.push(name);
            }
        }
    }
}

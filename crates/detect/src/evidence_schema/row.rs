//! Rows: short lists of integers, delta-coded against the previous row.

use super::fault::SchemaError;
use super::list::elements;
use super::node::{FromJson, JsonValue};
use voight_domain::check::Member;

/// Reads `N` integers and leaves the rest of the row to the caller.
pub(super) fn integers<const N: usize>(nodes: &[JsonValue]) -> Result<[i64; N], SchemaError> {
    let mut values = [0; N];
    for (at, (value, node)) in values.iter_mut().zip(nodes).enumerate() {
        *value = match node {
            JsonValue::Int(found) => *found,
            other => return Err(other.type_error("an integer").at_index(at)),
        };
    }
    Ok(values)
}

/// Reads one row of exactly `N` integers.
pub(super) fn exact_row<const N: usize>(node: JsonValue) -> Result<[i64; N], SchemaError> {
    let nodes = row_of(node, N)?;
    integers(&nodes)
}

/// Describes a value of a row.
pub(super) const fn value(name: &'static str, about: &'static str) -> Member {
    Member {
        name,
        about,
        members: &[],
    }
}

/// Returns the values of a row of exactly `length`.
pub(super) fn row_of(node: JsonValue, length: usize) -> Result<Vec<JsonValue>, SchemaError> {
    let nodes = elements(node, length)?;
    if nodes.len() == length {
        Ok(nodes)
    } else {
        Err(SchemaError::new(format!(
            "must have exactly {length} values, not {}",
            nodes.len()
        )))
    }
}

/// Converts a value of `0..=max` to an index.
pub(super) fn enum_index(value: i64, max: usize, at: usize) -> Result<usize, SchemaError> {
    usize::try_from(value)
        .ok()
        .filter(|code| *code <= max)
        .ok_or_else(|| {
            SchemaError::new(format!("must be an integer from 0 to {max}, not {value}"))
                .at_index(at)
        })
}

/// Decodes the delta columns of a row; `before` holds the values of the previous row.
///
/// Sums saturate: a hostile row ends at the limit of the range, which every rule and gate finds impossible.
pub(super) fn undo_deltas<const N: usize, const D: usize>(
    row: &mut [i64; N],
    columns: [usize; D],
    before: &mut [i64; D],
) {
    for (column, known) in columns.into_iter().zip(before) {
        row[column] = known.saturating_add(row[column]);
        *known = row[column];
    }
}

/// Row type, parsed in the order of its list.
pub(super) trait DeltaRow: Sized {
    /// State that is carried from row to row.
    type DeltaBase: Default;
    /// Maximum number of rows of a list.
    const MAX: usize;
    /// Descriptions of its values, one for each value of a row.
    const VALUES: &'static [Member];
    /// Reads one row.
    fn row(node: JsonValue, before: &mut Self::DeltaBase) -> Result<Self, SchemaError>;
}

/// List of rows.
pub(super) struct RowList<T>(pub(super) Vec<T>);

impl<T: DeltaRow> FromJson for RowList<T> {
    const MEMBERS: &'static [Member] = T::VALUES;

    fn from_node(node: JsonValue) -> Result<Self, SchemaError> {
        let mut base = T::DeltaBase::default();
        let nodes = elements(node, T::MAX)?.into_iter().enumerate();
        nodes
            .map(|(at, node)| T::row(node, &mut base).map_err(|fault| fault.at_index(at)))
            .collect::<Result<_, _>>()
            .map(Self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_deltas_saturate() {
        let mut base = [i64::MAX];
        let mut row = [7, i64::MAX];
        undo_deltas(&mut row, [1], &mut base);
        assert_eq!((row, base), ([7, i64::MAX], [i64::MAX]));
    }

    #[test]
    fn a_row_has_exactly_its_values() {
        let short = JsonValue::List(vec![JsonValue::Int(1)]);
        assert_eq!(
            exact_row::<2>(short).unwrap_err().to_string(),
            "the evidence must have exactly 2 values, not 1"
        );
        let wrong = JsonValue::List(vec![JsonValue::Int(1), JsonValue::Null]);
        assert_eq!(
            exact_row::<2>(wrong).unwrap_err().to_string(),
            "[1]: must be an integer, not null"
        );
        assert!(enum_index(7, 6, 0).is_err() && enum_index(-1, 6, 0).is_err());
    }
}

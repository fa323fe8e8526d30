//! Cells of the files with addresses that commands read.

use voight_domain::EoaAddress;
use voight_domain::vocabulary::{AddressProblem, is_formula, looks_like_address};

/// Number of characters of a cell that a message quotes. A private key, which has 64 digits, is never quoted completely.
const QUOTED_CHARACTERS: usize = 48;
/// Maximum number of messages in the error about a file.
const QUOTED_MESSAGES: usize = 10;

/// Joins the first messages about the lines of a file, and counts the others.
pub(super) fn join_first(messages: &[String]) -> String {
    let text = messages[..messages.len().min(QUOTED_MESSAGES)].join("; ");
    match messages.len().saturating_sub(QUOTED_MESSAGES) {
        0 => text,
        more => format!("{text}; and {more} more"),
    }
}

/// Parses the address in a cell. The error quotes the cell, and says what is wrong and what to do.
pub(super) fn parse_cell(cell: &str) -> Result<EoaAddress, String> {
    cell.parse().map_err(|_| {
        let problem = AddressProblem::from_text(cell).unwrap_or(AddressProblem::Other);
        let prefix: String = cell.chars().take(QUOTED_CHARACTERS).collect();
        format!("the address is {prefix:?}: {problem}")
    })
}

/// Returns `true` if a first line is a header: its first cell is the name, and no cell is an address or a formula.
pub(super) fn is_header<'a>(name: &str, mut cells: impl Iterator<Item = &'a str> + Clone) -> bool {
    let is_value = |cell: &str| looks_like_address(cell.trim()) || is_formula(cell.trim());
    let first = cells.clone().next().unwrap_or_default();
    first.trim().eq_ignore_ascii_case(name) && !cells.any(is_value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_that_are_no_address_are_quoted_with_their_form() {
        let error = parse_cell("eth:0x1111111111111111111111111111111111111111").unwrap_err();
        assert!(
            error.starts_with("the address is \"eth:0x1111") && error.contains("EIP-3770"),
            "{error}"
        );
        assert!(
            parse_cell("vitalik.eth")
                .unwrap_err()
                .contains("resolve it")
        );
    }

    #[test]
    fn first_line_with_a_value_is_no_header() {
        assert!(is_header("address", ["Address", "label"].into_iter()));
        for cells in [
            ["address", "0x12"],
            ["address", "=cmd"],
            ["addresses", "label"],
            ["0x12", "bot"],
        ] {
            assert!(!is_header("address", cells.into_iter()), "{cells:?}");
        }
    }
}

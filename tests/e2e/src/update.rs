//! Tests that compare a committed file with its expected contents, and update it on demand.
//!
//! Packages that do not depend on this one include the file by its path.

/// Returns `true` if committed files are to be updated, which `VOIGHT_UPDATE` requests.
///
/// Panics if `CI` is set as well: there they are only compared.
pub(crate) fn is_update() -> bool {
    is_allowed(std::env::var_os("VOIGHT_UPDATE").is_some(), std::env::var_os("CI").is_some())
}

pub(crate) fn is_allowed(is_update: bool, is_ci: bool) -> bool {
    assert!(
        !(is_update && is_ci),
        "VOIGHT_UPDATE and CI are both set: in CI committed files are compared and never written; unset one of them"
    );
    is_update
}

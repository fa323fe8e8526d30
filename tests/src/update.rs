//! Tests that compare a committed file with what it has to be, and write it on demand. Packages that do not depend on this one
//! include the file by its path.

/// Whether committed files are to be written anew, which `VOIGHT_UPDATE` asks for. Panics if `CI` is set, too: there they are only
/// compared.
pub fn is_update() -> bool {
    let is_set = |name| std::env::var_os(name).is_some();
    is_allowed(is_set("VOIGHT_UPDATE"), is_set("CI"))
}

fn is_allowed(is_update: bool, is_ci: bool) -> bool {
    assert!(
        !(is_update && is_ci),
        "VOIGHT_UPDATE and CI are both set: in CI committed files are compared and never written; unset one of them"
    );
    is_update
}

#[cfg(test)]
mod tests {
    use super::is_allowed;

    #[test]
    fn files_are_written_on_demand() {
        assert_eq!([(true, false), (false, true), (false, false)].map(|(update, ci)| is_allowed(update, ci)), [true, false, false]);
    }

    #[test]
    #[should_panic(expected = "VOIGHT_UPDATE and CI are both set")]
    fn ci_writes_no_file() {
        is_allowed(true, true);
    }
}

//! List of the families.

mod automation;
mod others;
mod people;

use crate::family::Family;
use anyhow::{Result, bail};

/// Returns every family, in the order in which they run.
pub fn all() -> impl Iterator<Item = &'static Family> {
    automation::FAMILIES
        .iter()
        .chain(others::FAMILIES)
        .chain(people::FAMILIES)
}

/// Returns the families of these names or kinds, or all.
pub fn selected(names: &[String]) -> Result<Vec<&'static Family>> {
    let is = |family: &Family, name: &str| family.name == name || family.kind.as_str() == name;
    if let Some(unknown) = names
        .iter()
        .find(|name| !all().any(|family| is(family, name)))
    {
        bail!("unknown family or kind {unknown:?}; `cargo xtask detect bots --list` lists them");
    }
    Ok(all()
        .filter(|family| names.is_empty() || names.iter().any(|name| is(family, name)))
        .collect())
}

#[cfg(test)]
mod tests {
    use super::{all, selected};
    use crate::family::{Driver, FamilyKind};
    use crate::installed::families_dir;
    use std::collections::BTreeSet;

    #[test]
    fn names_are_unique_and_scripts_exist() {
        let names: BTreeSet<_> = all().map(|family| family.name).collect();
        assert_eq!(names.len(), all().count());
        for family in all() {
            if let Driver::Script(script) = family.driver {
                assert!(
                    families_dir().join(script.file).is_file(),
                    "{}",
                    script.file
                );
            }
        }
    }

    #[test]
    fn families_are_selected_by_name_and_by_kind() {
        let populations = selected(&["population".to_owned()]).unwrap();
        assert!(
            populations.len() > 3
                && populations
                    .iter()
                    .all(|family| family.kind == FamilyKind::Population)
        );
        assert_eq!(selected(&["jsdom".to_owned()]).unwrap().len(), 1);
        assert_eq!(selected(&[]).unwrap().len(), all().count());
        let error = selected(&["jsdon".to_owned()]).unwrap_err().to_string();
        assert!(
            error.contains("jsdon") && error.contains("--list"),
            "{error}"
        );
    }
}

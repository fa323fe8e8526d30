use super::*;
use std::path::PathBuf;

#[test]
fn files_are_written_on_demand() {
    let permissions =
        [(true, false), (false, true), (false, false)].map(|(update, ci)| is_allowed(update, ci));
    assert_eq!(permissions, [true, false, false]);
}

#[test]
#[should_panic(expected = "VOIGHT_UPDATE and CI are both set")]
fn ci_writes_no_file() {
    is_allowed(true, true);
}

/// Collects the source files below a directory.
fn sources(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if path.is_dir() && !["target", "node_modules"].contains(&name.as_str()) {
            sources(&path, paths);
        } else if [".rs", ".mjs", ".js", ".py"]
            .iter()
            .any(|end| name.ends_with(end))
        {
            paths.push(path);
        }
    }
}

#[test]
fn one_function_of_each_language_reads_the_variable() {
    let mut paths = Vec::new();
    for folder in ["crates", "tests", "examples"] {
        sources(&repository().join(folder), &mut paths);
    }
    // Split, so that this file does not match.
    let patterns = ["var_os(\"VOIGHT_", "var(\"VOIGHT_", "env.VOIGHT_"]
        .map(|prefix| format!("{prefix}UPDATE"));
    paths.retain(|path| {
        let text = fs::read_to_string(path).unwrap_or_default();
        patterns.iter().any(|pattern| text.contains(pattern))
    });
    let mut names: Vec<_> = paths
        .iter()
        .map(|path| {
            path.strip_prefix(repository())
                .unwrap()
                .display()
                .to_string()
        })
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "tests/e2e/pages/lib/update.mjs",
            "tests/support/src/committed.rs"
        ],
        "others are not refused in CI"
    );
}

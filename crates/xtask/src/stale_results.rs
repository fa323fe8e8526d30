//! Published results whose sources have changed since, of every kind, with the commands that measure them again.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;
use voight_support::sources::{SourceDigests, SourceTree};

use crate::files;
use crate::workspace::Workspace;

/// Directory of all results, relative to the repository.
const RESULTS: &str = "docs/results";
/// Part of the names of preserved runs, which are history.
const PRESERVED: &str = ".broken-";
/// Member that every result has.
const COMMIT: &str = "commit";

/// Commands that measure the results in a directory again. `{}` stands for the name of the result.
const COMMANDS: [(&str, &str); 6] = [
    ("tests", "cargo xtask test --full --only {}"),
    ("reliability/fuzz", "cargo xtask fuzz {}"),
    ("reliability", "cargo xtask faults {}"),
    ("performance/bench", "cargo xtask bench --only {} --publish"),
    (
        "performance",
        "VOIGHT_FULL=1 cargo nextest run -p voight-tests pages::",
    ),
    ("detection", "cargo xtask detect (bots {} | report)"),
];

/// Returns a line for each stale result: its file and name, the reason, and the command.
pub(crate) fn list(workspace: &Workspace) -> Result<Vec<String>> {
    list_in(workspace.root())
}

fn list_in(root: &Path) -> Result<Vec<String>> {
    let source_tree =
        SourceTree::read(root).context("cannot read the manifests of the workspace")?;
    let mut lines = Vec::new();
    for file in files::list(&root.join(RESULTS))? {
        let name = file.to_string_lossy();
        if !name.ends_with(".json") || name.contains(PRESERVED) {
            continue;
        }
        let path = root.join(RESULTS).join(&file);
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let document = serde_json::from_str(&text)
            .with_context(|| format!("{} is not JSON", path.display()))?;
        for (label, result) in results(&document) {
            let sources: SourceDigests =
                serde_json::from_value(result["sources"].clone()).unwrap_or_default();
            if let Some(reason) = source_tree.stale_reason(&sources) {
                lines.push(line(&name, label, &reason));
            }
        }
    }
    Ok(lines)
}

fn line(file: &str, label: Option<&str>, reason: &str) -> String {
    let (folder, name) = file.rsplit_once('/').unwrap_or(("", file));
    let name = label.unwrap_or_else(|| name.split('.').next().unwrap_or_default());
    let command = COMMANDS
        .iter()
        .find(|(prefix, _)| folder == *prefix)
        .map_or("", |(_, command)| command);
    let label = label.map(|label| format!(" ({label})")).unwrap_or_default();
    format!(
        "{RESULTS}/{file}{label}: {reason}; {}",
        command.replace("{}", name)
    )
}

/// Returns the results of a document, with the names of those that are members of another object or of a list.
///
/// A document without a commit is one result.
fn results(document: &Value) -> Vec<(Option<&str>, &Value)> {
    let mut results = Vec::new();
    collect(document, None, &mut results);
    if results.is_empty() {
        vec![(None, document)]
    } else {
        results
    }
}

fn collect<'a>(
    value: &'a Value,
    label: Option<&'a str>,
    results: &mut Vec<(Option<&'a str>, &'a Value)>,
) {
    match value {
        Value::Object(members) if members.contains_key(COMMIT) => {
            results.push((members.get("name").and_then(Value::as_str).or(label), value));
        }
        Value::Object(members) => {
            members
                .iter()
                .for_each(|(name, member)| collect(member, Some(name), results));
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, label, results)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use serde_json::json;
    use voight_support::sources::{SourceTree, TriedSources};

    use super::list_in;
    use crate::files;

    fn write(root: &Path, path: &str, text: &str) {
        files::write(&root.join(path), text.as_bytes()).unwrap();
    }

    #[test]
    fn stale_results_are_listed_with_reason() {
        let root = std::env::temp_dir().join(format!("xtask-stale-{}", std::process::id()));
        write(
            &root,
            "Cargo.toml",
            "[workspace.dependencies]\nvoight-redb = { path = \"crates/redb\" }\n",
        );
        write(&root, "Cargo.lock", "");
        write(&root, "crates/redb/Cargo.toml", "[package]\n");
        write(&root, "crates/redb/src/lib.rs", "//! Store.");
        let packages = vec!["voight-redb".to_owned()];
        let tried_sources = TriedSources {
            packages,
            ..TriedSources::default()
        };
        let sources = SourceTree::read(&root).unwrap().digests(&tried_sources);
        let result = json!({"commit": "1", "sources": sources}).to_string();
        write(&root, "docs/results/tests/faults.json", &result);
        write(&root, "docs/results/reliability/kill.redb.json", &result);
        write(
            &root,
            "docs/results/reliability/kill.redb.broken-1.json",
            "{\"commit\": \"0\"}",
        );
        let families = json!({"families": [{"name": "jsdom", "commit": "1"}, {"name": "new", "commit": "2", "sources": sources}]});
        write(
            &root,
            "docs/results/detection/bot-corpus.json",
            &families.to_string(),
        );
        let without_digests = "docs/results/detection/bot-corpus.json (jsdom): its sources were not recorded; cargo xtask \
                               detect (bots jsdom | report)";
        assert_eq!(list_in(&root).unwrap(), [without_digests]);
        write(&root, "crates/redb/src/lib.rs", "//! Other store.");
        let stale_results = list_in(&root).unwrap();
        assert_eq!(
            stale_results[2..],
            [
                "docs/results/reliability/kill.redb.json: `voight-redb` changed since; cargo xtask faults kill",
                "docs/results/tests/faults.json: `voight-redb` changed since; cargo xtask test --full --only faults",
            ]
        );
        std::fs::remove_dir_all(root).unwrap();
    }
}

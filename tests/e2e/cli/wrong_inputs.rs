//! Invalid inputs of every command family: one sentence with the error and the correction, an exit code, and no change.

mod rows;

use crate::cli::rejection::tree;
use rows::{
    ARGUMENTS, BILLING_AND_AUDIT, CLIENTS_AND_KEYS, CONTEXTS_AND_VERDICTS, STORE_AND_OTHERS, Wrong,
};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::server::Server;

/// Texts of parsers and debuggers, which do not help an operator.
const RAW: [&str; 22] = [
    "invalid digit",
    "is not in ",
    "invalid value '",
    "[possible values",
    "os error",
    "EOF while",
    "expected value",
    "expected ident",
    "at line ",
    "column ",
    "unknown variant",
    "missing field",
    "invalid type",
    "syntax",
    "Some(",
    "None)",
    "Err(",
    "Error {",
    "ParseIntError",
    "panicked",
    "target type",
    "error: ",
];

/// Installation without a server, with unusable files.
struct Stage {
    folder: TempDir,
    names: BTreeMap<&'static str, String>,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut server = Server::start(&folder.path().join("data"));
        let account = server.account("acme");
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        for (name, text) in [
            ("text.csv", "foo,bar\n"),
            ("broken.json", "{"),
            ("wrong.toml", "[server]\nlisen = \"127.0.0.1:1\"\n"),
        ] {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let names = BTreeMap::from([
            ("KEY", account.key_id),
            ("CONTEXT", account.context),
            (
                "ADDRESS",
                "0x1111111111111111111111111111111111111111".to_owned(),
            ),
        ]);
        Self { folder, names }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// Replaces the names of ids, and DIR by the directory of this installation.
    fn filled(&self, arguments: &[&str]) -> Vec<String> {
        let dir = self.folder.path().display().to_string();
        arguments
            .iter()
            .map(|text| {
                self.names
                    .get(text)
                    .cloned()
                    .unwrap_or_else(|| text.replace("DIR", &dir))
            })
            .collect()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut voight = command::voight(&self.data_dir());
        voight
            .current_dir(self.folder.path())
            .args(self.filled(arguments))
            .output()
            .expect("the binary starts")
    }

    /// Returns the hash over all contents of the store.
    fn hash(&self) -> serde_json::Value {
        let other_folder = tempfile::tempdir().expect("a temporary folder");
        let out = other_folder.path().join("all.dump");
        command::json(
            &self.data_dir(),
            &["store", "backup", "--out", out.to_str().expect("UTF-8")],
        )["hash"]
            .clone()
    }
}

/// Returns the names and contents of all files, without the contents of the store.
///
/// An engine changes those when it opens a store.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let is_store = |path: &Path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("voight.redb"))
    };
    tree(folder)
        .into_iter()
        .map(|(path, content)| {
            if is_store(&path) {
                (path, None)
            } else {
                (path, content)
            }
        })
        .collect()
}

/// Returns the message of a rejected command, in both output formats.
fn message(stage: &Stage, arguments: &[&str], code: i32) -> Result<String, String> {
    let text = stage.run(arguments);
    let stderr = String::from_utf8_lossy(&text.stderr).trim_end().to_owned();
    let wrong = |what: &str| Err(format!("{what}: {stderr}"));
    if text.status.code() != Some(code) {
        return wrong(&format!("exit code {:?}, not {code}", text.status.code()));
    }
    let Some(sentence) = stderr
        .strip_prefix("voight: ")
        .filter(|_| stderr.lines().count() == 1 && text.stdout.is_empty())
    else {
        return wrong("not one sentence after `voight: `");
    };
    let json = stage.run(&[&["--json"], arguments].concat());
    let rejection: serde_json::Value = serde_json::from_slice(&json.stderr).unwrap_or_default();
    if json.status.code() != Some(code)
        || rejection["error"]["exit"] != code
        || rejection["error"]["message"] != sentence
    {
        return wrong(&format!(
            "another message in JSON, {}",
            String::from_utf8_lossy(&json.stderr)
        ));
    }
    Ok(sentence.to_owned())
}

fn problem(stage: &Stage, (arguments, words, code): Wrong) -> Option<String> {
    let files_before = files(stage.folder.path());
    let result = message(stage, arguments, code).and_then(|sentence| {
        if let Some(word) = words.iter().find(|word| !sentence.contains(**word)) {
            return Err(format!("{word:?} is missing: {sentence}"));
        }
        match RAW.iter().find(|raw| sentence.contains(**raw)) {
            Some(raw) => Err(format!("the raw text {raw:?}: {sentence}")),
            None => Ok(()),
        }
    });
    let result = result.and_then(|()| {
        if files(stage.folder.path()) == files_before {
            Ok(())
        } else {
            Err("it has written".to_owned())
        }
    });
    result
        .err()
        .map(|problem| format!("{arguments:?}: {problem}"))
}

#[test]
fn invalid_inputs_are_explained_and_write_nothing() {
    let stage = Stage::new();
    let hash_before = stage.hash();
    let rows: Vec<Wrong> = [
        &ARGUMENTS[..],
        &CLIENTS_AND_KEYS,
        &CONTEXTS_AND_VERDICTS,
        &BILLING_AND_AUDIT,
        &STORE_AND_OTHERS,
    ]
    .concat();
    assert!(rows.len() >= 90, "{}", rows.len());
    let problems: Vec<_> = rows
        .into_iter()
        .filter_map(|row| problem(&stage, row))
        .collect();
    assert!(
        problems.is_empty(),
        "{} rows:\n{}",
        problems.len(),
        problems.join("\n")
    );
    assert_eq!(stage.hash(), hash_before, "the store was changed");
}

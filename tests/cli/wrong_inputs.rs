//! Wrong inputs of every command family: one sentence that says what is wrong and what is right, an exit code, and nothing written.

use crate::refusal::tree;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Output;
use tempfile::TempDir;
use voight_tests::command;
use voight_tests::server::Server;

/// Arguments (with the names of [`Stage::filled`]), words that the message must have, exit code.
type Wrong = (&'static [&'static str], &'static [&'static str], i32);

/// Texts of parsers and debuggers, which say nothing to an operator.
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

const ARGUMENTS: [Wrong; 16] = [
    (&["nonsense"], &["\"nonsense\"", "no command", "serve"], 2),
    (&["--jsn", "usage"], &["--jsn", "did you mean --json?"], 2),
    (&["usage", "extra"], &["\"extra\"", "export"], 2),
    (&["usage", "--client"], &["--client", "needs a value"], 2),
    (&["usage", "--json=yes"], &["--json", "takes no value", "yes"], 2),
    (&["usage", "--log", "nonsense"], &["nonsense", "no level", "info"], 2),
    (&["usage", "--log", "voight=loud"], &["loud", "no level", "debug"], 2),
    (&["usage", "--log", "[request]=debug"], &["targets", "voight_http=debug"], 2),
    (&["usage", "--store", "mysql://x"], &["--store", "no known kind", "redb:PATH"], 2),
    (&["usage", "--store", "redb:"], &["not complete", "redb:./voight.redb"], 2),
    (&["usage", "--store", "redb:DIR/no.redb"], &["no store", "no.redb", "voight store init"], 4),
    (&["usage", "--server", "localhost"], &["--server", "http://127.0.0.1:8081"], 2),
    (&["usage", "--server", "http://127.0.0.1:1"], &["no answer", "127.0.0.1:1", "--server"], 5),
    (&["usage", "--config", "DIR/no.toml"], &["no.toml", "cannot be read"], 3),
    (&["usage", "--config", "DIR/wrong.toml"], &["wrong.toml:2", "server.lisen", "server.listen"], 3),
    (&["usage", "--config", "DIR/text.csv"], &["text.csv:1", "not TOML"], 3),
];

const CLIENTS_AND_KEYS: [Wrong; 26] = [
    (&["client"], &["no command was given", "create", "close"], 2),
    (&["client", "crate", "other"], &["\"crate\"", "create"], 2),
    (&["client", "create"], &["`voight client create` needs <NAME>"], 2),
    (&["client", "create", ""], &["1 to 64 printable characters"], 2),
    (&["client", "create", "no\nname"], &["U+000A", "leave it out"], 2),
    (&["client", "create", "acme"], &["\"acme\"", "another name"], 1),
    (&["client", "show", "nobody"], &["no client \"nobody\""], 4),
    (&["client", "suspend", "nobody"], &["no client \"nobody\""], 4),
    (&["client", "origins", "acme", "--set", "quest.example"], &["quest.example", "http:// or https://"], 2),
    (&["client", "origins", "acme", "--set", "https://a.example/x"], &["scheme, host and port only"], 2),
    (&["client", "contexts", "acme", "everybody"], &["everybody", "registering-key or client"], 2),
    (&["client", "cap", "acme", "1.5"], &["1.5", "whole number"], 2),
    (&["client", "cap", "acme", "-1"], &["-1", "whole number", "without a sign"], 2),
    (&["client", "cap", "acme", "5", "--clear"], &["--clear", "together"], 2),
    (&["client", "budget", "acme", "5,0"], &["5,0", "1.25"], 2),
    (&["client", "credit", "acme", "5"], &["needs --reason"], 2),
    (&["client", "close", "acme"], &["cannot be undone", "--yes"], 2),
    (&["key", "create"], &["needs --client <CLIENT>"], 2),
    (
        &["key", "create", "--client", "acme", "--scope", "lookup:read,everything"],
        &["everything", "context:register"],
        2,
    ),
    (&["key", "create", "--client", "acme", "--network", "1.2.3.4/40"], &["1.2.3.4/40", "0 to 32", "192.0.2.0/24"], 2),
    (&["key", "create", "--client", "acme", "--network", "1.2.3.4"], &["1.2.3.4/32"], 2),
    (&["key", "create", "--client", "acme", "--expires", "tomorrow"], &["tomorrow", "2027-01-01"], 2),
    (&["key", "create", "--client", "acme", "--expires", "2020-01-01"], &["expired", "in the future"], 2),
    (&["key", "rotate", "KEY", "--overlap", "1y"], &["\"1y\"", "24h", "30d"], 2),
    (&["key", "rotate", "KEY", "--overlap", "1h", "--now"], &["--overlap", "--now", "together"], 2),
    (&["key", "revoke", "01k0ab3cdefghjkmnpqrstvwxy"], &["no key 01k0ab3cdefghjkmnpqrstvwxy"], 4),
];

const CONTEXTS_AND_VERDICTS: [Wrong; 25] = [
    (&["context", "create", "--key", "KEY", "my quest"], &["my quest", "letters"], 2),
    (&["context", "create", "--key", "x", "spring"], &["--key", "26 characters"], 2),
    (&["context", "set", "CONTEXT"], &["at least one of --origins"], 2),
    (&["context", "set", "CONTEXT", "--sensitivity", "95%"], &["95%", "from 50 to 99", "unit"], 2),
    (&["context", "set", "CONTEXT", "--sensitivity", "100"], &["100", "from 50 to 99"], 2),
    (&["context", "set", "CONTEXT", "--presses", "3"], &["from 1 to 2"], 2),
    (&["context", "set", "CONTEXT", "--mode", "guess"], &["guess", "enforce or observe"], 2),
    (&["context", "set", "CONTEXT", "--device-limit", "0"], &["from 1 to 1000000"], 2),
    (&["context", "set", "CONTEXT", "--retention-days", "-1"], &["-1", "from 1 to 3650"], 2),
    (&["context", "set", "spring.01k0ab3cdefghjkmnpqrstvwxy", "--presses", "2"], &["no context"], 4),
    (&["context", "archive", "CONTEXT"], &["cannot be undone", "--yes"], 2),
    (&["context", "move", "CONTEXT"], &["needs --to-key"], 2),
    (&["verdict", "get", "--context", "CONTEXT", "0x12"], &["0x12", "40 hexadecimal digits"], 2),
    (&["verdict", "get", "--context", "CONTEXT", "vitalik.eth"], &["40 hexadecimal digits"], 2),
    (&["verdict", "get", "ADDRESS"], &["needs --context"], 2),
    (
        &["verdict", "override", "--context", "CONTEXT", "ADDRESS", "--to", "maybe", "--reason", "x"],
        &["human or bot"],
        2,
    ),
    (
        &["verdict", "override", "--context", "CONTEXT", "ADDRESS", "--to", "bot", "--reason", ""],
        &["needs a reason"],
        2,
    ),
    (&["verdict", "label", "--context", "CONTEXT", "ADDRESS", "robot", "--reason", "x"], &["robot", "human or bot"], 2),
    (&["verdict", "label", "--context", "CONTEXT", "--csv", "DIR/no.csv", "--reason", "x"], &["no.csv", "--csv"], 2),
    (&["verdict", "label", "--context", "CONTEXT", "--csv", "DIR/text.csv", "--reason", "x"], &["line 1", "40 hex"], 2),
    (&["verdict", "replay", "--context", "CONTEXT", "--policy", "DIR/no.json"], &["no.json", "JSON file"], 2),
    (&["verdict", "replay", "--context", "CONTEXT", "--policy", "DIR/broken.json"], &["policy", "JSON"], 2),
    (&["cluster", "import", "DIR/text.csv", "--context", "CONTEXT"], &["line 1", "nothing was imported"], 2),
    (&["record", "export", "--context", "CONTEXT", "--label", "robot", "--out", "DIR/r"], &["human or bot"], 2),
    (
        &["record", "export", "--context", "CONTEXT", "--label", "human", "--tool", "x", "--out", "DIR/r"],
        &["--tool"],
        2,
    ),
];

const BILLING_AND_AUDIT: [Wrong; 23] = [
    (&["usage", "--from", "yesterday"], &["from", "2026-11-01"], 2),
    (&["usage", "--from", "2026-02-01", "--to", "2026-01-01"], &["to is not after from"], 2),
    (&["usage", "--client", "nobody"], &["no client \"nobody\""], 4),
    (&["usage", "export", "--client", "acme", "--format", "xml"], &["xml", "csv, cloudevents, lago"], 2),
    (&["usage", "export", "--client", "acme", "--out", "DIR/text.csv"], &["is there already", "--out"], 1),
    (&["erase", "--address", "0x12", "--reason", "x", "--yes"], &["0x12", "40 hexadecimal digits"], 2),
    (&["erase", "--address", "ADDRESS", "--yes"], &["needs --reason"], 2),
    (&["erase", "--address", "ADDRESS", "--reason", "x"], &["cannot be undone", "--yes"], 2),
    (&["audit", "export", "--client", "acme", "--environment", "sandbox"], &["sandbox", "live or test"], 2),
    (&["audit", "check", "DIR/no.jsonl"], &["no.jsonl", "cannot be read"], 4),
    (&["audit", "check", "DIR/text.csv"], &["line 1", "no line of an export"], 1),
    (&["audit", "log", "--limit", "-1"], &["-1", "whole number of 0 or more"], 2),
    (&["audit", "verify", "--client", "nobody"], &["no client \"nobody\""], 4),
    (&["invoice", "preview", "--client", "acme", "--period", "2026-13"], &["2026-13", "2026-11"], 2),
    (&["invoice", "close", "--period", "november"], &["november", "2026-11"], 2),
    (&["invoice", "pay", "acme-1"], &["cannot be undone", "--yes"], 2),
    (&["invoice", "pay", "acme-1", "--yes"], &["no invoice"], 4),
    (&["invoice", "void", "acme", "--reason", "x", "--yes"], &["<client>-<number>"], 4),
    (&["invoice", "show", "acme-1", "--out", "x"], &["needs --html"], 2),
    (&["invoice", "adjust", "--client", "acme", "x", "--reason", "y"], &["\"x\"", "1.25"], 2),
    (
        &["admin", "token", "create", "--name", "x", "--role", "boss"],
        &["boss", "owner, operator, analyst or billing"],
        2,
    ),
    (&["admin", "token", "revoke", "nobody", "--yes"], &["no admin token \"nobody\""], 4),
    (&["signing-key", "rotat"], &["rotat", "rotate"], 2),
];

const STORE_AND_OTHERS: [Wrong; 21] = [
    (&["store", "info", "mysql://x"], &["no known kind", "redb:PATH"], 2),
    (&["store", "info", "memory:"], &["memory:", "redb:PATH"], 2),
    (&["store", "verify", "DIR/no.dump"], &["no.dump", "a backup that is there"], 2),
    (&["store", "verify", "DIR/text.csv"], &["text.csv", "voight store backup"], 1),
    (&["store", "backup", "--out", "DIR/text.csv"], &["is there already", "--out"], 1),
    (&["store", "restore"], &["needs <FILE>"], 2),
    (&["store", "restore", "DIR/no.dump"], &["no.dump", "name a backup"], 4),
    (&["store", "restore", "DIR/text.csv"], &["text.csv", "voight store backup"], 1),
    (&["store", "copy", "--from", "redb:x"], &["needs --to <URL>"], 2),
    (&["store", "copy", "--from", "redb:DIR/no.redb", "--to", "redb:DIR/new.redb"], &["no store", "no.redb"], 4),
    (&["store", "migrate"], &["in no database", "nothing else to do"], 2),
    (&["store", "init", "redb:DIR/new.redb"], &["in no database", "--store"], 2),
    (&["store", "compact", "redb:DIR/no.redb"], &["no store", "--data-dir"], 4),
    (&["config", "chek"], &["chek", "check"], 2),
    (&["doctor", "--reason", "x"], &["needs --accept-time"], 2),
    (&["completions", "tcsh"], &["tcsh", "bash", "zsh"], 2),
    (&["man", "--out", "DIR/text.csv"], &["text.csv", "directory"], 1),
    (&["serve", "--listen", "8080"], &["8080", "127.0.0.1:8080"], 2),
    (&["serve", "--log-format", "xml"], &["xml", "text or json"], 2),
    (&["demo", "--port", "x"], &["from 0 to 65535"], 2),
    (&["demo", "--page-port", "70000"], &["from 0 to 65535"], 2),
];

/// An installation without a server, with files that are of no use.
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
        for (name, text) in
            [("text.csv", "foo,bar\n"), ("broken.json", "{"), ("wrong.toml", "[server]\nlisen = \"127.0.0.1:1\"\n")]
        {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        let names = BTreeMap::from([
            ("KEY", account.key_id),
            ("CONTEXT", account.context),
            ("ADDRESS", "0x1111111111111111111111111111111111111111".to_owned()),
        ]);
        Self { folder, names }
    }

    fn data_dir(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The arguments with the ids of this installation, and its folder in place of DIR.
    fn filled(&self, arguments: &[&str]) -> Vec<String> {
        let dir = self.folder.path().display().to_string();
        arguments
            .iter()
            .map(|text| self.names.get(text).cloned().unwrap_or_else(|| text.replace("DIR", &dir)))
            .collect()
    }

    fn run(&self, arguments: &[&str]) -> Output {
        let mut voight = command::voight(&self.data_dir());
        voight.current_dir(self.folder.path()).args(self.filled(arguments)).output().expect("the binary starts")
    }

    /// The hash over everything in the store.
    fn hash(&self) -> serde_json::Value {
        let other = tempfile::tempdir().expect("a temporary folder");
        let out = other.path().join("all.dump");
        command::json(&self.data_dir(), &["store", "backup", "--out", out.to_str().expect("UTF-8")])["hash"].clone()
    }
}

/// Names and contents of all files, but the contents of the store's: an engine writes to these when it opens a store.
fn files(folder: &Path) -> BTreeMap<PathBuf, Option<Vec<u8>>> {
    let is_store = |path: &Path| path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("voight.redb"));
    tree(folder)
        .into_iter()
        .map(|(path, content)| if is_store(&path) { (path, None) } else { (path, content) })
        .collect()
}

/// The message of a rejected command, in both forms.
fn message(stage: &Stage, arguments: &[&str], code: i32) -> Result<String, String> {
    let text = stage.run(arguments);
    let said = String::from_utf8_lossy(&text.stderr).trim_end().to_owned();
    let wrong = |what: &str| Err(format!("{what}: {said}"));
    if text.status.code() != Some(code) {
        return wrong(&format!("exit code {:?}, not {code}", text.status.code()));
    }
    let Some(sentence) = said.strip_prefix("voight: ").filter(|_| said.lines().count() == 1 && text.stdout.is_empty())
    else {
        return wrong("not one sentence after `voight: `");
    };
    let json = stage.run(&[&["--json"], arguments].concat());
    let refusal: serde_json::Value = serde_json::from_slice(&json.stderr).unwrap_or_default();
    if json.status.code() != Some(code) || refusal["error"]["exit"] != code || refusal["error"]["message"] != sentence {
        return wrong(&format!("another message in JSON, {}", String::from_utf8_lossy(&json.stderr)));
    }
    Ok(sentence.to_owned())
}

fn problem(stage: &Stage, (arguments, words, code): Wrong) -> Option<String> {
    let before = files(stage.folder.path());
    let found = message(stage, arguments, code).and_then(|sentence| {
        if let Some(word) = words.iter().find(|word| !sentence.contains(**word)) {
            return Err(format!("{word:?} is missing: {sentence}"));
        }
        match RAW.iter().find(|raw| sentence.contains(**raw)) {
            Some(raw) => Err(format!("the raw text {raw:?}: {sentence}")),
            None => Ok(()),
        }
    });
    let found = found.and_then(|()| match files(stage.folder.path()) == before {
        true => Ok(()),
        false => Err("it has written".to_owned()),
    });
    found.err().map(|what| format!("{arguments:?}: {what}"))
}

#[test]
fn wrong_inputs_are_explained_end_with_their_code_and_write_nothing() {
    let stage = Stage::new();
    let before = stage.hash();
    let rows: Vec<Wrong> =
        [&ARGUMENTS[..], &CLIENTS_AND_KEYS, &CONTEXTS_AND_VERDICTS, &BILLING_AND_AUDIT, &STORE_AND_OTHERS].concat();
    assert!(rows.len() >= 90, "{}", rows.len());
    let problems: Vec<_> = rows.into_iter().filter_map(|row| problem(&stage, row)).collect();
    assert!(problems.is_empty(), "{} rows:\n{}", problems.len(), problems.join("\n"));
    assert_eq!(stage.hash(), before, "the store was changed");
}

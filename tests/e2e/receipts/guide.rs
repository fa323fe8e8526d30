//! Guide, executed: every block after a `<!-- run: … -->` line, with only the service's address replaced.

use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Command;
use voight_tests::guide;
use voight_tests::server::{Server, TestAccount};

const GUIDE: &str = include_str!("../../../docs/guides/redeem-receipts.md");
const SERVICE: &str = "https://voight.example";

/// Returns the block that follows `<!-- run: name -->`, for this server.
fn block(name: &str, server: &Server) -> String {
    let block = guide::block(GUIDE, name);
    assert!(
        block.contains(SERVICE),
        "the block names no service:\n{block}"
    );
    block.replace(SERVICE, &server.url())
}

/// Redeems a receipt with the guide's request.
pub(crate) fn redeem_as_the_guide(server: &Server, account: &TestAccount, receipt: &str) -> Value {
    let mut shell = guide::shell(&block("redeem", server));
    shell.envs([
        ("KEY", account.key.as_str()),
        ("CLAIM", "claim-1"),
        ("RECEIPT", receipt),
    ]);
    serde_json::from_str(&output(&mut shell)).expect("JSON")
}

/// Returns the results of the guide's code for each of these receipts.
pub(crate) fn read_offline(server: &Server, folder: &Path, receipts: &[&str]) -> Vec<Value> {
    let module = folder.join("receipt.mjs");
    let ask = "for (const receipt of process.argv.slice(2)) console.log(JSON.stringify(await readReceipt(receipt)));";
    fs::write(&module, format!("{}\n{ask}\n", block("offline", server))).expect("a module");
    let lines = output(Command::new("node").arg(&module).args(receipts));
    lines
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Returns the beginning of a receipt that this key has signed.
pub(crate) fn header_of(key: &Value) -> String {
    let kid = key["kid"].as_str().expect("an id");
    BASE64URL_NOPAD
        .encode(format!(r#"{{"alg":"EdDSA","kid":"{kid}","typ":"voight-receipt+jwt"}}"#).as_bytes())
        + "."
}

fn output(command: &mut Command) -> String {
    let output = command.output().expect("the program starts");
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).expect("text")
}

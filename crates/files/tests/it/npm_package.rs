//! Dumps in the npm package `@openzeppelin/merkle-tree`.

use crate::fixture::address;
use data_encoding::HEXLOWER;
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use voight_domain::snapshot::{MerkleTree, TokenAmount};
use voight_files::write_merkle_dump;
use voight_support::tier;

/// Program that loads a dump and prints its root.
const PROGRAM: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/verify_dump.cjs");

#[test]
fn the_npm_package_loads_dumps_and_verifies_their_proofs() {
    let modules = tools().join("reward-claim/node_modules");
    if !tier::is_full() {
        println!("SKIPPED the_npm_package_loads_dumps_and_verifies_their_proofs: full tier");
        return;
    }
    assert!(
        modules.is_dir(),
        "{} is missing; `cargo xtask test --only setup` installs it",
        modules.display()
    );
    for count in [1, 2, 3, 7, 1_000, 100_000] {
        let amount = |index: u32| TokenAmount::from_base_units(u128::from(index) << (index % 97));
        let tree =
            MerkleTree::new((0..count).map(|index| (address(index), amount(index)))).unwrap();
        assert_eq!(
            loaded_root(&modules, &tree),
            format!("0x{}", HEXLOWER.encode(tree.root())),
            "{count} values"
        );
    }
}

fn loaded_root(modules: &Path, tree: &MerkleTree) -> String {
    let mut program = Command::new("node")
        .arg(PROGRAM)
        .env("NODE_PATH", modules)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("Node.js");
    write_merkle_dump(program.stdin.take().unwrap(), tree).unwrap();
    let output = program.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Returns the directory of tools: `VOIGHT_TOOLS`, or `target/tools`.
fn tools() -> PathBuf {
    env::var_os("VOIGHT_TOOLS").map_or_else(
        // The path of the test is target/debug/deps/it-<hash>.
        || {
            env::current_exe()
                .unwrap()
                .ancestors()
                .nth(3)
                .unwrap()
                .join("tools")
        },
        PathBuf::from,
    )
}

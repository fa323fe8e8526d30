//! Where things are.

use crate::freshness;
use std::path::{Path, PathBuf};

/// The root of the repository.
pub fn repository() -> &'static Path {
    // This package lies directly under the root.
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The binary under test: `VOIGHT_BIN`, or the debug build beside the test binaries. Panics if one of its sources has changed since
/// it was built.
pub fn binary() -> PathBuf {
    fresh(match std::env::var_os("VOIGHT_BIN") {
        Some(path) => path.into(),
        None => target().join("debug").join("voight"),
    })
}

/// The binary `name` in the folder of the [binary under test](binary). Panics if one of its sources has changed since it was built.
pub fn beside_binary(name: &str) -> PathBuf {
    fresh(binary().with_file_name(name))
}

/// The program, unless one of its sources has changed since it was built.
fn fresh(binary: PathBuf) -> PathBuf {
    if let Some(source) = freshness::newer_source(&binary) {
        panic!(
            "{} is older than {}, so that old code would be tested; `cargo build --workspace` builds it anew",
            binary.display(),
            source.display()
        );
    }
    binary
}

/// Tools that `cargo xtask test --only setup` installed: `VOIGHT_TOOLS`, or `target/tools`.
pub fn tools() -> PathBuf {
    std::env::var_os("VOIGHT_TOOLS").map_or_else(|| target().join("tools"), PathBuf::from)
}

/// The folder of recordings, if it is there: `VOIGHT_CORPUS`, or `../shared/data` beside the repository.
pub fn corpus() -> Option<PathBuf> {
    let path = std::env::var_os("VOIGHT_CORPUS").map_or_else(|| repository().join("../shared/data"), PathBuf::from);
    path.is_dir().then_some(path)
}

/// The folder that everything is built in.
pub fn target() -> PathBuf {
    // …/target/debug/deps/<test>-<hash>
    let test = std::env::current_exe().unwrap_or_default();
    test.ancestors().nth(3).map_or_else(|| repository().join("target"), Path::to_path_buf)
}

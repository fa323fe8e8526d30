//! Crate of the SDK in Rust, in a project of its own that depends on the extracted package.

use super::super::runner::Runner;
use super::{Installed, copy, first_block};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::paths;

/// Packages the crate, and builds the programs in a project that depends on it.
pub(crate) fn install(folder: &Path) -> Installed {
    // Compiled dependencies of the previous run are reused.
    let target = paths::target().join("sdk-rust");
    build_programs(folder, cargo(&target), &target);
    let runner = built(&target, "runner");
    let block = built(&target, "block");
    Installed {
        runners: vec![Runner {
            name: "Rust",
            command: Box::new(move || Command::new(&runner)),
        }],
        block: Box::new(move |_| Command::new(&block)),
    }
}

/// Builds the runner so that it writes a profile of its branches. Returns it with the path of its program and that of the sources of the
/// crate.
pub(crate) fn runner_with_coverage(folder: &Path) -> (Runner, PathBuf, PathBuf) {
    let target = paths::target().join("sdk-rust-coverage");
    let mut cargo = cargo(&target);
    // The stable compiler counts branches, but does not promise to do so.
    cargo.env("RUSTC_BOOTSTRAP", "1").env(
        "RUSTFLAGS",
        "-C instrument-coverage -Z coverage-options=branch",
    );
    build_programs(folder, cargo, &target);
    let program = built(&target, "runner");
    let runner = program.clone();
    let runner = Runner {
        name: "Rust",
        command: Box::new(move || Command::new(&runner)),
    };
    (runner, program, folder.join(package_name()).join("src"))
}

fn package_name() -> String {
    format!("voight-client-{}", env!("CARGO_PKG_VERSION"))
}

/// Extracts the package, and builds the programs by the command `build`.
fn build_programs(folder: &Path, mut build: Command, target: &Path) {
    let manifest = paths::repository().join("crates/sdk/rust/Cargo.toml");
    let mut package = cargo(target);
    must_succeed(
        package
            .args([
                "package",
                "--quiet",
                "--allow-dirty",
                "--no-verify",
                "--manifest-path",
            ])
            .arg(&manifest),
    );
    let name = package_name();
    let archive = target.join(format!("package/{name}.crate"));
    must_succeed(
        Command::new("tar")
            .arg("-xzf")
            .arg(archive)
            .arg("-C")
            .arg(folder),
    );

    let project = folder.join("project");
    let programs = project.join("src/bin");
    fs::create_dir_all(&programs).expect("a folder");
    copy("runner.rs", &programs);
    let block = first_block(
        &super::super::read("crates/sdk/rust/README.md"),
        "```rust,no_run",
    );
    fs::write(programs.join("block.rs"), block).expect("the block is written");
    // HTTPS is off: the service under test speaks HTTP, and the libraries of TLS take most of the time of a build.
    let manifest = format!(
        "[package]\nname = \"project\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         voight-client = {{ path = \"../{name}\", default-features = false, features = [\"offline\", \"webhooks\"] }}\n\
         serde = \"1\"\nserde_json = \"1\"\ntokio = {{ version = \"1\", features = [\"io-std\", \"io-util\", \"macros\", \"rt\"] }}\n\n\
         [profile.dev]\ndebug = false\n"
    );
    fs::write(project.join("Cargo.toml"), manifest).expect("a manifest");
    // With the versions of the lock file of the package, dependencies are those of the previous run.
    fs::copy(
        folder.join(&name).join("Cargo.lock"),
        project.join("Cargo.lock"),
    )
    .expect("a lock file");
    must_succeed(build.current_dir(&project).args(["build", "--quiet"]));
}

fn built(target: &Path, name: &str) -> PathBuf {
    target.join("debug").join(name)
}

fn cargo(target: &Path) -> Command {
    let mut command = Command::new("cargo");
    command
        .env("CARGO_TARGET_DIR", target)
        .env_remove("CARGO_MANIFEST_DIR");
    command
}

//! Module of the SDK in Go, published in a directory that is a module proxy.

use super::super::runner::Runner;
use super::{Installed, copy, copy_package, first_block};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::paths;

/// Compiler of the Debian package `golang-go`.
pub(crate) const PROGRAM: &str = "/usr/bin/go";
const MODULE: &str = "voight.example/voight";

/// Script that writes the files below the current directory to an archive. Archives of modules have no entries for directories.
const ZIP: &str = "import pathlib, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as archive:
    for path in sorted(pathlib.Path().rglob('*')):
        path.is_file() and archive.write(path)";

/// Test of Go that runs the program, because Go 1.19 measures coverage in tests only. The summary of the test is not an outcome, so it is
/// not printed.
const PROGRAM_AS_TEST: &str = "package main

import (
	\"os\"
	\"testing\"
)

func TestProgram(*testing.T) {
	main()
	os.Stdout, _ = os.Open(os.DevNull)
}
";

/// Publishes the module, and builds the programs in a module of their own that requires it.
pub(crate) fn install(folder: &Path) -> Installed {
    let project = project(folder);
    fs::create_dir_all(folder.join("bin")).expect("a folder");
    must_succeed(
        go(folder)
            .current_dir(&project)
            .args(["build", "-o", "../bin/", "./runner", "./block"]),
    );
    let runner = folder.join("bin/runner");
    let block = folder.join("bin/block");
    Installed {
        runners: vec![Runner {
            name: "Go",
            command: Box::new(move || Command::new(&runner)),
        }],
        block: Box::new(move |_| Command::new(&block)),
    }
}

/// Builds the runner so that it takes the flag `-test.coverprofile`.
pub(crate) fn runner_with_coverage(folder: &Path) -> Runner {
    let project = project(folder);
    fs::write(project.join("runner/main_test.go"), PROGRAM_AS_TEST).expect("the test is written");
    let mut test = go(folder);
    test.current_dir(&project)
        .args(["test", "-c", "-covermode=set", "-o", "../bin/runner"]);
    must_succeed(test.arg(format!("-coverpkg={MODULE}")).arg("./runner"));
    let runner = folder.join("bin/runner");
    Runner {
        name: "Go",
        command: Box::new(move || Command::new(&runner)),
    }
}

/// Creates a module with the programs, which requires the published one.
fn project(folder: &Path) -> PathBuf {
    publish(folder);
    let project = folder.join("project");
    let programs = ["runner", "block"].map(|name| project.join(name));
    for program in &programs {
        fs::create_dir_all(program).expect("a folder");
    }
    copy("runner.go", &programs[0]);
    let block = first_block(&super::super::read("crates/sdk/go/README.md"), "```go");
    fs::write(programs[1].join("main.go"), block).expect("the block is written");
    let requires = format!(
        "module project\n\ngo 1.19\n\nrequire {MODULE} v{}\n",
        env!("CARGO_PKG_VERSION")
    );
    fs::write(project.join("go.mod"), requires).expect("a module");
    must_succeed(go(folder).current_dir(&project).args(["mod", "tidy"]));
    project
}

/// Writes the module as a proxy serves it: its archive, its `go.mod`, and its version.
fn publish(folder: &Path) {
    let version = format!("v{}", env!("CARGO_PKG_VERSION"));
    let archive_dir = folder.join("archived");
    let root = archive_dir.join(format!("{MODULE}@{version}"));
    copy_package("crates/sdk/go", &root);
    let proxy_dir = folder.join("proxy").join(MODULE).join("@v");
    fs::create_dir_all(&proxy_dir).expect("a folder");
    fs::copy(
        root.join("go.mod"),
        proxy_dir.join(format!("{version}.mod")),
    )
    .expect("a copy of go.mod");
    let info = format!("{{\"Version\": \"{version}\"}}");
    fs::write(proxy_dir.join(format!("{version}.info")), info).expect("the version is written");
    let mut zip = Command::new("python3");
    zip.args(["-c", ZIP])
        .arg(proxy_dir.join(format!("{version}.zip")))
        .current_dir(&archive_dir);
    must_succeed(&mut zip);
}

/// Returns the compiler with a fresh cache of modules. Compiled packages of the standard library are reused.
fn go(folder: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .env(
            "GOPROXY",
            format!("file://{}", folder.join("proxy").display()),
        )
        .env("GONOSUMDB", MODULE);
    command
        .env("GOMODCACHE", folder.join("modules"))
        .env("GOCACHE", paths::target().join("sdk-go"));
    command
        .env("GOFLAGS", "-modcacherw -mod=mod")
        .env_remove("GOROOT")
        .env_remove("GOPATH");
    command
}

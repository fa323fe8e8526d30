//! Wheel of the SDK in Python, in a virtual environment of its own.

use super::super::runner::Runner;
use super::{Installed, copy, copy_package, first_block, program};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use voight_tests::command::must_succeed;
use voight_tests::paths;

/// Returns the Python of the environment that has the dependencies of the SDK and the tool that builds it.
pub(crate) fn tools() -> PathBuf {
    paths::tools().join("sdk-python/bin/python")
}

/// Creates a virtual environment with the dependencies of the SDK; returns its Python.
fn create_environment(environment: &Path, tools: &Path) -> PathBuf {
    must_succeed(
        Command::new(tools)
            .args(["-m", "venv", "--without-pip"])
            .arg(environment),
    );
    let python = environment.join("bin/python");
    let libraries = path_of_libraries(tools);
    // The dependencies are those of the tools: a path file makes them importable.
    let path = format!("import site; site.addsitedir({libraries:?})\n");
    fs::write(
        Path::new(&path_of_libraries(&python)).join("dependencies.pth"),
        path,
    )
    .expect("a path file");
    python
}

/// Builds and installs the wheel.
pub(crate) fn install(folder: &Path, tools: &Path) -> Installed {
    let source = folder.join("source");
    copy_package("crates/sdk/python", &source);
    must_succeed(
        Command::new(tools)
            .args(["-m", "flit_core.wheel", "--outdir"])
            .arg(folder)
            .arg(&source),
    );
    fs::remove_dir_all(&source).expect("the sources are removed");
    let python = create_environment(&folder.join("venv"), tools);
    let wheel = folder.join(format!(
        "voight-{}-py3-none-any.whl",
        env!("CARGO_PKG_VERSION")
    ));
    let mut pip = Command::new(tools);
    pip.args(["-m", "pip", "--disable-pip-version-check", "--python"])
        .arg(&python);
    must_succeed(
        pip.args(["install", "--quiet", "--no-index", "--no-deps"])
            .arg(&wheel),
    );
    let runner = copy("runner.py", folder);
    let block = folder.join("block.py");
    let text = first_block(
        &super::super::read("crates/sdk/python/README.md"),
        "```python",
    );
    fs::write(&block, text).expect("the block is written");
    let start = |mode: &'static str| {
        let python = python.clone();
        let runner = runner.clone();
        Box::new(move || -> Command {
            let mut command = program(&python.display().to_string(), &runner);
            command.arg(mode);
            command
        })
    };
    Installed {
        runners: vec![
            Runner {
                name: "Python",
                command: start("sync"),
            },
            Runner {
                name: "Python with asyncio",
                command: start("async"),
            },
        ],
        block: Box::new(move |_| program(&python.display().to_string(), &block)),
    }
}

fn path_of_libraries(python: &Path) -> String {
    let script = "import sysconfig; print(sysconfig.get_path('purelib'), end='')";
    let output = Command::new(python)
        .args(["-c", script])
        .output()
        .expect("Python starts");
    String::from_utf8(output.stdout).expect("a path")
}

//! Static handler and epoll echo, one separate program.

use super::program::Program;
use crate::cleanup::Cleanup;
use crate::load::TargetServer;
use crate::machine::Cores;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufReader, Read};
use std::process::{Command, Stdio};
use voight_tests::paths;

/// Request that it answers.
pub(crate) const STATIC: &str = "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

/// Running baseline; stopped on drop.
#[derive(Debug)]
pub(crate) struct Baseline {
    program: Program,
    port: u16,
    is_release: bool,
}

impl Baseline {
    /// Starts the static handler on the server core.
    pub(crate) fn start(cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        Self::start_with(&[], cores, cleanup)
    }

    /// Starts a server without a framework on the server core, whose responses have this number of bytes.
    pub(crate) fn start_echo(bytes: usize, cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        Self::start_with(&["--echo", &bytes.to_string()], cores, cleanup)
    }

    fn start_with(arguments: &[&str], cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let mut command = Command::new(paths::beside_binary("voight-baseline"));
        command.args(arguments);
        command.stdout(Stdio::piped());
        let mut baseline = Self {
            program: Program::start(&mut command, cores, cleanup)?,
            port: 0,
            is_release: false,
        };
        let document = baseline.document()?;
        baseline.port = port(&document).context("the static handler prints no address")?;
        baseline.is_release = document["release"] == true;
        Ok(baseline)
    }

    /// Returns its address for loads.
    pub(crate) fn target(&self) -> TargetServer {
        TargetServer::alone(self.port, self.program.id())
    }

    /// Fails if the binaries, or this program, are debug builds. The service and the baseline are in one directory, so that
    /// both have the same build profile.
    pub(crate) fn ensure_release(&self) -> Result<()> {
        let advice = "build it with `cargo build --release` or `cargo xtask bench`";
        let binary = paths::binary();
        ensure!(
            self.is_release,
            "{} is a debug build; {advice}",
            binary.display()
        );
        ensure!(
            !cfg!(debug_assertions),
            "this is a debug build of the benchmark; {advice}"
        );
        Ok(())
    }

    /// Reads the JSON document that it prints once it listens.
    fn document(&mut self) -> Result<Value> {
        let out = self
            .program
            .output()
            .context("the static handler prints nothing")?;
        let mut document = Vec::new();
        for byte in BufReader::new(out).bytes() {
            document.push(byte?);
            if let Ok(document) = serde_json::from_slice(&document) {
                return Ok(document);
            }
        }
        bail!("the static handler exited at its start")
    }
}

fn port(document: &Value) -> Option<u16> {
    document["listening"]
        .as_str()?
        .rsplit_once(':')?
        .1
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_build_is_rejected_with_advice() {
        let cleanup = Cleanup::default();
        let baseline = Baseline::start(Cores::choose().unwrap(), &cleanup).unwrap();
        let error = baseline.ensure_release().unwrap_err().to_string();
        assert!(
            error.contains("debug build") && error.contains("cargo xtask bench"),
            "{error}"
        );
    }
}

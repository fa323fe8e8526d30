//! Static handler, a separate program.

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
    /// Starts it on the server core.
    pub(crate) fn start(cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let mut command = Command::new(paths::beside_binary("voight-baseline"));
        command.stdout(Stdio::piped());
        let mut baseline = Self { program: Program::start(&mut command, cores, cleanup)?, port: 0, is_release: false };
        let said = baseline.said()?;
        baseline.port = port(&said).context("the static handler does not say where it listens")?;
        baseline.is_release = said["release"] == true;
        Ok(baseline)
    }

    /// Returns its address for loads.
    pub(crate) fn target(&self) -> TargetServer {
        TargetServer::alone(self.port, self.program.id())
    }

    /// Fails if the binaries, or this program, are debug builds. The service and the baseline are in one directory, so that
    /// both have the same build profile.
    pub(crate) fn ensure_release(&self) -> Result<()> {
        let advice = "build it with `cargo build --release`, or let `cargo xtask bench` do that";
        let binary = paths::binary();
        ensure!(self.is_release, "{} is a debug build, which is not worth measuring; {advice}", binary.display());
        ensure!(
            !cfg!(debug_assertions),
            "this is a debug build of the benchmark, which measures little else; {advice}"
        );
        Ok(())
    }

    /// Reads the JSON document that it prints once it listens.
    fn said(&mut self) -> Result<Value> {
        let out = self.program.output().context("the static handler says nothing")?;
        let mut document = Vec::new();
        for byte in BufReader::new(out).bytes() {
            document.push(byte?);
            if let Ok(said) = serde_json::from_slice(&document) {
                return Ok(said);
            }
        }
        bail!("the static handler has ended at once")
    }
}

fn port(said: &Value) -> Option<u16> {
    said["listening"].as_str()?.rsplit_once(':')?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_debug_build_is_refused_with_what_to_do() {
        let cleanup = Cleanup::default();
        let baseline = Baseline::start(Cores::choose().unwrap(), &cleanup).unwrap();
        let refused = baseline.ensure_release().unwrap_err().to_string();
        assert!(refused.contains("debug build") && refused.contains("cargo xtask bench"), "{refused}");
    }
}

//! The static handler of the same binary.

use super::program::Program;
use crate::cleanup::Cleanup;
use crate::load::Target;
use crate::machine::Cores;
use anyhow::{Context, Result, bail, ensure};
use serde_json::Value;
use std::io::{BufReader, Read};
use std::process::{Command, Stdio};
use voight_tests::paths;

/// The request that it answers.
pub(crate) const STATIC: &str = "GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n";

/// A running yardstick; ended when dropped.
#[derive(Debug)]
pub(crate) struct Yardstick {
    program: Program,
    port: u16,
    is_release: bool,
}

impl Yardstick {
    /// Starts it on the server's core.
    pub(crate) fn start(cores: Cores, cleanup: &Cleanup) -> Result<Self> {
        let mut command = Command::new(paths::binary());
        command.args(["--json", "yardstick"]).stdout(Stdio::piped());
        let mut yardstick = Self { program: Program::start(&mut command, cores, cleanup)?, port: 0, is_release: false };
        let said = yardstick.said()?;
        yardstick.port = port(&said).context("the static handler does not say where it listens")?;
        yardstick.is_release = said["release"] == true;
        Ok(yardstick)
    }

    /// Where it is asked.
    pub(crate) fn target(&self) -> Target {
        Target::alone(self.port, self.program.id())
    }

    /// An error if the binary, or this program, was not built for release: the figures would be nobody's.
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

    /// The document that it prints once it listens.
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
        let yardstick = Yardstick::start(Cores::choose().unwrap(), &cleanup).unwrap();
        let refused = yardstick.ensure_release().unwrap_err().to_string();
        assert!(refused.contains("debug build") && refused.contains("cargo xtask bench"), "{refused}");
    }
}

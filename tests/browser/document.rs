//! A document whose code is executed: every block after a `<!-- run: … -->` line, only ports and ids replaced.

use std::process::Command;
use voight_tests::paths;
use voight_tests::server::Server;

/// Where documents say that the service is.
pub(crate) const SERVICE: &str = "http://localhost:8080";

/// The block of a document that follows `<!-- run: name -->`.
pub(crate) fn block<'a>(document: &'a str, name: &str) -> &'a str {
    let marker = format!("<!-- run: {name} -->\n```");
    let (_, rest) = document.split_once(&marker).unwrap_or_else(|| panic!("the document has no block {name}"));
    let (_, rest) = rest.split_once('\n').expect("a fence");
    rest.split_once("\n```").expect("the end of the block").0
}

/// A shell as a reader has it: `voight` on the path, the service running.
pub(crate) struct Shell<'a> {
    server: &'a Server,
    variables: Vec<(&'static str, String)>,
}

impl<'a> Shell<'a> {
    pub(crate) fn for_server(server: &'a Server) -> Self {
        Self { server, variables: Vec::new() }
    }

    pub(crate) fn export(&mut self, name: &'static str, value: String) {
        self.variables.push((name, value));
    }

    /// The base URL of the service, under the name that documents use.
    pub(crate) fn service(&self) -> String {
        self.server.url().replace("127.0.0.1", "localhost")
    }

    /// A command that this shell would start.
    pub(crate) fn command(&self, program: &str) -> Command {
        let folder = paths::binary().parent().expect("the binary's folder").to_owned();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new(program);
        command.env("PATH", path).env("VOIGHT__STORE__DATA_DIR", self.server.data_dir());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// What a script prints.
    pub(crate) fn run(&self, script: &str) -> String {
        let script = script.replace(SERVICE, &self.service());
        let output = self.command("bash").args(["-eu", "-c", &script]).output().expect("bash runs");
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }
}

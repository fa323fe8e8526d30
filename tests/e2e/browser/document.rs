//! Executable document: every block after a `<!-- run: … -->` line is run, with only ports and ids replaced.

use std::process::Command;
use voight_tests::command::remove_variables;
use voight_tests::guide;
use voight_tests::server::Server;

/// Base URL of the service in documents.
pub(crate) const SERVICE: &str = "http://localhost:8080";

/// Shell of a reader: `voight` is on the path, and the service runs.
pub(crate) struct Shell<'a> {
    server: &'a Server,
    variables: Vec<(&'static str, String)>,
}

impl<'a> Shell<'a> {
    pub(crate) fn for_server(server: &'a Server) -> Self {
        Self {
            server,
            variables: Vec::new(),
        }
    }

    pub(crate) fn export(&mut self, name: &'static str, value: String) {
        self.variables.push((name, value));
    }

    /// Returns the base URL of the service, with the host name that documents use.
    pub(crate) fn service(&self) -> String {
        self.server.url().replace("127.0.0.1", "localhost")
    }

    /// Returns a command in the environment of this shell.
    pub(crate) fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        remove_variables(&mut command)
            .env("PATH", guide::search_path())
            .env("VOIGHT__STORE__DATA_DIR", self.server.data_dir());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a script and returns its output.
    pub(crate) fn run(&self, script: &str) -> String {
        let script = script.replace(SERVICE, &self.service());
        let output = self
            .command("bash")
            .args(["-eu", "-c", &script])
            .output()
            .expect("bash runs");
        assert!(
            output.status.success(),
            "{script}\n{}",
            String::from_utf8_lossy(&output.stderr)
        );
        String::from_utf8(output.stdout)
            .expect("text")
            .trim()
            .to_owned()
    }
}

//! Program that runs cases with an installed SDK: it reads one case a line, and prints the outcome of each.

use super::scripted::Scripted;
use super::vectors::{Vectors, difference, expand, list};
use serde_json::{Map, Value, json};
use socket2::{Domain, Socket, Type};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::SocketAddr;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;

/// Program of one SDK, started anew for each run.
pub(crate) struct Runner {
    /// Name in messages.
    pub(crate) name: &'static str,
    /// Creates the command.
    pub(crate) command: Box<dyn Fn() -> Command>,
}

/// Started program.
pub(crate) struct Running {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Running {
    /// Runs one case to its end.
    pub(crate) fn call(&mut self, case: &Value) -> Value {
        let input = self.input.as_mut().expect("an open input");
        input
            .write_all(format!("{case}\n").as_bytes())
            .expect("the program reads its input");
        self.read()
            .expect("an outcome; the program printed its error above")
    }

    /// Returns the next outcome; `None` at the end of the output.
    fn read(&mut self) -> Option<Value> {
        let mut line = String::new();
        self.output
            .read_line(&mut line)
            .expect("the output is text");
        (!line.is_empty())
            .then(|| serde_json::from_str(&line).unwrap_or_else(|error| panic!("{error}: {line}")))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.input.take();
        if thread::panicking() {
            // It may wait until its output is read.
            let _ = self.child.kill();
        }
        let _ = self.child.wait();
    }
}

impl Runner {
    /// Starts the program.
    pub(crate) fn start(&self) -> Running {
        let mut command = (self.command)();
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let input = child.stdin.take();
        let output = child.stdout.take().expect("its output");
        Running {
            child,
            input,
            output: BufReader::new(output),
        }
    }

    /// Runs all cases at the same time, each with a server of its own, and compares the outcomes and the requests.
    pub(crate) fn run_cases(&self, vectors: &Vectors) {
        let mut running = self.start();
        let closed_port = ClosedPort::bind();
        let mut values = vectors.values();
        values.insert("closed_url".to_owned(), closed_port.url().into());
        let mut running_cases = BTreeMap::new();
        let mut lines = String::new();
        for case in vectors.cases() {
            let scripted_case = ScriptedCase::start(case, vectors, values.clone());
            let _ = writeln!(lines, "{}", scripted_case.input);
            running_cases.insert(
                case["name"].as_str().expect("a name").to_owned(),
                scripted_case,
            );
        }
        let mut input = running.input.take().expect("an open input");
        // A program may print before it has read all of its input.
        thread::spawn(move || input.write_all(lines.as_bytes()));
        let mut faults = String::new();
        let mut count = 0;
        while let Some(outcome) = running.read() {
            let name = outcome["name"].as_str().expect("a name");
            count += 1;
            for fault in running_cases[name].faults(&outcome) {
                let _ = writeln!(faults, "{}: {name}: {fault}", self.name);
            }
        }
        assert!(faults.is_empty(), "{faults}");
        assert_eq!(
            count,
            running_cases.len(),
            "{}: cases without an outcome; the program printed its error above",
            self.name
        );
    }
}

/// Port that is bound but accepts no connections.
struct ClosedPort(Socket);

impl ClosedPort {
    fn bind() -> Self {
        let socket = Socket::new(Domain::IPV4, Type::STREAM, None).expect("a socket");
        let any_port = SocketAddr::from(([127, 0, 0, 1], 0));
        socket.bind(&any_port.into()).expect("a free port");
        Self(socket)
    }

    fn url(&self) -> String {
        let address = self
            .0
            .local_addr()
            .expect("an address")
            .as_socket()
            .expect("an IP address");
        format!("http://{address}")
    }
}

/// Case with its server.
struct ScriptedCase {
    case: Value,
    /// Case as the program receives it.
    input: Value,
    server: Scripted,
}

impl ScriptedCase {
    fn start(case: &Value, vectors: &Vectors, mut values: Map<String, Value>) -> Self {
        let server = Scripted::start(|url| {
            values.insert("base_url".to_owned(), url.into());
            vectors
                .responses(case)
                .iter()
                .map(|response| expand(response, &values))
                .collect()
        });
        let case = expand(case, &values);
        let mut client = Map::from_iter([
            ("base_url".to_owned(), server.url().into()),
            ("api_key".to_owned(), values["api_key"].clone()),
            // All cases run at the same time, on a machine that may be busy.
            ("timeout_ms".to_owned(), 20_000.into()),
        ]);
        client.extend(case["client"].as_object().cloned().unwrap_or_default());
        let mut input = json!({"client": client});
        for member in ["name", "call", "arguments", "repeat", "before"] {
            input[member] = case[member].clone();
        }
        if input["repeat"].is_null() {
            input["repeat"] = 1.into();
        }
        Self {
            case,
            input,
            server,
        }
    }

    /// Returns the differences from the expectations.
    fn faults(&self, outcome: &Value) -> Vec<String> {
        let mut faults: Vec<_> = difference(&self.case["expect"], outcome)
            .into_iter()
            .collect();
        let requests = self.server.requests();
        match &self.case["requests"] {
            Value::Null => {}
            Value::Number(count) if count.as_u64() == u64::try_from(requests.len()).ok() => {}
            Value::Array(expected) if expected.len() == requests.len() => {
                let differ = |(expected, request)| difference(expected, request);
                faults.extend(expected.iter().zip(&requests).filter_map(differ));
            }
            expected => faults.push(format!(
                "{} requests, expected {expected}: {requests:?}",
                requests.len()
            )),
        }
        let keys: Vec<_> = requests
            .iter()
            .map(|request| &request["headers"]["idempotency-key"])
            .collect();
        if self.case["one_key"] == true
            && keys.iter().any(|key| !key.is_string() || *key != keys[0])
        {
            faults.push(format!("the idempotency keys are {keys:?}"));
        }
        if let [least, most] = list(&self.case["took_ms"]) {
            let duration = outcome["took_ms"].as_f64();
            if duration < least.as_f64() || duration > most.as_f64() {
                faults.push(format!(
                    "it took {duration:?} ms, expected {least} to {most}"
                ));
            }
        }
        faults.extend(self.leaks(&requests, outcome));
        faults
    }

    /// Returns the places other than its header in which the API key occurs.
    fn leaks(&self, requests: &[Value], outcome: &Value) -> Vec<String> {
        let key = self.input["client"]["api_key"].as_str().expect("a key");
        let mut leaks = Vec::new();
        for request in requests {
            let mut other_headers = request.clone();
            let header = other_headers["headers"]
                .as_object_mut()
                .and_then(|headers| headers.remove("x-api-key"));
            let is_public = request["path"] == "/.well-known/voight-keys.json";
            if !is_public && header.as_ref().and_then(Value::as_str) != Some(key) {
                leaks.push(format!("the header x-api-key is {header:?}"));
            }
            if other_headers.to_string().contains(key) {
                leaks.push(format!("the API key is outside of its header: {request}"));
            }
        }
        if outcome.to_string().contains(key) {
            leaks.push(format!("the API key is in a text: {outcome}"));
        }
        let webhook_keys = list(&self.case["arguments"]["keys"]).iter();
        for secret in webhook_keys.filter_map(|text| text.as_str()?.strip_prefix("whsec_")) {
            if outcome.to_string().contains(secret) {
                leaks.push(format!("the secret of a webhook is in a text: {outcome}"));
            }
        }
        leaks
    }
}

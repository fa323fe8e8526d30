//! Random histories on three processes with one database, compared with one process on the reference model.
//!
//! Each operation runs at any of the three.

use crate::cluster::nodes::OnSchema;
use fastrand::Rng;
use serde_json::Value;
use std::env;
use voight_tests::command;
use voight_tests::http::{self, Response};
use voight_tests::server::Server;

/// Environment variable with the number of histories, in place of [`HISTORIES`]; their seeds count from 0.
const VOLUME: &str = "VOIGHT_HISTORIES";
const HISTORIES: u64 = 6;
const OPERATIONS: usize = 60;
const NODES: [&str; 3] = ["a", "b", "c"];
/// Percentage of operations before which a node is killed and restarted.
const KILLS: u32 = 3;

/// Operation of a history. Keys and contexts are numbered in the order of their creation.
#[derive(Debug, Clone, Copy)]
enum ClusterOperation {
    LookUp {
        key: usize,
        context: usize,
        address: u8,
        idempotency: Option<u8>,
    },
    Register {
        key: usize,
    },
    Issue,
    Revoke {
        key: usize,
    },
    Override {
        context: usize,
        address: u8,
        to: &'static str,
    },
    Cap(Option<u64>),
    Usage,
}

impl ClusterOperation {
    fn random(rng: &mut Rng, keys: usize, contexts: usize) -> Self {
        let key = rng.usize(..keys);
        let context = rng.usize(..contexts);
        let address = rng.u8(..5);
        match rng.u32(..100) {
            0..5 => Self::Register { key },
            5..9 => Self::Issue,
            9..13 => Self::Revoke { key },
            13..21 => Self::Override {
                context,
                address,
                to: if rng.bool() { "bot" } else { "human" },
            },
            21..25 => Self::Cap(rng.bool().then(|| rng.u64(..30))),
            25..30 => Self::Usage,
            _ => Self::LookUp {
                key,
                context,
                address,
                idempotency: rng.bool().then(|| rng.u8(..8)),
            },
        }
    }
}

/// Processes of one store, with the keys and contexts of its client.
struct StoreSide {
    nodes: Vec<Server>,
    client: String,
    keys: Vec<(String, String)>,
    contexts: Vec<String>,
}

impl StoreSide {
    fn new(nodes: Vec<Server>) -> Self {
        Self {
            nodes,
            client: String::new(),
            keys: Vec::new(),
            contexts: Vec::new(),
        }
    }

    /// Begins a history with its own client, key and context.
    fn begin(&mut self, seed: u64) {
        self.client = format!("history-{seed}");
        let account = self.nodes[0].account(&self.client);
        self.keys = vec![(account.key, account.key_id)];
        self.contexts = vec![account.context];
    }

    /// Runs the operation at this node. Returns its outcome, without the values that differ between stores.
    fn perform(&mut self, node: usize, operation: ClusterOperation) -> String {
        let node = node % self.nodes.len();
        match operation {
            ClusterOperation::LookUp {
                key,
                context,
                address,
                idempotency,
            } => self.look_up(node, key, context, address, idempotency),
            ClusterOperation::Register { key } => self.register(node, key),
            ClusterOperation::Issue => {
                let new_key = self.command(node, &["key", "create", "--client", &self.client]);
                let text = |member: &str| new_key[member].as_str().expect("a text").to_owned();
                self.keys.push((text("key"), text("key_id")));
                "issued".to_owned()
            }
            ClusterOperation::Revoke { key } => {
                self.command(node, &["key", "revoke", &self.keys[key].1, "--yes"]);
                "revoked".to_owned()
            }
            ClusterOperation::Override {
                context,
                address,
                to,
            } => {
                let context = &self.contexts[context];
                let address = wallet(address);
                let arguments = [
                    "verdict",
                    "override",
                    "--context",
                    context,
                    &address,
                    "--to",
                    to,
                    "--reason",
                    "seen",
                ];
                self.command(node, &arguments)["is_bot"].to_string()
            }
            ClusterOperation::Cap(cap) => {
                let cap = cap.map_or_else(|| "--clear".to_owned(), |cap| cap.to_string());
                self.command(node, &["client", "cap", &self.client, &cap])["cap"].to_string()
            }
            ClusterOperation::Usage => {
                let usage = self.command(node, &["usage"]);
                let lines = usage["clients"].as_array().expect("lines");
                let line = lines
                    .iter()
                    .find(|line| line["name"] == self.client.as_str())
                    .expect("a line");
                format!(
                    "{} {} {} {}",
                    line["billable"], line["free"], line["allowance_left"], line["cap"]
                )
            }
        }
    }

    fn look_up(
        &self,
        node: usize,
        key: usize,
        context: usize,
        address: u8,
        idempotency: Option<u8>,
    ) -> String {
        let base = self.nodes[node].url();
        let context = &self.contexts[context];
        let url = format!(
            "{base}/api/v1/users/eoa?eoa_address={}&context_id={context}",
            wallet(address)
        );
        let idempotency = idempotency.map(|idempotency| format!("claim-{idempotency}"));
        let mut headers = vec![("x-api-key", self.keys[key].0.as_str())];
        headers.extend(
            idempotency
                .as_deref()
                .map(|idempotency| ("idempotency-key", idempotency)),
        );
        let answer = http::get(&http::agent(), &url, &headers).expect("an answer");
        let row = answer
            .header("voight-meter")
            .and_then(|meter| meter.split(',').next())
            .unwrap_or("no row")
            .to_owned();
        format!(
            "{} {row} {}",
            describe_response(&answer),
            answer.json()["data"]
        )
    }

    fn register(&mut self, node: usize, key: usize) -> String {
        let url = format!("{}/api/v1/register/context_id", self.nodes[node].url());
        let headers = [
            ("x-api-key", self.keys[key].0.as_str()),
            ("content-type", "application/json"),
        ];
        let answer = http::post(
            &http::agent(),
            &url,
            &headers,
            br#"{"context_title":"spring"}"#,
        )
        .expect("an answer");
        self.contexts.extend(
            answer.json()["data"]["context_id"]
                .as_str()
                .map(ToOwned::to_owned),
        );
        describe_response(&answer)
    }

    fn command(&self, node: usize, arguments: &[&str]) -> Value {
        command::json(self.nodes[node].data_dir(), arguments)
    }
}

fn wallet(number: u8) -> String {
    format!("0x{number:040x}")
}

fn describe_response(answer: &Response) -> String {
    format!("{} {}", answer.status, answer.json()["error"]["code"])
}

/// Runs one history; panics at the first difference.
fn run(stage: &OnSchema, seed: u64, model: &mut StoreSide, cluster: &mut StoreSide) {
    let mut rng = Rng::with_seed(seed);
    model.begin(seed);
    cluster.begin(seed);
    for number in 0..OPERATIONS {
        let node = rng.usize(..NODES.len());
        if rng.u32(..100) < KILLS {
            cluster.nodes[node].kill();
            cluster.nodes[node] = stage.nodes.start(NODES[node]);
        }
        let operation = ClusterOperation::random(&mut rng, model.keys.len(), model.contexts.len());
        let expected_outcome = model.perform(node, operation);
        let outcome = cluster.perform(node, operation);
        assert_eq!(
            outcome, expected_outcome,
            "operation {number} of seed {seed}, at node {}: {operation:?}",
            NODES[node]
        );
    }
}

#[test]
fn three_processes_on_one_database_match_the_model() {
    let stage = OnSchema::new("histories");
    let mut cluster = StoreSide::new(NODES.map(|name| stage.nodes.start(name)).into());
    let alone = stage.nodes.data_dir("model");
    let mut model = StoreSide::new(vec![Server::start_with(&alone, |command| {
        command
            .args(["--store", "memory:"])
            .env("VOIGHT__LIMITS__ENABLED", "false");
    })]);
    let histories = env::var(VOLUME).map_or(HISTORIES, |text| {
        text.parse().expect("a number of histories")
    });
    for seed in 0..histories {
        run(&stage, seed, &mut model, &mut cluster);
    }
    stage.nodes.verify("a");
}

//! Demo, from its first line to the verdict of the `curl` command that it prints.

use crate::browser::requirements::{self, needs};
use crate::browser::robot::{self, Display};
use serde_json::Value;
use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use voight_tests::process::{self, Signal};
use voight_tests::screen::{Colour, Screen};
use voight_tests::test_name;
use voight_tests::visitor::{self, Page};
use voight_tests::{command, http, paths, ports};

/// Running demo; stopped when dropped.
struct Demo {
    child: Child,
    welcome: Value,
    scratch: tempfile::TempDir,
}

impl Demo {
    fn start() -> Self {
        let scratch = tempfile::tempdir().expect("a temporary folder");
        let mut command = Command::new(paths::binary());
        command::remove_variables(&mut command).args([
            "--json",
            "demo",
            "--port",
            &ports::free().to_string(),
            "--page-port",
            &ports::free().to_string(),
        ]);
        command
            .env("TMPDIR", scratch.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped());
        let mut child = command.spawn().expect("the binary starts");
        let welcome = welcome(&mut child);
        Self {
            child,
            welcome,
            scratch,
        }
    }

    fn result_field(&self, member: &str) -> &str {
        self.welcome[member]
            .as_str()
            .unwrap_or_else(|| panic!("no {member} in {}", self.welcome))
    }

    /// Returns the demo platform's verdict on its first wallet.
    fn verdict(&self) -> Value {
        let page = self
            .result_field("page")
            .split("/?")
            .next()
            .expect("the page's origin");
        let url = format!(
            "{page}/demo/verdict?address={}",
            self.result_field("eoa_address")
        );
        http::get(&http::agent(), &url, &[])
            .expect("the page answers")
            .json()["body"]["data"]
            .clone()
    }

    fn stop(&mut self) -> Option<i32> {
        process::send(Signal::TERM, self.child.id()).expect("the demo runs");
        self.child.wait().expect("the demo ends").code()
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Page for Demo {
    type End = ();

    fn address(&self) -> String {
        self.result_field("page").to_owned()
    }

    fn button(&self) -> Colour {
        [0x33, 0x46, 0xc9]
    }

    /// The wallet button precedes it.
    fn tabs(&self) -> usize {
        2
    }

    /// The reward has a green background, which appears only after the claim.
    fn end(&self, screen: &Screen, wait: Duration) -> Option<()> {
        std::thread::sleep(wait);
        screen
            .glance(&[[0xe2, 0xf5, 0xea]], |area| {
                area.width >= 300 && area.height >= 60
            })
            .map(|_| ())
    }
}

/// Reads the document that the demo prints once everything runs; the output stays open afterwards.
fn welcome(child: &mut Child) -> Value {
    let mut output = child.stdout.take().expect("a piped output");
    let mut output_bytes = Vec::new();
    let mut byte = [0];
    while output.read(&mut byte).expect("the demo's output") == 1 {
        output_bytes.push(byte[0]);
        if byte[0] == b'\n'
            && let Ok(document) = serde_json::from_slice(&output_bytes)
        {
            return document;
        }
    }
    panic!(
        "the demo ended before it was ready: {}",
        String::from_utf8_lossy(&output_bytes)
    );
}

#[test]
fn demo_runs_from_start_to_curl_verdict() {
    if !needs(test_name!()) {
        return;
    }
    let mut demo = Demo::start();
    let message = robot::run(demo.result_field("page"), Display::Headless);
    assert_eq!(message, "We could not complete this claim.");

    let curl_output = Command::new("bash")
        .args(["-c", demo.result_field("curl")])
        .output()
        .expect("curl runs");
    let answer = String::from_utf8_lossy(&curl_output.stdout);
    assert!(
        answer.starts_with(r#"{"success":true,"data":{"isBot":true,"confidence":{"score":"#),
        "{answer}"
    );

    let mut explain = Command::new("bash");
    command::remove_variables(&mut explain).args(["-c", demo.result_field("explain")]);
    let output = explain.output().expect("the command runs");
    let reasons = String::from_utf8_lossy(&output.stdout);
    assert!(
        output.status.success() && reasons.contains("bot"),
        "{reasons}{}",
        String::from_utf8_lossy(&output.stderr)
    );

    assert_eq!(demo.stop(), Some(0));
    let remaining_files: Vec<_> = std::fs::read_dir(demo.scratch.path())
        .expect("the temporary folder")
        .collect();
    assert!(
        remaining_files.is_empty(),
        "the demo left {remaining_files:?}"
    );
}

#[test]
fn demo_serves_the_robot_and_a_second_wallet() {
    if !needs(test_name!()) {
        return;
    }
    let demo = Demo::start();
    let page = demo
        .result_field("page")
        .split("/?")
        .next()
        .expect("the page's origin")
        .to_owned();
    let get = |path: &str| {
        http::get(&http::agent(), &format!("{page}{path}"), &[]).expect("the page answers")
    };
    let script = get("/demo/robot.mjs");
    assert_eq!(script.body, robot::ROBOT);
    let config = get("/demo/config").json();
    let command = config["botCommands"][1]["command"]
        .as_str()
        .expect("a command to copy")
        .to_owned();
    let wallet = config["botCommands"][1]["address"]
        .as_str()
        .expect("its wallet");
    assert_ne!(wallet, demo.result_field("eoa_address"));

    robot::in_shell(&command);
    let verdict = get(&format!("/demo/verdict?address={wallet}")).json();
    assert_eq!(verdict["body"]["data"]["isBot"], true, "{verdict}");
}

#[test]
fn robot_in_a_window_is_a_bot_to_the_demo() {
    if !needs(test_name!()) {
        return;
    }
    let demo = Demo::start();
    let screen = Screen::open();
    robot::run(demo.result_field("page"), Display::On(screen.display()));
    assert_eq!(demo.verdict()["isBot"], true);
}

#[test]
fn person_gets_the_badge_of_the_demo_with_a_mouse() {
    let Some(corpus) = requirements::recordings(test_name!()) else {
        return;
    };
    let demo = Demo::start();
    visitor::with_a_mouse(&demo, &corpus);
    assert_eq!(demo.verdict()["isBot"], false);
}

#[test]
fn demo_badge_is_reachable_by_keyboard() {
    if !needs(test_name!()) {
        return;
    }
    let demo = Demo::start();
    visitor::with_a_keyboard(&demo);
    assert_eq!(demo.verdict()["isBot"], false);
}

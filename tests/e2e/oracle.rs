//! The window's API reveals nothing about an address.
//!
//! Each value that a stranger can observe has the same distribution for addresses that were never checked, that have the
//! verdict
//! of a human or a bot, that are uncertain, and that were erased.

mod evidence;
mod foreign_ids;
mod observed;
mod shape;
mod stats;
mod visits;
mod wire;

use evidence::IntendedFinding;
use observed::Observed;
use serde_json::json;
use std::{env, fs};
use visits::{Visit, visit_all};
use voight_tests::server::{Server, TestAccount};
use voight_tests::{http, tier};

/// State of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    Unknown,
    Human,
    Unsure,
    Flagged,
    Erased,
}

const STATES: [State; 5] = [
    State::Unknown,
    State::Human,
    State::Unsure,
    State::Flagged,
    State::Erased,
];
/// Number of concurrent checks of each kind: a challenge is valid for five minutes.
const AT_ONCE: usize = 250;

fn volume() -> usize {
    env::var("VOIGHT_ORACLE_CALLS").map_or(tier::volume(60, 2_000), |calls| {
        calls.parse().expect("a number")
    })
}

/// Returns the address with this number in a state.
fn address(state: State, number: usize) -> String {
    format!("0x{:02x}{:038x}", 0xa0 + state as u8, number + 1)
}

#[test]
fn window_leaks_nothing_about_an_address() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let server = Server::start_with(&folder.path().join("data"), |command| {
        let settings = [
            ("LIMITS__ENABLED", "false"),
            ("CHECKS__PROOF_OF_WORK_BITS", "1"),
            ("SERVER__TRUSTED_PROXIES", "127.0.0.1/32"),
        ];
        for (name, value) in settings {
            command.env(format!("VOIGHT__{name}"), value);
        }
    });
    let account = server.account("acme");
    let calls = volume();
    let mut observations = Observed::default();
    for start in (0..calls).step_by(AT_ONCE) {
        let numbers = start..calls.min(start + AT_ONCE);
        prepare(&server, &account, &numbers.clone().collect::<Vec<_>>());
        let mut visits: Vec<_> = numbers
            .flat_map(|number| {
                let mut round = STATES.map(|state| {
                    Visit::new(
                        state as usize,
                        address(state, number),
                        IntendedFinding::Human,
                    )
                });
                fastrand::shuffle(&mut round);
                round
            })
            .collect();
        visit_all(&server, &account.context, &mut visits, &mut observations);
    }
    for line in observations.summary(&STATES.map(|state| format!("{state:?}"))) {
        println!("{line}");
    }
    let leaks = observations.leaks(&STATES.map(|state| format!("{state:?}")));
    assert!(
        leaks.is_empty(),
        "the window's API tells addresses apart:\n{}",
        leaks.join("\n")
    );
}

/// Erases addresses by the admin API: a command would start a process for each.
fn erase(server: &Server, addresses: impl Iterator<Item = String>) {
    let token = fs::read_to_string(server.data_dir().join("admin.token")).expect("the admin token");
    let bearer = format!("Bearer {}", token.trim());
    let headers = [
        ("authorization", bearer.as_str()),
        ("content-type", "application/json"),
    ];
    let agent = http::agent();
    let url = format!("{}/admin/v1/erasures", server.admin_url());
    for address in addresses {
        let body = json!({"address": address, "reason": "a test", "dry_run": false}).to_string();
        let answer = http::post(&agent, &url, &headers, body.as_bytes())
            .expect("the admin listener answers");
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
}

/// Brings these addresses into each state.
fn prepare(server: &Server, account: &TestAccount, numbers: &[usize]) {
    let findings = [
        (State::Human, IntendedFinding::Human),
        (State::Unsure, IntendedFinding::Nothing),
        (State::Flagged, IntendedFinding::Bot),
        (State::Erased, IntendedFinding::Bot),
    ];
    let of = |(state, finding)| {
        numbers
            .iter()
            .map(move |number| Visit::new(0, address(state, *number), finding))
    };
    let mut visits: Vec<_> = findings.into_iter().flat_map(of).collect();
    visit_all(
        server,
        &account.context,
        &mut visits,
        &mut Observed::default(),
    );
    erase(
        server,
        numbers.iter().map(|number| address(State::Erased, *number)),
    );
    for state in STATES {
        let answer = server.look_up(account, &address(state, numbers[0])).json()["data"].take();
        let is_bot = matches!(state, State::Flagged | State::Erased);
        let has_score = is_bot || state == State::Human;
        let score = answer["confidence"]["score"].as_f64().expect("a score");
        assert_eq!(
            (answer["isBot"].as_bool(), score > 0.0),
            (Some(is_bot), has_score),
            "{state:?}: {answer}"
        );
    }
}

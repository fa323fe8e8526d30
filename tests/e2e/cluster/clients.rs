//! Clients that retry each of their lookups until it is answered, at one node after the other.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;
use voight_tests::http::{self, Response};
use voight_tests::server::TestAccount;

/// Outcome at a service that is temporarily unavailable, with `Retry-After`.
pub(crate) const UNAVAILABLE: &str = "503 UNAVAILABLE";
/// Outcome at a process that does not run.
pub(crate) const REFUSED: &str = "connection refused";
/// Outcome at a process that ended before its response.
pub(crate) const CUT_OFF: &str = "connection cut off";
/// Interval of two lookups of a client, so that some are in flight for the duration of a fault.
const PACE: Duration = Duration::from_millis(50);
/// Interval of two attempts.
const PAUSE: Duration = Duration::from_millis(20);
/// Maximum attempts of a lookup: far more than any fault of these tests needs.
const ATTEMPTS: usize = 3_000;

/// Lookups of one account, each with an idempotency key.
pub(crate) struct Clients<'a> {
    nodes: &'a [String],
    account: &'a TestAccount,
    lookups: usize,
    next: AtomicUsize,
    done: AtomicUsize,
    /// Ledger rows of the answered lookups, by their numbers.
    rows: Mutex<BTreeMap<usize, u64>>,
    /// Counts of the outcomes.
    seen: Mutex<BTreeMap<String, usize>>,
}

impl<'a> Clients<'a> {
    /// Creates `lookups` lookups, at these nodes.
    pub(crate) fn new(account: &'a TestAccount, nodes: &'a [String], lookups: usize) -> Self {
        let (next, done, rows, seen) = Default::default();
        Self {
            nodes,
            account,
            lookups,
            next,
            done,
            rows,
            seen,
        }
    }

    /// Sends one lookup after the other, until all are sent.
    pub(crate) fn send_lookups(&self) {
        let agent = http::agent();
        loop {
            let number = self.next.fetch_add(1, Ordering::SeqCst);
            if number >= self.lookups {
                return;
            }
            self.ask_for(&agent, number);
            self.done.fetch_add(1, Ordering::SeqCst);
            thread::sleep(PACE);
        }
    }

    /// Returns the number of lookups that were answered or finally rejected.
    pub(crate) fn completed(&self) -> usize {
        self.done.load(Ordering::SeqCst)
    }

    /// Returns the total number of lookups.
    pub(crate) fn total(&self) -> usize {
        self.lookups
    }

    /// Returns the distinct row numbers of the responses, in their order.
    pub(crate) fn rows(&self) -> Vec<u64> {
        let mut rows: Vec<_> = self
            .rows
            .lock()
            .expect("no panic")
            .values()
            .copied()
            .collect();
        rows.sort_unstable();
        rows
    }

    /// Returns all kinds of outcomes.
    pub(crate) fn outcomes(&self) -> Vec<String> {
        self.seen
            .lock()
            .expect("no panic")
            .keys()
            .cloned()
            .collect()
    }

    /// Returns the counts of the outcomes, for the output of the test.
    pub(crate) fn report(&self) -> String {
        let outcomes = self.seen.lock().expect("no panic");
        outcomes
            .iter()
            .map(|(what, times)| format!("{times} x {what}"))
            .collect::<Vec<_>>()
            .join(", ")
    }

    fn ask_for(&self, agent: &ureq::Agent, number: usize) {
        for attempt in 0..ATTEMPTS {
            let answer = look_up(
                agent,
                &self.nodes[(number + attempt) % self.nodes.len()],
                self.account,
                number,
            );
            *self
                .seen
                .lock()
                .expect("no panic")
                .entry(describe_response(&answer))
                .or_default() += 1;
            match answer {
                Ok(answer) if answer.status == 200 => {
                    self.rows
                        .lock()
                        .expect("no panic")
                        .insert(number, row(&answer));
                    return;
                }
                Ok(answer) if answer.status == 402 => return,
                Ok(answer) => {
                    let says_when = answer.header("retry-after").is_some();
                    assert!(answer.status == 503 && says_when, "{answer:?}");
                }
                Err(_) => {}
            }
            thread::sleep(PAUSE);
        }
        panic!("no node answers lookup {number}: {}", self.report());
    }
}

/// Looks up an address, with the number as its idempotency key.
pub(crate) fn look_up(
    agent: &ureq::Agent,
    node: &str,
    account: &TestAccount,
    number: usize,
) -> Result<Response, ureq::Error> {
    let url = format!(
        "{node}/api/v1/users/eoa?eoa_address=0x{number:040x}&context_id={}",
        account.context
    );
    let key = format!("request-{number}");
    http::get(
        agent,
        &url,
        &[
            ("x-api-key", account.key.as_str()),
            ("idempotency-key", key.as_str()),
        ],
    )
}

/// Describes an outcome: a status with its error, or the failure of the connection.
pub(crate) fn describe_response(answer: &Result<Response, ureq::Error>) -> String {
    match answer {
        Ok(answer) if answer.status == 200 => "200".to_owned(),
        Ok(answer) => format!(
            "{} {}",
            answer.status,
            answer.json()["error"]["code"].as_str().unwrap_or_default()
        ),
        Err(ureq::Error::Io(error)) if error.kind() == std::io::ErrorKind::ConnectionRefused => {
            REFUSED.to_owned()
        }
        Err(ureq::Error::Timeout(_)) => "time-out".to_owned(),
        Err(_) => CUT_OFF.to_owned(),
    }
}

fn row(answer: &Response) -> u64 {
    let meter = answer
        .header("voight-meter")
        .expect("every 200 names its row");
    let (row, _) = meter
        .trim_start_matches("seq=")
        .split_once(',')
        .expect("a row and a head");
    row.parse().expect("a number")
}

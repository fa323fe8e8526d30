//! A hanging worker affects its own clients only.

use crate::citus::durability::wait_for_share;
use crate::citus::stage::Stage;
use crate::cluster::clients::look_up;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use voight_tests::http;
use voight_tests::server::TestAccount;
use voight_tests::test_name;

const CLIENTS: usize = 24;
const HANGS: Duration = Duration::from_secs(25);
const PACE: Duration = Duration::from_millis(100);
const MOST: Duration = Duration::from_secs(1);
/// Maximum time until a client of the hanging worker gets its 503.
const BUDGET: Duration = Duration::from_secs(20);

/// Durations of answers with their status codes.
type Answers = Mutex<Vec<(Duration, u16)>>;

fn ask(url: &str, account: &TestAccount, answers: &Answers, is_over: &AtomicBool) {
    let agent = http::agent();
    for number in 0.. {
        if is_over.load(Ordering::Relaxed) {
            return;
        }
        let start = Instant::now();
        let status = look_up(&agent, url, account, number).map_or(0, |answer| answer.status);
        answers
            .lock()
            .expect("no panic")
            .push((start.elapsed(), status));
        thread::sleep(PACE);
    }
}

/// Figures of the answers of one worker's clients.
struct AnswerSummary {
    count: usize,
    /// Number of answers that are not 200.
    rejected: usize,
    p50: Duration,
    p99: Duration,
    /// Longest durations, the longest first.
    longest: Vec<Duration>,
}

impl AnswerSummary {
    fn new(answers: Answers) -> Self {
        let mut answers = answers.into_inner().expect("no panic");
        answers.sort_unstable();
        let quantile = |share: usize| answers[answers.len() * share / 1000].0;
        Self {
            count: answers.len(),
            rejected: answers.iter().filter(|(_, status)| *status != 200).count(),
            p50: quantile(500),
            p99: quantile(990),
            longest: answers
                .iter()
                .rev()
                .take(8)
                .map(|answer| answer.0)
                .collect(),
        }
    }
}

impl fmt::Display for AnswerSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} answers, {} not 200, p50 {:?}, p99 {:?}, longest {:?}",
            self.count, self.rejected, self.p50, self.p99, self.longest
        )
    }
}

#[test]
fn hanging_worker_affects_only_its_clients() {
    let Some(stage) = Stage::on_coordinator(test_name!()) else {
        return;
    };
    let node = stage.nodes.start("a");
    let accounts: Vec<_> = (0..CLIENTS)
        .map(|number| node.account(&format!("client-{number}")))
        .collect();
    let on: Vec<_> = accounts
        .iter()
        .map(|account| stage.citus.worker_of(&account.client).expect("a worker"))
        .collect();
    let answers_of_worker = Answers::default();
    let answers_of_others = Answers::default();
    let is_over = AtomicBool::new(false);
    let url = node.url();
    thread::scope(|scope| {
        for (account, worker) in accounts.iter().zip(&on) {
            let answers = if *worker == 1 {
                &answers_of_worker
            } else {
                &answers_of_others
            };
            let url = &url;
            let is_over = &is_over;
            scope.spawn(move || ask(url, account, answers, is_over));
        }
        thread::sleep(Duration::from_secs(3));
        stage.citus.workers[1].pause();
        let (status, body) = wait_for_share(&node, 50);
        assert_eq!((status, &body["degraded"]), (200, &true.into()), "{body}");
        thread::sleep(HANGS);
        stage.citus.workers[1].resume();
        wait_for_share(&node, 0);
        thread::sleep(Duration::from_secs(2));
        is_over.store(true, Ordering::Relaxed);
    });
    let others = AnswerSummary::new(answers_of_others);
    let affected = AnswerSummary::new(answers_of_worker);
    println!("clients of the other worker: {others}\nof the hanging worker: {affected}");
    let longest = affected.longest[0];
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let figures = serde_json::json!({
        "hangs_seconds": HANGS.as_secs(), "clients": CLIENTS,
        "others_answers": others.count, "others_not_200": others.rejected,
        "others_p99_ms": millis(others.p99), "others_longest_ms": millis(others.longest[0]), "own_longest_ms": millis(longest),
    });
    crate::citus::figures::note("hang", &figures);
    assert!(
        others.rejected == 0 && others.p99 < MOST,
        "the other worker's clients: {} rejected, p99 {:?}",
        others.rejected,
        others.p99
    );
    assert!(
        longest < BUDGET,
        "a client of the worker waited for {longest:?}"
    );
    stage.nodes.verify("a");
}

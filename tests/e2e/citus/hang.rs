//! A hanging worker affects its own clients only.

use crate::citus::durability::wait_for_share;
use crate::citus::stage::Stage;
use crate::cluster::clients::look_up;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use voight_tests::http;
use voight_tests::server::TestAccount;

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
        let begun = Instant::now();
        let status = look_up(&agent, url, account, number).map_or(0, |answer| answer.status);
        answers
            .lock()
            .expect("no panic")
            .push((begun.elapsed(), status));
        thread::sleep(PACE);
    }
}

#[test]
fn hanging_worker_affects_only_its_clients() {
    let Some(stage) = Stage::on_coordinator("hanging_worker_affects_only_its_clients") else {
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
    let own = Answers::default();
    let others = Answers::default();
    let is_over = AtomicBool::new(false);
    let url = node.url();
    thread::scope(|scope| {
        for (account, worker) in accounts.iter().zip(&on) {
            let answers = if *worker == 1 { &own } else { &others };
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
    let summary = |answers: Answers| {
        let mut answers = answers.into_inner().expect("no panic");
        answers.sort_unstable();
        let refused = answers.iter().filter(|(_, status)| *status != 200).count();
        let at = |share: usize| answers[answers.len() * share / 1000].0;
        let count = answers.len();
        let longest = answers[answers.len() - 1].0;
        for (took, _) in answers.iter().rev().take(8) {
            println!("one took {took:?}");
        }
        println!(
            "{count} answers, {refused} not 200, p50 {:?}, p99 {:?}, longest {longest:?}",
            at(500),
            at(990)
        );
        (count, refused, at(990), longest)
    };
    let (answers, refused, p99, others_longest) = summary(others);
    let (_, _, _, longest) = summary(own);
    let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    let figures = serde_json::json!({
        "hangs_seconds": HANGS.as_secs(), "clients": CLIENTS,
        "others_answers": answers, "others_not_200": refused,
        "others_p99_ms": millis(p99), "others_longest_ms": millis(others_longest), "own_longest_ms": millis(longest),
    });
    crate::citus::figures::note("hang", &figures);
    assert!(
        refused == 0 && p99 < MOST,
        "the other worker's clients: {refused} refused, p99 {p99:?}"
    );
    assert!(
        longest < BUDGET,
        "a client of the worker waited for {longest:?}"
    );
    stage.nodes.verify("a");
}

//! README, executed: every block after a `<!-- run: … -->` line, in order, with only ports and ids replaced.

use crate::browser::document::{SERVICE, Shell};
use crate::browser::fixture::BrowserFixture;
use crate::browser::quest::QuestPage;
use crate::browser::requirements::needs;
use crate::browser::robot::{self, Display};
use voight_tests::guide::block;
use voight_tests::test_name;

const README: &str = include_str!("../../../README.md");
const CONTEXT: &str = "spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb";
/// Start of the answers that the README shows.
const ANSWERS: &str = "```json\n";

/// Runs a block that sets `KEY`, then registers a context; exports both, and returns the key and the context.
fn account(shell: &mut Shell<'_>, name: &str) -> (String, String) {
    let key = shell.run(&format!("{}\necho \"$KEY\"", block(README, name)));
    let key = key.lines().last().expect("a key").to_owned();
    shell.export("KEY", key.clone());
    let context = shell.run(block(README, "register"));
    assert!(context.starts_with("spring_quest."), "{context}");
    shell.export("CONTEXT", context.clone());
    (key, context)
}

#[test]
fn readme_is_executed() {
    if !needs(test_name!()) {
        return;
    }
    assert!(
        block(README, "serve").ends_with("voight serve &"),
        "the test starts the service in its own way"
    );
    let stage = BrowserFixture::with_client("another client");
    let mut shell = Shell::for_server(&stage.server);
    let (key, context) = account(&mut shell, "setup");
    assert!(key.starts_with("vgt_test_"), "{key}");

    let service = stage.service();
    let page = QuestPage::open_page(&service, |url| {
        let html = block(README, "page")
            .replace(SERVICE, &service)
            .replace(CONTEXT, &context);
        let html = html.replace("https://quest.example/spring", url);
        // Code of the page, which the README leaves to the reader.
        format!("<!doctype html><title>A quest</title>{html}<script src=/quest.js></script>")
    });
    robot::run(&page.url(), Display::Headless);
    page.ending().receipt();

    let documented_answer = README
        .split_once(ANSWERS)
        .expect("the answers")
        .1
        .split("\n```")
        .next();
    assert_eq!(
        Some(shell.run(block(README, "lookup")).as_str()),
        documented_answer
    );

    let (key, _) = account(&mut shell, "live");
    assert!(key.starts_with("vgt_live_"), "{key}");
    let verdicts = shell.run(block(README, "lookup"));
    assert!(
        !verdicts.contains("true,\"test\"") && !verdicts.contains(r#""isBot":true"#),
        "{verdicts}"
    );
}

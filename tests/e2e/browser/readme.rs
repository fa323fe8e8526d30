//! README, executed: every block after a `<!-- run: … -->` line, in order, with only ports and ids replaced.

use crate::browser::document::{SERVICE, Shell};
use crate::browser::fixture::BrowserFixture;
use crate::browser::quest::QuestPage;
use crate::browser::requirements::needs;
use crate::browser::robot::{self, Display};
use voight_tests::guide::block;

const README: &str = include_str!("../../../README.md");
const CONTEXT: &str = "spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb";
const WALLET: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[test]
fn readme_is_executed() {
    if !needs("readme_is_executed") {
        return;
    }
    assert!(block(README, "serve").ends_with("voight serve &"), "the test starts the service in its own way");
    let stage = BrowserFixture::with_client("another client");
    let mut shell = Shell::for_server(&stage.server);

    let key = shell.run(&format!("{}\necho \"$KEY\"", block(README, "setup")));
    let key = key.lines().last().expect("a key").to_owned();
    shell.export("KEY", key);
    let context = shell.run(block(README, "register"));
    assert!(context.starts_with("spring_quest."), "{context}");

    let service = stage.service();
    let page = QuestPage::open_page(&service, |url| {
        let html = block(README, "page").replace(SERVICE, &service).replace(CONTEXT, &context);
        let html = html.replace("https://quest.example/spring", url);
        // Code of the page, which the README leaves to the reader.
        format!("<!doctype html><title>A quest</title>{html}<script src=/quest.js></script>")
    });
    robot::run(&page.url(), Display::Headless);
    page.ending().receipt();

    shell.export("CONTEXT", context);
    let verdict = shell.run(block(README, "lookup"));
    assert!(verdict.starts_with(r#"{"success":true,"data":{"isBot":true,"#), "{verdict}");
    assert!(block(README, "lookup").contains(WALLET) && block(README, "page").contains(WALLET));
}

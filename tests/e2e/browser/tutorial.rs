//! Tutorial, executed: every block after a `<!-- run: … -->` line, in order, with only ports replaced.

use crate::browser::document::{SERVICE, Shell};
use crate::browser::fixture::BrowserFixture;
use crate::browser::requirements::needs;
use crate::browser::robot;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use voight_tests::guide::block;
use voight_tests::test_name;
use voight_tests::{http, ports};

const TUTORIAL: &str = include_str!("../../../docs/tutorial/protect-a-quest-page.md");
const PAGE: &str = "http://127.0.0.1:3000";
/// Wallets of the page with the answers that the tutorial lists for them.
const OUTCOMES: [(&str, &str); 4] = [
    (
        "0x1111111111111111111111111111111111111111",
        "The badge is yours.",
    ),
    (
        "0x2222222222222222222222222222222222222222",
        "We could not complete this claim.",
    ),
    (
        "0x3333333333333333333333333333333333333333",
        "Thanks! Your claim is waiting for a review.",
    ),
    (
        "0x52908400098527886E0F7030069857D2E4169EE7",
        "Thanks! Your claim is waiting for a review.",
    ),
];

/// Backend of the reader; stopped when dropped.
struct Backend(Child);

impl Backend {
    /// Starts the backend in the directory of its files, and waits until it answers at `page`.
    fn start(shell: &Shell<'_>, folder: &Path, page: &str) -> Self {
        let mut command = shell.command("node");
        command
            .arg("server.mjs")
            .current_dir(folder)
            .stdout(Stdio::inherit());
        let backend = Self(command.spawn().expect("node starts"));
        wait_for(page);
        backend
    }
}

impl Drop for Backend {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Runs a block that exports a key and a context, and exports them for the next commands. Returns the key.
fn export_account(shell: &mut Shell<'_>, name: &str) -> String {
    let output = shell.run(&format!(
        "{}\necho \"$CONTEXT\"\necho \"$KEY\"",
        block(TUTORIAL, name)
    ));
    let mut lines = output.lines().rev().map(str::to_owned);
    let key = lines.next().expect("a key");
    let context = lines.next().expect("a context");
    assert!(context.starts_with("first_quest."), "{output}");
    shell.export("KEY", key.clone());
    shell.export("CONTEXT", context);
    key
}

/// Saves the page and the backend as the reader does, with the port of this test.
fn save_files(shell: &Shell<'_>, port: u16) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let page = PAGE.replace("3000", &port.to_string());
    for (name, file) in [("page", "page.html"), ("server", "server.mjs")] {
        let text = block(TUTORIAL, name)
            .replace(SERVICE, &shell.service())
            .replace(PAGE, &page);
        let text = text.replace("listen(3000", &format!("listen({port}"));
        std::fs::write(folder.path().join(file), text).expect("the reader saves the file");
    }
    folder
}

#[test]
fn tutorial_is_executed() {
    if !needs(test_name!()) {
        return;
    }
    assert!(
        block(TUTORIAL, "serve").ends_with("voight serve &"),
        "the test starts the service in its own way"
    );
    assert_eq!(
        (block(TUTORIAL, "start"), block(TUTORIAL, "stop")),
        ("node server.mjs &", "kill $!")
    );
    let stage = BrowserFixture::with_client("another client");
    let mut shell = Shell::for_server(&stage.server);
    assert!(export_account(&mut shell, "account").starts_with("vgt_test_"));

    let port = ports::free();
    let page = PAGE.replace("3000", &port.to_string());
    let folder = save_files(&shell, port);
    let sandbox = Backend::start(&shell, folder.path(), &page);
    for (wallet, answer) in OUTCOMES {
        assert!(
            block(TUTORIAL, "page").contains(wallet)
                && TUTORIAL.contains(&format!(" | {answer} |")),
            "{wallet}"
        );
    }
    let answers = robot::claim_with(&page, &OUTCOMES.map(|(wallet, _)| wallet));
    assert_eq!(answers, OUTCOMES.map(|(_, answer)| answer));
    assert_eq!(
        shell.run(&block(TUTORIAL, "skip").replace(PAGE, &page)),
        "Please do the check first."
    );
    drop(sandbox);

    assert!(export_account(&mut shell, "live").starts_with("vgt_live_"));
    let _live = Backend::start(&shell, folder.path(), &page);
    let human = OUTCOMES[0].0;
    let bot = OUTCOMES[1].1;
    assert_eq!(
        robot::claim_with(&page, &[human]),
        [bot],
        "a magic address is an ordinary one"
    );
}

fn wait_for(page: &str) {
    for _ in 0..400 {
        if http::get(&http::agent(), page, &[]).is_ok() {
            return;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    panic!("the reader's backend does not answer after twenty seconds");
}

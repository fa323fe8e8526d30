//! Tutorial, executed and timed: every block after a `<!-- run: … -->` line, in order, with only ports replaced.

use crate::browser::document::{SERVICE, Shell};
use crate::browser::fixture::BrowserFixture;
use crate::browser::requirements::needs;
use crate::browser::robot::{self, Display};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use voight_tests::guide::block;
use voight_tests::{http, ports};

const TUTORIAL: &str = include_str!("../../../docs/tutorial/protect-a-quest-page.md");
const PAGE: &str = "http://127.0.0.1:3000";
/// Duration that the tutorial promises; its blocks are the automatic part of it.
const PROMISED: Duration = Duration::from_mins(10);

/// Backend of the reader; stopped when dropped.
struct Backend(Child);

impl Drop for Backend {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn tutorial_is_executed() {
    if !needs("tutorial_is_executed") {
        return;
    }
    #[expect(clippy::disallowed_methods, reason = "the tutorial promises a time")]
    let began = Instant::now();
    assert!(block(TUTORIAL, "serve").ends_with("voight serve &"), "the test starts the service in its own way");
    let stage = BrowserFixture::with_client("another client");
    let mut shell = Shell::for_server(&stage.server);
    let exported = shell.run(&format!("{}\necho \"$KEY\"", block(TUTORIAL, "account")));
    let mut lines = exported.lines().rev();
    let (key, context) = (lines.next().expect("a key"), lines.next().expect("a context"));
    assert!(key.starts_with("vgt_live_") && context.starts_with("first_quest."), "{exported}");
    shell.export("KEY", key.to_owned());
    shell.export("CONTEXT", context.to_owned());

    let folder = tempfile::tempdir().expect("a temporary folder");
    let port = ports::free();
    let page = PAGE.replace("3000", &port.to_string());
    for (name, file) in [("page", "page.html"), ("server", "server.mjs")] {
        let text = block(TUTORIAL, name).replace(SERVICE, &shell.service()).replace(PAGE, &page);
        let text = text.replace("listen(3000", &format!("listen({port}"));
        std::fs::write(folder.path().join(file), text).expect("the reader saves the file");
    }
    assert_eq!(block(TUTORIAL, "start"), "node server.mjs &");
    let mut command = shell.command("node");
    command.arg("server.mjs").current_dir(folder.path()).stdout(Stdio::inherit());
    let _backend = Backend(command.spawn().expect("node starts"));
    wait_for(&page);

    assert_eq!(robot::run(&format!("{page}/"), Display::Headless), "A person will review your claim.");
    assert_eq!(shell.run(&block(TUTORIAL, "skip").replace(PAGE, &page)), "Please do the check first.");
    let took = began.elapsed();
    println!("the tutorial's blocks took {:.1} s beside the build", took.as_secs_f64());
    assert!(took < PROMISED, "{took:?}");
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

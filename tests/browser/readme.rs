//! The README, executed: every block after a `<!-- run: … -->` line, in order, only ports and ids replaced.

use crate::needs::needs;
use crate::quest::Quest;
use crate::robot::{self, Shown};
use crate::stage::Stage;
use std::process::Command;
use voight_tests::paths;

const README: &str = include_str!("../../README.md");
const SERVICE: &str = "http://localhost:8080";
const CONTEXT: &str = "spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb";
const WALLET: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// The block that follows `<!-- run: name -->`.
fn block(name: &str) -> &'static str {
    let marker = format!("<!-- run: {name} -->\n```");
    let (_, rest) = README.split_once(&marker).unwrap_or_else(|| panic!("the README has no block {name}"));
    let (_, rest) = rest.split_once('\n').expect("a fence");
    rest.split_once("\n```").expect("the end of the block").0
}

/// A shell as a reader of the README has it: `voight` on the path, the service running.
struct Shell<'a> {
    stage: &'a Stage,
    variables: Vec<(&'static str, String)>,
}

impl Shell<'_> {
    fn run(&self, script: &str) -> String {
        let script = script.replace(SERVICE, &self.stage.service());
        let folder = paths::binary().parent().expect("the binary's folder").to_owned();
        let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
        let mut command = Command::new("bash");
        command.args(["-eu", "-c", &script]).env("PATH", path);
        command.env("VOIGHT__STORE__DATA_DIR", self.stage.server.data_dir());
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        let output = command.output().expect("bash runs");
        assert!(output.status.success(), "{script}\n{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("text").trim().to_owned()
    }
}

#[test]
fn the_readme_leads_from_nothing_to_a_verdict_for_your_own_page() {
    if !needs("the_readme_leads_from_nothing_to_a_verdict_for_your_own_page") {
        return;
    }
    assert!(block("serve").ends_with("voight serve &"), "the test starts the service in its own way");
    let stage = Stage::with_client("somebody else");
    let mut shell = Shell { stage: &stage, variables: Vec::new() };

    let key = shell.run(&format!("{}\necho \"$KEY\"", block("setup")));
    let key = key.lines().last().expect("a key").to_owned();
    shell.variables.push(("KEY", key));
    let registered: serde_json::Value = serde_json::from_str(&shell.run(block("register"))).expect("JSON");
    let context = registered["data"]["context_id"].as_str().unwrap_or_else(|| panic!("{registered}")).to_owned();
    assert!(context.starts_with("spring_quest."));

    let service = stage.service();
    let page = Quest::open_page(&service, |url| {
        let html = block("page").replace(SERVICE, &service).replace(CONTEXT, &context);
        let html = html.replace("https://quest.example/spring", url);
        // The page's own code, which the README leaves to the reader.
        format!("<!doctype html><title>A quest</title>{html}<script src=/quest.js></script>")
    });
    robot::run(&page.url(), Shown::Headless);
    page.ending().receipt();

    shell.variables.push(("CONTEXT", context));
    let verdict = shell.run(block("lookup"));
    assert!(verdict.starts_with(r#"{"success":true,"data":{"isBot":true,"#), "{verdict}");
    assert!(block("lookup").contains(WALLET) && block("page").contains(WALLET));
}

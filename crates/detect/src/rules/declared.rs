//! Declared automation: the closed list of hard rules, and similar soft rules.

use crate::facts::CheckFacts;

/// Agent names that declare the absence of a visitor.
const AGENTS: [&str; 8] = [
    "headless",
    "phantomjs",
    "slimerjs",
    "htmlunit",
    "jsdom/",
    "happydom",
    "puppeteer",
    "playwright",
];
/// Prefixes of names that only drivers leave in a window or document.
const GLOBALS: [&str; 21] = [
    "cdc_",
    "$cdc_",
    "$chrome_asyncScriptInfo",
    "__$webdriverAsyncExecutor",
    "ret_nodes",
    "se_exportedFunctionSymbol",
    "__pwInitScripts",
    "__pw_",
    "__playwright",
    "__puppeteer",
    "__webdriver",
    "__selenium",
    "_selenium",
    "_Selenium",
    "callSelenium",
    "calledSelenium",
    "__driver_",
    "__fxdriver",
    "__nightmare",
    "domAutomation",
    "__lastWatir",
];
/// Complete names that only drivers leave: names of wallets may start with them.
const WHOLE_GLOBALS: [&str; 2] = ["_phantom", "callPhantom"];
/// Callers of document methods that only drivers have.
const CALLERS: [&str; 5] = [
    "pptr:",
    "__puppeteer_evaluation",
    "__playwright_evaluation",
    "UtilityScript",
    "__selenium",
];

/// Matches if `navigator.webdriver` is true.
pub(super) fn webdriver(facts: &CheckFacts) -> Option<String> {
    let page = facts
        .envs()
        .filter_map(|env| env.webdriver.as_ref())
        .any(|webdriver| webdriver.value == Some(true));
    let copy = facts.copies().any(|copy| copy.webdriver == Some(true));
    match (page, copy) {
        (true, _) => Some("navigator.webdriver is true".to_owned()),
        (false, true) => Some("navigator.webdriver is true in a worker or nested frame".to_owned()),
        (false, false) => None,
    }
}

/// Matches if an agent string, client hint or header names a headless browser.
pub(super) fn headless_agent(facts: &CheckFacts) -> Option<String> {
    let copied_agents = facts.copies().filter_map(|copy| copy.ua.as_deref());
    let hints = facts.envs().filter_map(|env| env.hints.as_ref());
    let brand_lists = hints
        .flat_map(|hints| [&hints.brands, &hints.full_versions])
        .flatten();
    let brands = brand_lists.flat_map(|list| list.iter().map(|brand| &*brand.name));
    let sent_agents = facts
        .calls
        .iter()
        .flat_map(|call| ["user-agent", "sec-ch-ua"].map(|name| call.get(name)))
        .flatten();
    let texts = facts
        .envs()
        .filter_map(|env| env.ua.as_deref())
        .chain(copied_agents)
        .chain(brands)
        .chain(sent_agents);
    let mut texts = texts.filter(|text| is_headless(text));
    texts
        .next()
        .map(|text| format!("the agent calls itself {:?}", shortened(text)))
}

/// Matches if a call names a program other than a browser: all browsers start with `Mozilla/`.
pub(super) fn tool_agent(facts: &CheckFacts) -> Option<String> {
    let mut sent_agents = facts
        .calls
        .iter()
        .filter_map(|call| call.get("user-agent"))
        .map(str::trim);
    let tool = sent_agents.find(|agent| !agent.is_empty() && !agent.starts_with("Mozilla/"))?;
    Some(format!("a call came from {:?}", shortened(tool)))
}

fn is_headless(agent: &str) -> bool {
    let agent = agent.to_ascii_lowercase();
    AGENTS.iter().any(|name| agent.contains(name))
}

/// Matches if a driver's names are in the window or its document.
pub(super) fn automation_globals(facts: &CheckFacts) -> Option<String> {
    let mut driver_names = names(facts).filter(|name| is_driver(name));
    driver_names
        .next()
        .map(|name| format!("a driver left {:?}", shortened(name)))
}

/// Matches names that resemble a driver's but may have another origin.
pub(super) fn suspect_globals(facts: &CheckFacts) -> Option<String> {
    let mut globals = facts
        .probes()
        .filter_map(|probe| probe.globals.as_ref())
        .flat_map(|list| list.iter());
    globals
        .find(|name| !is_driver(name))
        .map(|name| format!("the window has {:?}", shortened(name)))
}

fn names(facts: &CheckFacts) -> impl Iterator<Item = &str> {
    let lists = facts
        .probes()
        .flat_map(|probe| [&probe.globals, &probe.document_keys])
        .flatten();
    lists.flat_map(|list| list.iter().map(|name| &**name))
}

fn is_driver(name: &str) -> bool {
    WHOLE_GLOBALS.contains(&name) || GLOBALS.iter().any(|prefix| name.starts_with(prefix))
}

/// Matches if a driver's script accessed the document.
pub(super) fn driver_stack(facts: &CheckFacts) -> Option<String> {
    let mut stacks = facts
        .probes()
        .filter_map(|probe| probe.stacks.as_ref())
        .flat_map(|list| list.iter());
    let stack = stacks.find(|stack| CALLERS.iter().any(|caller| stack.contains(caller)))?;
    Some(format!("a driver's script called {:?}", shortened(stack)))
}

/// Returns at most 80 characters of untrusted text.
pub(super) fn shortened(text: &str) -> String {
    text.chars().take(80).collect()
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;
    use serde_json::json;

    #[test]
    fn webdriver_true_is_found_wherever_it_is() {
        assert_eq!(CheckBuilder::person().fires("webdriver"), None);
        let mut draft = CheckBuilder::person();
        draft.first["env"]["webdriver"]["value"] = true.into();
        assert!(draft.fires("webdriver").is_some());
        for copy in ["worker", "frame"] {
            let mut draft = CheckBuilder::person();
            draft.first["env"][copy]["webdriver"] = true.into();
            assert!(draft.fires("webdriver").is_some(), "{copy}");
        }
        let mut missing = CheckBuilder::person();
        missing.first["env"]
            .as_object_mut()
            .unwrap()
            .remove("webdriver");
        assert_eq!(missing.fires("webdriver"), None);
    }

    #[test]
    fn headless_agent_is_found_in_all_sources() {
        const HEADLESS: &str = "Mozilla/5.0 HeadlessChrome/156.0.0.0";
        assert_eq!(CheckBuilder::person().fires("headless_agent"), None);
        let mut drafts = vec![CheckBuilder::person(); 4];
        drafts[0].first["env"]["ua"] = HEADLESS.into();
        drafts[1].first["env"]["worker"]["ua"] = HEADLESS.into();
        drafts[2].first["env"]["hints"]["brands"] = json!([["HeadlessChrome", "156"]]);
        drafts[3].headers[0].1 = HEADLESS.into();
        for draft in drafts {
            assert!(draft.fires("headless_agent").is_some());
        }
        let mut missing = CheckBuilder::person();
        missing.first["env"] = json!({});
        missing.headers.clear();
        assert_eq!(missing.fires("headless_agent"), None);
    }

    #[test]
    fn a_program_that_is_no_browser_is_seen() {
        assert_eq!(CheckBuilder::person().fires("tool_agent"), None);
        for (agent, fires) in [
            ("curl/8.9", true),
            ("Python-urllib/3.11", true),
            ("", false),
            ("Mozilla/4.0", false),
        ] {
            let mut draft = CheckBuilder::person();
            draft.headers[0].1 = agent.into();
            assert_eq!(draft.fires("tool_agent").is_some(), fires, "{agent:?}");
        }
    }

    #[test]
    fn driver_names_are_found_at_any_moment() {
        assert_eq!(CheckBuilder::person().fires("automation_globals"), None);
        for name in [
            "cdc_adoQpoasnfa76pfcZLmcfl_Array",
            "ret_nodes",
            "__pwInitScripts",
            "__playwright_builtins__",
        ] {
            let mut at_submit = CheckBuilder::person();
            at_submit.second["env"]["atSubmit"]["globals"] = json!([name]);
            let mut at_load = CheckBuilder::person();
            at_load.first["env"]["atLoad"]["documentKeys"] = json!([name]);
            assert!(
                at_submit.fires("automation_globals").is_some()
                    && at_load.fires("automation_globals").is_some()
            );
        }
    }

    #[test]
    fn wallet_with_driver_prefix_is_innocent() {
        for (name, hard) in [
            ("_phantom", true),
            ("callPhantom", true),
            ("_phantomInpage", false),
            ("_phantom_wallet", false),
        ] {
            let mut draft = CheckBuilder::person();
            draft.second["env"]["atSubmit"]["globals"] = json!([name]);
            assert_eq!(draft.fires("automation_globals").is_some(), hard, "{name}");
            assert_eq!(draft.fires("suspect_globals").is_some(), !hard, "{name}");
        }
    }

    #[test]
    fn other_names_are_only_watched() {
        let mut draft = CheckBuilder::person();
        draft.second["env"]["atSubmit"]["globals"] = json!(["spawn"]);
        assert_eq!(draft.fires("automation_globals"), None);
        assert!(draft.fires("suspect_globals").is_some());
        assert_eq!(draft.assess().bot, voight_domain::verdict::Nats::ZERO);
        draft.second["env"]["atSubmit"]["globals"] = json!([]);
        draft.second["env"]["atSubmit"]["documentKeys"] = json!(["__zone_symbol__x"]);
        assert_eq!(draft.fires("suspect_globals"), None);
    }

    #[test]
    fn driver_scripts_differ_from_extensions() {
        let mut draft = CheckBuilder::person();
        draft.second["env"]["atSubmit"]["stacks"] = json!(["querySelector: f (chrome-extension:)"]);
        assert_eq!(draft.fires("driver_stack"), None);
        draft.second["env"]["atSubmit"]["stacks"] = json!(["querySelector: pptr:evaluate;file"]);
        assert!(draft.fires("driver_stack").is_some());
    }
}

//! Real browsers and the real service: the platform's verdicts on people and robots.

mod demo;
mod document;
mod fixture;
pub(crate) mod puzzle;
mod quest;
mod readme;
mod replay;
mod requirements;
pub(crate) mod robot;
mod tutorial;
mod wallet;

use fixture::BrowserFixture;
use requirements::needs;
use robot::Display;
use voight_tests::screen::Screen;
use voight_tests::test_name;
use voight_tests::visitor;
use wallet::Wallet;

const WALLET: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[test]
fn robot_headless_is_a_bot() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    robot::run(&quest.url(), Display::Headless);
    quest.ending().receipt();
    assert_eq!(stage.verdict(WALLET)["isBot"], true);
}

#[test]
fn robot_headed_is_a_bot() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    let screen = Screen::open();
    robot::run(&quest.url(), Display::On(screen.display()));
    quest.ending().receipt();
    assert_eq!(stage.verdict(WALLET)["isBot"], true);
}

/// Replaces a method that the window wraps by a function of the driver.
const OWN: &str = "const real = Document.prototype.querySelector; Document.prototype.querySelector = function (...all) { return real.apply(this, all); };";

/// Replaces a method by the browser's own, from another document.
const NATIVE: &str = "const frame = document.createElement('iframe'); document.body.append(frame); \
        Element.prototype.getBoundingClientRect = frame.contentWindow.Element.prototype.getBoundingClientRect;";

/// The window wraps methods of its own document to detect callers.
///
/// Its wrappers are no evidence against a visitor. A driver that replaces them later is detected, whether it uses its own
/// function or the browser's.
#[test]
fn methods_replaced_by_a_driver_are_detected() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let runs = [
        ("first", "", false),
        ("first", OWN, true),
        ("second", OWN, true),
        ("second", NATIVE, true),
    ];
    for (number, (target, inside, is_found)) in runs.into_iter().enumerate() {
        let address = format!("0x{:040x}", number + 1);
        let quest = stage.quest(&address);
        robot::run_inside(&quest.url(), target, inside);
        quest.ending().receipt();
        let explanation = stage.explain(&address);
        assert_eq!(
            explanation.contains("replaced_natives"),
            is_found,
            "before the {target} press: {inside}\n{explanation}"
        );
    }
}

#[test]
fn human_path_is_no_bot() {
    let Some(corpus) = requirements::recordings(test_name!()) else {
        return;
    };
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    visitor::with_a_mouse(&quest, &corpus).receipt();
    assert_eq!(
        stage.verdict(WALLET)["isBot"],
        false,
        "{}",
        stage.explain(WALLET)
    );
}

#[test]
fn keyboard_only_is_no_bot() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    visitor::with_a_keyboard(&quest).receipt();
    assert_eq!(
        stage.verdict(WALLET)["isBot"],
        false,
        "{}",
        stage.explain(WALLET)
    );
}

#[test]
fn flag_outlasts_a_later_clean_check() {
    let Some(corpus) = requirements::recordings(test_name!()) else {
        return;
    };
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    robot::run(&quest.url(), Display::Headless);
    quest.ending().receipt();
    visitor::with_a_mouse(&quest, &corpus).receipt();
    assert_eq!(stage.verdict(WALLET)["isBot"], true);
}

#[test]
fn another_context_of_the_same_wallet_is_unaffected() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let other_context = stage.server.register(&stage.account.key, "autumn");
    let quest = stage.quest(WALLET);
    robot::run(&quest.url(), Display::Headless);
    quest.ending().receipt();
    assert_eq!(stage.verdict(WALLET)["isBot"], true);
    assert_eq!(
        stage.verdict_in(&other_context, WALLET),
        serde_json::json!({ "isBot": false, "confidence": { "score": 0 } })
    );
}

#[test]
fn vouched_check_overrides_an_unverified_flag() {
    let name = test_name!();
    let Some(corpus) = requirements::recordings(name) else {
        return;
    };
    let stage = BrowserFixture::set();
    let robot_quest = stage.quest(WALLET);
    robot::run(&robot_quest.url(), Display::Headless);
    robot_quest.ending().receipt();
    assert_eq!(stage.verdict(WALLET)["isBot"], true);
    let vouched_quest = stage.vouched_quest(WALLET);
    visitor::with_a_mouse(&vouched_quest, &corpus).receipt();
    assert_eq!(
        stage.verdict(WALLET)["isBot"],
        false,
        "{}",
        stage.explain(WALLET)
    );
}

#[test]
fn unverified_flag_keeps_a_signed_check() {
    let name = test_name!();
    let Some(corpus) = requirements::recordings(name) else {
        return;
    };
    let stage = BrowserFixture::set();
    stage.set_context(&["--ownership-proof", "always"]);
    let wallet = Wallet::new();
    let address = wallet.address();
    let stranger = || {
        let robot_quest = stage.quest(&address);
        robot::run(&robot_quest.url(), Display::Headless);
        robot_quest.ending().receipt();
    };
    stranger();
    assert_eq!(stage.verdict(&address)["isBot"], true);
    visitor::with_a_mouse(&stage.wallet_quest(&wallet), &corpus).receipt();
    let owners = stage.verdict(&address);
    assert_eq!(owners["isBot"], false, "{}", stage.explain(&address));
    assert!(
        stage
            .explain(&address)
            .contains("the answer switched to the owned layer"),
        "{}",
        stage.explain(&address)
    );
    stranger();
    stranger();
    assert_eq!(
        stage.verdict(&address),
        owners,
        "{}",
        stage.explain(&address)
    );
    stage.set_context(&["--unverified-flags", "keep"]);
    assert_eq!(stage.verdict(&address)["isBot"], true);
}

#[test]
fn browser_token_replaces_a_second_signature() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    stage.set_context(&["--ownership-proof", "always"]);
    let quest = stage.wallet_quest(&Wallet::new());
    let requests = robot::record_rounds(&quest.url(), &["Sign", ""]);
    let [first, second] = bindings(&requests)[..] else {
        panic!("two bindings: {requests}")
    };
    assert_eq!(
        (&first["status"], &second["status"]),
        (&200.into(), &200.into()),
        "{first} {second}"
    );
    let body = |exchange: &serde_json::Value| exchange["body"].as_str().expect("a body").to_owned();
    assert!(
        body(first).starts_with(r#"{"signed":"#)
            && body(second).starts_with(r#"{"trusted_browser":"#),
        "{requests}"
    );
    // Neither the page's policy, which allows almost nothing, nor the window's blocked any request.
    assert_eq!(
        (
            quest.ending().told["violations"].as_str(),
            &requests["complaints"]
        ),
        ("", &serde_json::json!([]))
    );
}

#[test]
fn sign_message_property_of_the_page_signs() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    stage.set_context(&["--ownership-proof", "always"]);
    let quest = stage.wallet_quest(&Wallet::of_the_page());
    let requests = robot::record_rounds(&quest.url(), &["Sign"]);
    quest.ending().receipt();
    assert_eq!(bindings(&requests)[0]["status"], 200, "{requests}");
}

#[test]
fn check_continues_without_a_signature() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    stage.set_context(&["--ownership-proof", "always"]);
    let rejecting = stage.wallet_quest(&Wallet::rejecting());
    let requests = robot::record_rounds(&rejecting.url(), &["Sign,Go on without"]);
    rejecting.ending().receipt();
    assert!(bindings(&requests).is_empty(), "{requests}");
    let without = stage.quest(WALLET);
    assert!(
        bindings(&robot::record(&without.url())).is_empty(),
        "a page without a wallet is not asked"
    );
    without.ending().receipt();
}

/// Returns the requests that prove wallet ownership, with their responses.
fn bindings(requests: &serde_json::Value) -> Vec<&serde_json::Value> {
    let exchanges = requests["exchanges"].as_array().expect("exchanges").iter();
    exchanges
        .filter(|request| {
            request["path"]
                .as_str()
                .is_some_and(|path| path.ends_with("/ownership"))
        })
        .collect()
}

#[test]
fn replayed_evidence_is_rejected_without_a_reason() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    let check = replay::RecordedCheck::from_json(&robot::record(&quest.url()));
    quest.ending().receipt();

    let rejections = [
        ("challenge_used", check.with_the_used_challenge(&stage)),
        ("layout_not_drawn", check.with_a_fresh_challenge(&stage)),
        ("batch_number", check.with_a_wrong_batch_number(&stage)),
    ];
    let (_, first) = &rejections[0];
    assert_eq!(first.json()["error"]["code"], "CHECK_REFUSED");
    let log = stage.server.log();
    for (reason, answer) in &rejections {
        assert_eq!(
            (answer.status, &answer.body),
            (first.status, &first.body),
            "{reason}"
        );
        assert_eq!(
            log.matches(reason).count(),
            1,
            "the log should name {reason} once:\n{log}"
        );
    }
}

#[test]
fn strictest_csp_sees_no_violation() {
    if !needs(test_name!()) {
        return;
    }
    let stage = BrowserFixture::set();
    let quest = stage.quest(WALLET);
    let requests = robot::record(&quest.url());
    let ending = quest.ending();
    assert_eq!(
        (ending.path.as_str(), ending.told["violations"].as_str()),
        ("/claimed", "")
    );
    // The window has its own policy; the browser reports blocked requests on its console.
    assert_eq!(requests["complaints"], serde_json::json!([]));
}

//! Decisions about a verdict.

use crate::common::{Browser, TestConsole};
use actix_web::http::StatusCode;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::Role;

const ADDRESS: &str = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

async fn verdict_path(console: &TestConsole, owner: &Browser<'_>) -> String {
    owner
        .post("/console/clients/new", &[("name", "acme")])
        .await;
    let quest = [("client", "acme"), ("title", "spring"), ("mode", "enforce")];
    owner.post("/console/protect", &quest).await;
    let registry = &console.services.registry;
    let contexts = registry.all_contexts(ContextFilter::All).await.unwrap();
    format!("/console/verdicts/{}/{ADDRESS}", contexts[0].id)
}

#[actix_web::test]
async fn override_changes_the_answer_with_a_reason() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let path = verdict_path(&console, &owner).await;
    assert!(owner.get(&path).await.body.contains("Not checked"));
    let reason = "<script>alert(1)</script> told us";
    let fields = [("to", "bot"), ("reason", reason)];
    let answer = owner.post(&format!("{path}/override"), &fields).await;
    assert_eq!(answer.location(), format!("{path}?done=overridden"));
    let page = owner.get(answer.location()).await;
    assert!(
        page.body
            .contains("An operator decided that this address is a bot."),
        "{}",
        page.body
    );
    assert!(
        page.body.contains("told us") && !page.body.contains("<script"),
        "{}",
        page.body
    );
    let found = owner.get(&format!("/console/verdicts?q={ADDRESS}")).await;
    assert!(
        found.body.contains("spring") && found.body.contains("class=\"v bot\""),
        "{}",
        found.body
    );
    let last_line = console.last_change().await;
    assert!(
        last_line.contains("Mara") && last_line.contains("verdict.overridden"),
        "{last_line}"
    );
}

#[actix_web::test]
async fn override_without_a_reason_changes_nothing() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let path = verdict_path(&console, &owner).await;
    let entries = console.audit_log().await.len();
    for (to, reason, status) in [
        ("bot", " ", StatusCode::UNPROCESSABLE_ENTITY),
        ("maybe", "a reason", StatusCode::BAD_REQUEST),
    ] {
        let fields = [("to", to), ("reason", reason)];
        let answer = owner.post(&format!("{path}/override"), &fields).await;
        assert_eq!(answer.status, status, "{to}");
    }
    assert_eq!(console.audit_log().await.len(), entries);
}

#[actix_web::test]
async fn label_is_stored() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let path = verdict_path(&console, &owner).await;
    let answer = owner
        .post(&format!("{path}/label"), &[("label", "human")])
        .await;
    assert_eq!(answer.location(), format!("{path}?done=labelled"));
    assert!(console.last_change().await.contains("address.labelled"));
}

#[actix_web::test]
async fn erasure_needs_the_end_of_the_address() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let path = verdict_path(&console, &owner).await;
    let fields = [("to", "bot"), ("reason", "a reason")];
    owner.post(&format!("{path}/override"), &fields).await;
    assert_eq!(
        owner.get(&format!("{path}/erase")).await.status,
        StatusCode::OK
    );
    let wrong = [("reason", "asked"), ("confirmation", "0000")];
    let answer = owner.post(&format!("{path}/erase"), &wrong).await;
    assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        answer.body.contains("Nothing was erased"),
        "{}",
        answer.body
    );
    let right = [("reason", "asked"), ("confirmation", "070d")];
    let answer = owner.post(&format!("{path}/erase"), &right).await;
    assert_eq!(answer.location(), "/console/verdicts?done=erased");
    assert!(console.last_change().await.contains("address.erased"));
}

#[actix_web::test]
async fn unknown_verdicts_are_not_found() {
    let console = TestConsole::new();
    let owner = console.sign_in("Mara", Role::Owner).await;
    let path = verdict_path(&console, &owner).await;
    for path in [
        format!("{path}x"),
        format!("/console/verdicts/other.01m8npe88dcw0j4j4p0pjvcz0r/{ADDRESS}"),
        "/console/contexts/nothing".to_owned(),
        "/console/clients/nothing".to_owned(),
    ] {
        assert_eq!(
            owner.get(&path).await.status,
            StatusCode::NOT_FOUND,
            "{path}"
        );
    }
}

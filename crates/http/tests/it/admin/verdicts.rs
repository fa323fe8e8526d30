//! Verdicts, explanations and overrides.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::json;
use voight_api::admin::{Explanation, TimelineEvent};
use voight_domain::check::{CheckConclusion, GateRejection};
use voight_domain::linkage::LinkSignals;
use voight_domain::ports::Judgement;
use voight_domain::secrets::AddressDigest;
use voight_domain::verdict::{Assessment, Finding, LayerKind, Nats, Versions};
use voight_domain::vocabulary::{CheckId, ContextId};

fn finding(rule: &str, group: &str, milli: i32, hard: bool, counted: bool) -> Finding {
    let reason = format!("{rule} was seen");
    Finding {
        rule: rule.into(),
        group: group.into(),
        weight: Nats::from_milli(milli),
        hard,
        counted,
        reason,
    }
}

/// Returns the assessment of declared automation.
fn robot() -> Assessment {
    Assessment {
        bot: Nats::from_milli(6100),
        hard: true,
        groups: 2,
        conclusive: true,
        findings: vec![
            finding("webdriver", "declared", 6000, true, true),
            finding("grid", "timing", 100, false, true),
            finding("headless", "declared", 4000, true, false),
        ],
        versions: Versions {
            policy: 3,
            model: 0,
        },
        ..Assessment::default()
    }
}

async fn conclude(console: &Console, context: &ContextId, number: u8, judgement: Judgement) {
    let conclusion = CheckConclusion {
        check: CheckId::from_bytes([number; 16]),
        context: context.clone(),
        address: ADDRESS.parse().unwrap(),
        layer: LayerKind::Unverified,
        judgement,
        inputs: vec![],
        link_signals: LinkSignals {
            subject: AddressDigest([number; 16]),
            network: None,
            device: None,
            traces: vec![],
        },
        receipt: None,
    };
    console.app.ports.store.conclude(conclusion).await.unwrap();
}

#[actix_web::test]
async fn explanation_groups_findings_by_cause() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    conclude(&console, &context, 1, Judgement::Assessed(robot())).await;
    conclude(
        &console,
        &context,
        2,
        Judgement::Rejected(GateRejection::Duplicate),
    )
    .await;
    let path = format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}");
    let value = data(&console.get(&path).await);
    assert_eq!(
        (&value["address"], &value["is_bot"]),
        (&json!(ADDRESS), &json!(true))
    );
    assert_eq!(
        (&value["unverified"]["flagged"], &value["owned"]["flagged"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(
        value["unverified"]["first_flagged_at"],
        "2026-11-21T10:00:00Z"
    );
    let explanation: Explanation = serde_json::from_value(value.clone()).unwrap();
    assert_eq!(
        serde_json::to_value(&explanation).unwrap(),
        value,
        "the command line reads what was written"
    );
    let TimelineEvent::Judged(judged) = &explanation.timeline[0].outcome else {
        panic!("{explanation:?}")
    };
    assert_eq!(
        (judged.policy_version, judged.flagged, judged.bot_nats),
        (3, Some(true), 6.1)
    );
    let causes: Vec<_> = judged
        .groups
        .iter()
        .map(|cause| {
            (
                cause.group.as_str(),
                cause.counted_nats,
                cause.findings.len(),
            )
        })
        .collect();
    assert_eq!(causes, [("declared", 6.0, 2), ("timing", 0.1, 1)]);
    let rejection_event = &value["timeline"][1];
    assert_eq!(
        (&rejection_event["event"], &rejection_event["code"]),
        (&json!("refused"), &json!("duplicate"))
    );
    assert_eq!(
        rejection_event["reason"],
        "the same events were presented before"
    );
    let verdict_list = data(
        &console
            .get(&format!("/admin/v1/contexts/{context}/verdicts"))
            .await,
    );
    assert_eq!(
        (
            verdict_list.as_array().unwrap().len(),
            &verdict_list[0]["score"]
        ),
        (1, &value["score"])
    );
    assert_eq!(
        data(
            &console
                .get(&format!(
                    "/admin/v1/contexts/{context}/verdicts?after={ADDRESS}"
                ))
                .await
        ),
        json!([])
    );
}

#[actix_web::test]
async fn listed_verdict_has_time_rule_and_link() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    conclude(&console, &context, 1, Judgement::Assessed(robot())).await;
    let path = format!("/admin/v1/contexts/{context}/verdicts");
    let row = data(&console.get(&path).await)[0].clone();
    assert_eq!(
        (&row["last_event_at"], &row["rule"]),
        (&json!("2026-11-21T10:00:00Z"), &json!("webdriver"))
    );
    assert_eq!((&row["link"], &row["is_bot"]), (&json!(null), &json!(true)));
    console.app.wait(std::time::Duration::from_mins(1));
    let body = json!({"verdict": "human", "reason": "ticket 4711"});
    data(
        &console
            .post(&format!("{path}/{ADDRESS}/override"), &body)
            .await,
    );
    let row = data(&console.get(&path).await)[0].clone();
    assert_eq!(
        (&row["last_event_at"], &row["rule"]),
        (&json!("2026-11-21T10:01:00Z"), &json!("override"))
    );
}

#[actix_web::test]
async fn address_is_found_in_every_context() {
    let console = Console::new().await;
    let mut contexts = Vec::new();
    for _ in 0..3 {
        contexts.push(console.app.context().await);
    }
    contexts.sort();
    let [unchecked, checked, erased] = contexts.try_into().unwrap();
    let path = format!("/admin/v1/verdicts?address={ADDRESS}");
    assert_eq!(data(&console.get(&path).await), json!([]));

    let override_path = format!("/admin/v1/contexts/{erased}/verdicts/{ADDRESS}/override");
    let body = json!({"verdict": "bot", "reason": "ticket 4711"});
    data(&console.post(&override_path, &body).await);
    let erasure = json!({"address": ADDRESS, "reason": "asked by mail", "dry_run": false});
    data(&console.post("/admin/v1/erasures", &erasure).await);
    let judgement = Judgement::Assessed(robot());
    conclude(&console, &checked.parse().unwrap(), 1, judgement).await;

    let found_verdicts = data(&console.get(&path).await);
    let outcome = |index: usize| {
        let found_verdict = &found_verdicts[index];
        let members = ["context_id", "is_bot", "has_tombstone", "rule"];
        members.map(|member| found_verdict[member].clone())
    };
    let expected_checked = [
        json!(checked),
        json!(true),
        json!(false),
        json!("webdriver"),
    ];
    let expected_erased = [json!(erased), json!(true), json!(true), json!(null)];
    assert_eq!(
        [outcome(0), outcome(1)],
        [expected_checked, expected_erased]
    );
    assert_eq!(found_verdicts.as_array().unwrap().len(), 2);
    assert_eq!(found_verdicts[0]["address"], ADDRESS);

    let first_page = data(
        &console
            .get(&format!("{path}&limit=1&after={unchecked}"))
            .await,
    );
    assert_eq!(first_page, json!([found_verdicts[0]]));
    let second_page = data(
        &console
            .get(&format!("{path}&limit=1&after={checked}"))
            .await,
    );
    assert_eq!(second_page, json!([found_verdicts[1]]));
}

#[actix_web::test]
async fn invalid_search_names_the_parameter() {
    let console = Console::new().await;
    let address_query = format!("?address={ADDRESS}");
    for (query, parameter) in [
        (String::new(), "address"),
        ("?address=0x12".to_owned(), "address"),
        (format!("{address_query}&after=x"), "after"),
        (format!("{address_query}&limit=0"), "limit"),
        (
            format!("{address_query}&context=x"),
            "this path takes address",
        ),
    ] {
        let answer = console.get(&format!("/admin/v1/verdicts{query}")).await;
        assert_eq!(answer.status, 400, "{}", answer.body);
        assert!(answer.body.contains(parameter), "{}", answer.body);
    }
}

#[actix_web::test]
async fn observing_context_reports_the_enforced_answer() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    console
        .patch(
            &format!("/admin/v1/contexts/{context}"),
            &json!({"mode": "observe"}),
        )
        .await;
    conclude(&console, &context, 1, Judgement::Assessed(robot())).await;
    let value = data(
        &console
            .get(&format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}"))
            .await,
    );
    assert_eq!(
        (&value["is_bot"], &value["enforced_answer"]["is_bot"]),
        (&json!(false), &json!(true))
    );
}

#[actix_web::test]
async fn override_opens_an_epoch_and_needs_a_reason() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    conclude(&console, &context, 1, Judgement::Assessed(robot())).await;
    let path = format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}/override");
    console
        .post(&path, &json!({"verdict": "human", "reason": " "}))
        .await
        .is_error(400, "m_g_p_1");
    console
        .post(&path, &json!({"verdict": "alien", "reason": "x"}))
        .await
        .is_error(400, "m_g_p_1");
    let value = data(
        &console
            .post(&path, &json!({"verdict": "human", "reason": "called them"}))
            .await,
    );
    assert_eq!(
        (&value["epoch"], &value["is_bot"]),
        (&json!(1), &json!(false))
    );
    let event = value["timeline"].as_array().unwrap().last().unwrap();
    assert_eq!(
        (&event["event"], &event["to"], &event["reason"]),
        (&json!("overridden"), &json!("human"), &json!("called them"))
    );
    let look_up = console
        .app
        .send(console.app.look_up(context.as_str(), ADDRESS))
        .await;
    assert_eq!(look_up.json()["data"]["isBot"], false);
    let flag_answer = data(
        &console
            .post(
                &path,
                &json!({"verdict": "bot", "reason": "saw the script"}),
            )
            .await,
    );
    assert_eq!(
        (&flag_answer["epoch"], &flag_answer["is_bot"]),
        (&json!(2), &json!(true))
    );
}

#[actix_web::test]
async fn override_is_certain_wherever_its_score_is_shown() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    let verdicts = format!("/admin/v1/contexts/{context}/verdicts");
    for (to, is_bot, status) in [("human", false, "human"), ("bot", true, "bot")] {
        let request = json!({"verdict": to, "reason": "known"});
        let override_answer = data(
            &console
                .post(&format!("{verdicts}/{ADDRESS}/override"), &request)
                .await,
        );
        let verdict_list = data(&console.get(&verdicts).await);
        for shown in [
            &override_answer,
            &override_answer["enforced_answer"],
            &verdict_list[0],
        ] {
            assert_eq!(
                (&shown["is_bot"], shown["score"].as_f64()),
                (&json!(is_bot), Some(1.0)),
                "{to}: {shown}"
            );
        }
        let plain = console
            .app
            .send(console.app.look_up(context.as_str(), ADDRESS))
            .await;
        let expected_body =
            format!(r#"{{"success":true,"data":{{"isBot":{is_bot},"confidence":{{"score":1}}}}}}"#);
        assert_eq!(plain.body, expected_body);
        let detail = detail(&console, &context).await;
        assert_eq!(
            (&detail["status"], &detail["decided_by"]),
            (&json!(status), &json!("operator")),
            "{detail}"
        );
        assert_eq!(detail["confidence"]["score"], 1);
    }
}

#[actix_web::test]
async fn check_flags_again_after_an_override_to_human() {
    let console = Console::new().await;
    let context: ContextId = console.app.context().await.parse().unwrap();
    let path = format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}/override");
    console
        .post(&path, &json!({"verdict": "human", "reason": "called them"}))
        .await;
    conclude(&console, &context, 1, Judgement::Assessed(robot())).await;
    let expected_detail = json!({
        "status": "bot", "isBot": true, "confidence": {"score": 0.98},
        "checks": {"completed": 1, "last_at": "2026-11-21T10:00:00Z"},
        "layer": "unverified", "decided_by": "checks", "policy": 3, "model": null,
    });
    assert_eq!(detail(&console, &context).await, expected_detail);
}

async fn detail(console: &Console, context: &ContextId) -> serde_json::Value {
    let uri = format!("/api/v1/users/eoa/detail?eoa_address={ADDRESS}&context_id={context}");
    let request = actix_web::test::TestRequest::get().uri(&uri);
    let answer = console
        .app
        .send(request.insert_header(("x-api-key", console.app.secret.clone())))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.json()["data"].take()
}

#[actix_web::test]
async fn missing_resources_are_named() {
    let console = Console::new().await;
    let context = console.app.context().await;
    let unknown = "spring.01k0ab3cdefghjkmnpqrstvwxy";
    for path in [
        format!("{unknown}/verdicts"),
        format!("{unknown}/verdicts/{ADDRESS}"),
        "x/verdicts".to_owned(),
    ] {
        console
            .get(&format!("/admin/v1/contexts/{path}"))
            .await
            .is_error(404, "m_g_n_1");
    }
    let bad = console
        .get(&format!("/admin/v1/contexts/{context}/verdicts/0x12"))
        .await;
    bad.is_error(400, "m_g_p_1");
    assert!(bad.body.contains("address: an address is 0x"));
    let unseen = data(
        &console
            .get(&format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}"))
            .await,
    );
    assert_eq!(
        (&unseen["is_bot"], &unseen["timeline"]),
        (&json!(false), &json!([]))
    );
}

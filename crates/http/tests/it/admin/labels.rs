//! Labels through the admin API.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::{Value, json};

const OTHER: &str = "0x1111111111111111111111111111111111111111";

async fn labels(console: &Console) -> (String, String) {
    let context = console.app.context().await;
    (format!("/admin/v1/contexts/{context}/labels"), context)
}

#[actix_web::test]
async fn labels_are_listed_and_audited() {
    let console = Console::new().await;
    let (path, _) = labels(&console).await;
    let single_label = json!({"labels": [{"address": ADDRESS, "label": "human", "consent": true}], "reason": "met"});
    assert_eq!(
        data(&console.post(&path, &single_label).await),
        json!({"labelled": 1})
    );
    let two = json!({"labels": [
        {"address": ADDRESS, "label": "bot", "reason": "seen by hand"},
        {"address": OTHER, "label": "human"},
    ], "reason": "a survey"});
    assert_eq!(
        data(&console.post(&path, &two).await),
        json!({"labelled": 2})
    );
    let labels = data(&console.get(&path).await);
    let label_member = |at: usize, member: &str| labels[at][member].clone();
    assert_eq!(
        [
            label_member(0, "label"),
            label_member(0, "reason"),
            label_member(0, "consent")
        ],
        [json!("bot"), json!("seen by hand"), json!(false)]
    );
    assert_eq!(
        [label_member(1, "address"), label_member(1, "reason")],
        [json!(OTHER), json!("a survey")]
    );
    assert_eq!(
        data(
            &console
                .get(&format!("{path}?after={ADDRESS}&limit=1"))
                .await
        ),
        json!([labels[1]])
    );

    let audit = data(&console.get("/admin/v1/audit").await);
    let details: Vec<_> = audit
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "address.labelled")
        .collect();
    assert!(
        details[0]["detail"]
            .as_str()
            .unwrap()
            .ends_with(" is human: met"),
        "{audit}"
    );
    assert_eq!(
        details[1]["detail"],
        "2 addresses, 1 human and 1 bot: a survey"
    );
    assert!(
        !audit.to_string().to_lowercase().contains(&ADDRESS[2..]),
        "{audit}"
    );
}

#[actix_web::test]
async fn invalid_label_rejects_the_batch() {
    let console = Console::new().await;
    let (path, _) = labels(&console).await;
    let label = |address: &str| json!({"address": address, "label": "bot"});
    let too_many_labels: Vec<Value> = (0..10_001)
        .map(|number| label(&format!("0x{number:040x}")))
        .collect();
    for (body, words) in [
        (
            json!({"labels": [label(OTHER), label("0x12")], "reason": "x"}),
            "labels[1].address",
        ),
        (
            json!({"labels": [label(OTHER), label(OTHER)], "reason": "x"}),
            "comes twice",
        ),
        (
            json!({"labels": [], "reason": "x"}),
            "0 labels at a time are 1 to 10000",
        ),
        (
            json!({"labels": too_many_labels, "reason": "x"}),
            "10001 labels at a time",
        ),
        (
            json!({"labels": [label(OTHER)], "reason": " "}),
            "needs a reason",
        ),
        (
            json!({"labels": [label(OTHER)], "reason": OTHER}),
            "omit the address",
        ),
        (
            json!({"labels": [{"address": OTHER, "label": "robot"}], "reason": "x"}),
            "`human` or `bot`",
        ),
    ] {
        let answer = console.post(&path, &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(words), "{words}: {}", answer.body);
    }
    assert_eq!(data(&console.get(&path).await), json!([]));
    let nowhere = "/admin/v1/contexts/quest.01k0ab3cdefghjkmnpqrstvwxy/labels";
    console
        .post(nowhere, &json!({"labels": [label(OTHER)], "reason": "x"}))
        .await
        .is_error(404, "m_g_n_1");
}

#[actix_web::test]
async fn answers_are_compared_with_labels() {
    let console = Console::new().await;
    let (path, context) = labels(&console).await;
    let overridden = format!("/admin/v1/contexts/{context}/verdicts/{ADDRESS}/override");
    console
        .post(&overridden, &json!({"verdict": "bot", "reason": "seen"}))
        .await;
    let calibration = format!("/admin/v1/calibration?context={context}");
    assert_eq!(
        data(&console.get(&calibration).await)["overconfidence"],
        Value::Null
    );
    let both_labels = json!({"labels": [{"address": ADDRESS, "label": "human"}, {"address": OTHER, "label": "human"}], "reason": "met"});
    console.post(&path, &both_labels).await;
    for path in [calibration.as_str(), "/admin/v1/calibration"] {
        let calibration = data(&console.get(path).await);
        assert_eq!(
            (&calibration["addresses"], &calibration["without_verdict"]),
            (&json!(1), &json!(1))
        );
        assert_eq!(
            calibration["false_positives"],
            json!({"count": 1, "total": 1, "upper_bound_95": 1.0})
        );
        assert!(
            calibration["overconfidence"].as_f64().unwrap() > 0.8,
            "{calibration}"
        );
    }
    // In a context in mode `observe`, the answer of mode `enforce` is compared.
    console
        .patch(
            &format!("/admin/v1/contexts/{context}"),
            &json!({"mode": "observe"}),
        )
        .await;
    assert_eq!(
        data(&console.get(&calibration).await)["false_positives"]["count"],
        1
    );
}

//! Caps, budgets and alerts through the admin API.

use crate::admin::console::{Console, data};
use crate::common::ADDRESS;
use serde_json::{Value, json};

const LIMITS: &str = "/admin/v1/clients/acme/limits";

impl Console {
    async fn usage(&self) -> Value {
        data(&self.get("/admin/v1/usage?client=acme").await)["clients"][0].clone()
    }
}

#[actix_web::test]
async fn limits_are_set_shown_and_cleared_one_by_one() {
    let console = Console::new().await;
    let no_limits = json!({"cap": null, "money_cap": null, "budget": null});
    assert_eq!(data(&console.get(LIMITS).await), no_limits);
    let cap = data(
        &console
            .patch(LIMITS, &json!({"cap": 5, "budget": "0.01"}))
            .await,
    );
    let cent = json!({"minor": 1, "currency": "USD", "formatted": "0.01"});
    assert_eq!(cap, json!({"cap": 5, "money_cap": null, "budget": cent}));
    let money = data(
        &console
            .patch(LIMITS, &json!({"cap": null, "money_cap": "12.5 USD"}))
            .await,
    );
    let twelve = json!({"minor": 1250, "currency": "USD", "formatted": "12.50"});
    assert_eq!(
        money,
        json!({"cap": null, "money_cap": twelve, "budget": cent}),
        "what is left out stays"
    );
    assert_eq!(console.usage().await["money_cap"], twelve);
    assert_eq!(
        data(
            &console
                .patch(LIMITS, &json!({"money_cap": null, "budget": null}))
                .await
        ),
        no_limits
    );
}

#[actix_web::test]
async fn invalid_limit_changes_nothing() {
    let console = Console::new().await;
    for (body, hint) in [
        (json!({}), "send cap, money_cap or budget"),
        (json!({"cap": -1}), "invalid value"),
        (json!({"cap": "7"}), "invalid type"),
        (json!({"money_cap": 7}), "invalid type"),
        (json!({"money_cap": "-1"}), "zero or more"),
        (json!({"money_cap": "0.001"}), "more than 2 decimal places"),
        (json!({"budget": "0"}), "more than zero"),
        (json!({"budget": "five"}), "budget: "),
        (json!({"cap": 7, "budget": "5 EUR"}), "USD"),
        (json!({"limit": 7}), "limit"),
    ] {
        let answer = console.patch(LIMITS, &body).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(hint), "{body}: {}", answer.body);
    }
    console
        .patch(
            "/admin/v1/clients/missing-client/limits",
            &json!({"cap": 1}),
        )
        .await
        .is_error(404, "m_g_n_1");
    console
        .post("/admin/v1/clients/acme/close", &json!({}))
        .await;
    console
        .patch(LIMITS, &json!({"cap": 1}))
        .await
        .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn lookup_at_the_cap_is_rejected_and_not_counted() {
    let console = Console::new().await;
    let context = console.app.context().await;
    console.patch(LIMITS, &json!({"cap": 2})).await;
    for status in [200, 200, 402, 402] {
        assert_eq!(
            console
                .app
                .send(console.app.look_up(&context, ADDRESS))
                .await
                .status,
            status
        );
    }
    assert_eq!(console.usage().await["billable"], 2);
    console.patch(LIMITS, &json!({"cap": 3})).await;
    assert_eq!(
        console
            .app
            .send(console.app.look_up(&context, ADDRESS))
            .await
            .status,
        200
    );
}

#[actix_web::test]
async fn alerts_show_in_usage_once_each() {
    let console = Console::without_rate_limits().await;
    let context = console.app.context().await;
    console.patch(LIMITS, &json!({"budget": "0.01"})).await;
    for _ in 0..1_010 {
        assert_eq!(
            console
                .app
                .send(console.app.look_up(&context, ADDRESS))
                .await
                .status,
            200
        );
    }
    let usage = console.usage().await;
    let alerts: Vec<_> = usage["alerts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| (a["alert"].clone(), a["seq"].clone()))
        .collect();
    // At 0.002 each, the third paid lookup is the first whose cost rounds to a cent.
    let alarm_rows = [
        ("allowance.80", 800),
        ("allowance.100", 1_000),
        ("budget.80", 1_003),
        ("budget.100", 1_003),
    ];
    assert_eq!(
        alerts,
        alarm_rows.map(|(alert, seq)| (json!(alert), json!(seq)))
    );
    assert_eq!(
        (&usage["allowance_left"], &usage["spent"]["formatted"]),
        (&json!(0), &json!("0.02"))
    );
}

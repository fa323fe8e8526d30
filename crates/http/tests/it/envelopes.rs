//! Both endpoints of the requirement, compared byte for byte.

use crate::common::{ADDRESS, App, LOOKUP, REGISTER, look_up, post_json};
use actix_web::test::TestRequest;
use voight_domain::metering::LedgerId;
use voight_domain::vocabulary::{Environment, Scope};

#[actix_web::test]
async fn registration_answers_byte_for_byte() {
    let app = App::new().await;
    let answer = app.send(app.register("spring_quest")).await;
    let id = answer.json()["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        format!(r#"{{"success":true,"data":{{"context_id":"{id}"}}}}"#)
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let (title, suffix) = id.split_once('.').unwrap();
    assert_eq!((title, suffix.len()), ("spring_quest", 26));
}

#[actix_web::test]
async fn lookup_answers_byte_for_byte() {
    let app = App::new().await;
    let context = app.context().await;
    let answer = app.send(app.look_up(&context, ADDRESS)).await;
    assert_eq!(answer.status, 200);
    assert_eq!(
        answer.body,
        r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#
    );
    assert_eq!(answer.header("content-type"), Some("application/json"));
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    let meter = answer.header("voight-meter").unwrap();
    assert!(
        meter.starts_with("seq=1, head=") && meter.len() == 12 + 64,
        "{meter}"
    );
}

#[actix_web::test]
async fn shown_failure_answers_byte_for_byte() {
    let app = App::new().await;
    let answer = app
        .send(post_json(
            REGISTER,
            "nonsense",
            r#"{"context_title":"quest"}"#,
        ))
        .await;
    let message = "Bad API key or context id: send a valid key in the x-api-key header.";
    let body = format!(
        r#"{{"success":false,"error":{{"id":"m_a_k_1","code":"UNAUTHORIZED","message":"{message}"}}}}"#
    );
    assert_eq!((answer.status, answer.body), (401, body));
}

#[actix_web::test]
async fn registration_ignores_listed_parameters() {
    let app = App::new().await;
    let uri = format!("{REGISTER}?eoa_address=0x00&context_id=any");
    let answer = app
        .send(post_json(&uri, &app.secret, r#"{"context_title":"quest"}"#))
        .await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[actix_web::test]
async fn sandbox_supports_magic_addresses() {
    let app = App::new().await;
    let key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let secret = key.secret.expose();
    let answer = app
        .send(post_json(REGISTER, secret, r#"{"context_title":"try"}"#))
        .await;
    assert!(
        answer
            .body
            .starts_with(r#"{"success":true,"test":true,"data":{"context_id":"try."#),
        "{}",
        answer.body
    );
    let context = answer.json()["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    for (digit, data) in [
        ("1", r#"{"isBot":false,"confidence":{"score":0.95}}"#),
        ("2", r#"{"isBot":true,"confidence":{"score":0.98}}"#),
        ("3", r#"{"isBot":false,"confidence":{"score":0.05}}"#),
        ("4", r#"{"isBot":false,"confidence":{"score":0}}"#),
    ] {
        let answer = app
            .send(look_up(
                secret,
                &context,
                &format!("0x{}", digit.repeat(40)),
            ))
            .await;
        assert_eq!(
            answer.body,
            format!(r#"{{"success":true,"test":true,"data":{data}}}"#)
        );
    }
    let live = app.context().await;
    let answer = app
        .send(app.look_up(&live, &format!("0x{}", "2".repeat(40))))
        .await;
    assert_eq!(
        answer.body,
        r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#
    );
}

#[actix_web::test]
async fn every_200_has_its_row() {
    let app = App::new().await;
    let context = app.context().await;
    for seq in 1..=3 {
        let answer = app.send(app.look_up(&context, ADDRESS)).await;
        assert!(
            answer
                .header("voight-meter")
                .unwrap()
                .starts_with(&format!("seq={seq}, "))
        );
    }
    app.send(app.look_up(&context, "0x12"))
        .await
        .is_error(400, "m_l_e_1");
    let rows = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 100)
        .await
        .unwrap();
    assert_eq!(rows.len(), 3);
}

#[actix_web::test]
async fn request_ids_are_echoed_or_drawn() {
    let app = App::new().await;
    let echo = |id: &'static str| {
        let request = TestRequest::get()
            .uri(LOOKUP)
            .insert_header(("x-request-id", id));
        async {
            app.send(request)
                .await
                .header("x-request-id")
                .unwrap()
                .to_owned()
        }
    };
    assert_eq!(echo("a.B_c-9").await, "a.B_c-9");
    let generated_id = echo("not a plain id").await;
    assert!(
        generated_id.len() == 32 && generated_id.bytes().all(|b| b.is_ascii_hexdigit()),
        "{generated_id}"
    );
    assert_ne!(generated_id, echo("").await);
    let unknown = app
        .send(
            TestRequest::get()
                .uri("/nowhere")
                .insert_header(("x-request-id", "me")),
        )
        .await;
    assert_eq!(unknown.header("x-request-id"), Some("me"));
}

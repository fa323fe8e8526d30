//! Rotation of the signing keys.

use crate::admin::console::{Console, data};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use voight_domain::metering::LedgerId;
use voight_domain::metering::SignedHead;

const KEYS: &str = "/admin/v1/signing-keys";
const ROTATE: &str = "/admin/v1/signing-keys/rotate";

async fn published(console: &Console) -> Value {
    console
        .app
        .send(TestRequest::get().uri("/.well-known/voight-keys.json"))
        .await
        .json()["keys"]
        .take()
}

#[actix_web::test]
async fn rotation_activates_a_new_signing_key() {
    let console = Console::new().await;
    let ledgers = &console.app.state.services.ledgers;
    let ledger = LedgerId::live(console.app.client.id);
    let (_, before) = ledgers.signed_head(ledger).await.unwrap();
    let first = published(&console).await;
    let new_key = data(&console.post(ROTATE, &json!({})).await);
    let now = published(&console).await;
    assert_eq!(
        (now.as_array().unwrap().len(), &now[1]["kid"]),
        (2, &first[0]["kid"])
    );
    assert_eq!(
        (&now[0]["retired_at"], now[1]["retired_at"].is_string()),
        (&Value::Null, true)
    );
    assert_eq!(
        (&now[0]["kid"], &new_key["active"]),
        (&new_key["kid"], &json!(true))
    );
    let key_list = data(&console.get(KEYS).await);
    assert_eq!(key_list[0], new_key);
    assert_eq!(key_list[1]["retired_at"], now[1]["retired_at"]);
    assert_eq!(
        (&key_list[1]["kid"], &key_list[1]["active"]),
        (&first[0]["kid"], &json!(false))
    );
    let (_, after) = ledgers.signed_head(ledger).await.unwrap();
    let keys = console.app.state.services.operator.signing_keys();
    let [old, new] = [&before, &after].map(|head| SignedHead::from_token(head, &keys));
    assert!(old.is_some() && new.is_some() && before.split('.').next() != after.split('.').next());
    let log = data(&console.get("/admin/v1/audit").await);
    let last = log.as_array().unwrap().last().unwrap();
    assert_eq!(
        (&last["action"], &last["subject"]),
        (&json!("signing_key.rotated"), &new_key["kid"])
    );
}

#[actix_web::test]
async fn rotation_takes_no_words() {
    let console = Console::new().await;
    console
        .post(ROTATE, &json!({"number": 7}))
        .await
        .is_error(400, "m_g_p_1");
    console.get(ROTATE).await.is_error(405, "m_g_m_1");
    assert_eq!(published(&console).await.as_array().unwrap().len(), 1);
}

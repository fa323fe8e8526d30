//! Backup of a store in use.

use crate::admin::console::{Console, HOST, call, probe};
use actix_web::http::Method;

const DUMP: &str = "/admin/v1/store/backup";

#[actix_web::test]
async fn store_in_memory_cannot_be_backed_up() {
    let console = Console::new().await;
    // Repeated, because a failed backup must release its permit.
    for _ in 0..2 {
        let answer = console.get(DUMP).await;
        answer.is_error(409, "m_g_c_1");
        assert!(answer.body.contains("memory"), "{}", answer.body);
    }
}

#[actix_web::test]
async fn one_backup_is_taken_at_a_time() {
    let console = Console::new().await;
    let permit = console.app.state.backup.try_acquire().unwrap();
    let answer = console.get(DUMP).await;
    answer.is_error(409, "m_g_c_1");
    assert!(
        answer.body.contains("Another backup is in progress"),
        "{}",
        answer.body
    );
    drop(permit);
    assert!(console.get(DUMP).await.body.contains("memory"));
}

#[actix_web::test]
async fn backup_is_for_operators() {
    let console = Console::new().await;
    console
        .send(probe(DUMP, HOST))
        .await
        .is_error(401, "m_a_t_1");
    console
        .send(call(Method::POST, DUMP))
        .await
        .is_error(405, "m_g_m_1");
    console
        .get(&format!("{DUMP}?from=0"))
        .await
        .is_error(400, "m_g_p_1");
}

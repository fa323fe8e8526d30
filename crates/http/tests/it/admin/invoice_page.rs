//! HTML page of an invoice.

use crate::admin::console::{Console, data};
use crate::admin::invoices::console_after_lookups;
use serde_json::json;

const PREVIEW: &str = "/admin/v1/invoices/preview?client=acme&format=html";

#[actix_web::test]
async fn draft_is_marked_and_has_the_required_fields() {
    let console = console_after_lookups(1_003).await;
    let answer = console.get(PREVIEW).await;
    assert_eq!(
        answer.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    assert_eq!(answer.header("x-content-type-options"), Some("nosniff"));
    let page = answer.body;
    let draft = data(&console.get("/admin/v1/invoices/preview?client=acme").await);
    for shown in [
        "<title>Draft of an invoice</title>",
        "DRAFT. This is not an invoice",
        "<dd>acme</dd>",
        "<dd>2026-11-01 to 2026-11-30 (UTC)</dd>",
        "<dd>example, version 1, graduated, in USD (an example, for the operator to replace)</dd>",
        "<tr><td>Lookups within the free allowance</td><td>1,000</td><td>free</td><td>0.00</td></tr>",
        "<tr><td>Paid lookups 1 to 3 (tier 1)</td><td>3</td><td>0.002</td><td>0.01</td></tr>",
        "Amount due in USD</th><td>0.01</td>",
        "1 to 1,003",
        draft["chain_head"].as_str().unwrap(),
        "voight audit verify-export FILE",
    ] {
        assert!(page.contains(shown), "{shown} is not in the page:\n{page}");
    }
}

#[actix_web::test]
async fn invoice_page_shows_the_state() {
    let console = console_after_lookups(1).await;
    console
        .post("/admin/v1/clients/acme/close", &json!({}))
        .await;
    let page = || async {
        console
            .get("/admin/v1/invoices/acme-1?format=html")
            .await
            .body
    };
    let id = format!("{}-1", console.app.client.id);
    let open = page().await;
    assert!(
        open.contains("<dd>2026-11-01 to 2026-11-21 10:00:00 (UTC)</dd>"),
        "{open}"
    );
    assert!(
        open.contains(&format!("<h1>Invoice {id}</h1>")) && !open.contains("class=\"notice\""),
        "{open}"
    );
    console
        .post(
            "/admin/v1/invoices/acme-1/void",
            &json!({"reason": "twice"}),
        )
        .await;
    assert!(
        page().await.contains(
            "VOID since 2026-11-21. Nothing is to be paid by this invoice. Reason: twice"
        )
    );
}

#[actix_web::test]
async fn invoice_page_escapes_text_and_loads_nothing() {
    let console = Console::new().await;
    let name = r#"<script>alert("1")</script>&{{head}}"#;
    let client = data(
        &console
            .post("/admin/v1/clients", &json!({"name": name}))
            .await,
    );
    let id = client["client_id"].as_str().unwrap();
    let reason = "<img src=x onerror='alert(1)'>{{check}}";
    let credit = json!({"kind": "credit", "amount": "1", "reason": reason});
    console
        .post(&format!("/admin/v1/clients/{id}/adjustments"), &credit)
        .await;
    let page = console
        .get(&format!(
            "/admin/v1/invoices/preview?client={id}&format=html"
        ))
        .await
        .body;
    assert!(
        page.contains("&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62;&#38;{{head}}"),
        "{page}"
    );
    assert!(
        page.contains("Credit: &#60;img src=x onerror=&#39;alert(1)&#39;&#62;{{check}}"),
        "{page}"
    );
    for forbidden in [
        "<script", "<img", "<link", "src=\"", "href", "url(", "@import",
    ] {
        assert!(!page.contains(forbidden), "{forbidden}:\n{page}");
    }
    assert!(page.contains("default-src 'none'"), "{page}");
}

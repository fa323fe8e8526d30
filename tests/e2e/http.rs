//! Public API of the binary, as a platform's backend calls it.

use std::collections::BTreeSet;
use voight_tests::command;
use voight_tests::http::{self, INVALID_KEY, UNKNOWN_CONTEXT};
use voight_tests::paths;
use voight_tests::server::Server;

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

#[test]
fn required_envelopes_are_returned_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");

    let url = format!("{}/api/v1/register/context_id", server.url());
    let headers = [
        ("x-api-key", account.key.as_str()),
        ("content-type", "application/json"),
    ];
    let response = http::post(
        &http::agent(),
        &url,
        &headers,
        br#"{ "context_title": "sample_context_id" }"#,
    )
    .unwrap();
    let id = response.json()["data"]["context_id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(response.status, 200);
    assert_eq!(
        response.body,
        format!(r#"{{"success":true,"data":{{"context_id":"{id}"}}}}"#)
    );
    assert!(id.starts_with("sample_context_id."), "{id}");

    let looked_up = server.look_up(&account, ADDRESS);
    assert_eq!(looked_up.status, 200);
    assert_eq!(
        looked_up.body,
        r#"{"success":true,"data":{"isBot":false,"confidence":{"score":0}}}"#
    );
    assert!(
        looked_up
            .header("voight-meter")
            .unwrap()
            .starts_with("seq=1, head="),
        "{looked_up:?}"
    );

    let response = http::post(
        &http::agent(),
        &url,
        &[("x-api-key", "wrong"), headers[1]],
        b"{}",
    )
    .unwrap();
    assert_eq!(response.status, 401);
    assert!(
        response.body.starts_with(
            r#"{"success":false,"error":{"id":"m_a_k_1","code":"UNAUTHORIZED","message":""#
        ),
        "{}",
        response.body
    );
}

#[test]
fn sandbox_key_is_metered_apart() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let live = server.account("acme");
    let sandbox = server.key_and_context("acme", &["--test"]);
    for (byte, is_bot) in [("11", false), ("22", true), ("33", false), ("44", false)] {
        let answer = server
            .look_up(&sandbox, &format!("0x{}", byte.repeat(20)))
            .json();
        assert_eq!(answer["test"], true);
        assert_eq!(answer["data"]["isBot"], is_bot, "0x{byte}…");
        let nothing_magic = server
            .look_up(&live, &format!("0x{}", byte.repeat(20)))
            .json();
        assert_eq!(nothing_magic["data"]["isBot"], false);
        assert!(nothing_magic.get("test").is_none());
    }
    let usage = &command::json(server.data_dir(), &["usage"])["clients"][0];
    assert_eq!(
        (
            usage["billable"].as_u64(),
            usage["free"].as_u64(),
            usage["sandbox"].as_u64()
        ),
        (Some(4), Some(4), Some(4))
    );
}

#[test]
fn contexts_stay_with_a_rotated_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let first = server.account("acme");
    let second = server.key_and_context("acme", &[]);
    let foreign = voight_tests::server::TestAccount {
        context: first.context.clone(),
        ..second
    };
    let missing = voight_tests::server::TestAccount {
        context: "spring.01k0ab3cdefghjkmnpqrstvwxy".into(),
        ..foreign.clone()
    };
    let a = server.look_up(&foreign, ADDRESS);
    let b = server.look_up(&missing, ADDRESS);
    a.assert_error(UNKNOWN_CONTEXT);
    assert_eq!((a.status, a.body), (b.status, b.body));

    let new_key = command::json(
        server.data_dir(),
        &["key", "rotate", "--now", &first.key_id],
    );
    let renewed_account = voight_tests::server::TestAccount {
        key: new_key["key"].as_str().unwrap().to_owned(),
        ..first.clone()
    };
    server.look_up(&first, ADDRESS).assert_error(INVALID_KEY);
    assert_eq!(server.look_up(&renewed_account, ADDRESS).status, 200);
    command::json(
        server.data_dir(),
        &["key", "revoke", &first.key_id, "--yes"],
    );
    server
        .look_up(&renewed_account, ADDRESS)
        .assert_error(INVALID_KEY);
}

#[test]
fn restart_preserves_all_records() {
    let folder = tempfile::tempdir().unwrap();
    let data_dir = folder.path().join("data");
    let mut server = Server::start(&data_dir);
    let account = server.account("acme");
    assert_eq!(server.look_up(&account, ADDRESS).status, 200);
    assert_eq!(server.stop(), Some(0), "{}", server.log());
    let server = Server::start(&data_dir);
    let second_response = server.look_up(&account, ADDRESS);
    assert!(
        second_response
            .header("voight-meter")
            .unwrap()
            .starts_with("seq=2, "),
        "{second_response:?}"
    );
}

#[test]
fn client_reads_its_usage_and_exports_its_lookups() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    server.look_up(&account, ADDRESS);
    let last = server.look_up(&account, ADDRESS);
    let get_usage = |path: &str| {
        let url = format!("{}/api/v1/usage{path}", server.url());
        http::get(&http::agent(), &url, &[("x-api-key", &account.key)]).unwrap()
    };
    let usage = &get_usage("").json()["data"];
    assert_eq!(
        (&usage["billable"], &usage["contexts"][0]["context_id"]),
        (&2.into(), &account.context.clone().into())
    );
    let head = &get_usage("/head").json()["data"];
    assert_eq!(
        (&head["seq"], &head["head"]),
        (&usage["head"]["seq"], &usage["head"]["head"])
    );
    assert!(
        last.header("voight-meter")
            .unwrap()
            .ends_with(head["head"].as_str().unwrap()),
        "{last:?}"
    );
    let first = get_usage("/export?format=csv&limit=1");
    assert_eq!(
        (first.body.lines().count(), first.header("voight-next")),
        (2, Some("1"))
    );
    let second_page = get_usage("/export?format=csv&after=1");
    assert_eq!(
        (
            second_page.body.lines().count(),
            second_page.header("voight-next")
        ),
        (2, None)
    );
}

#[test]
fn metrics_equal_the_reference_page() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start(&folder.path().join("data"));
    let account = server.account("acme");
    server.look_up(&account, ADDRESS);
    // The age of the newest backup is absent without one.
    let dump = folder.path().join("voight.dump");
    let dump = dump.to_str().unwrap();
    command::json(server.data_dir(), &["store", "backup", "--out", dump]);
    let text = http::get(
        &http::agent(),
        &format!("{}/metrics", server.admin_url()),
        &[],
    )
    .unwrap()
    .body;
    let mut families: BTreeSet<_> = text
        .lines()
        .filter_map(|line| line.strip_prefix("# TYPE "))
        .collect();
    // No visitor has completed a check, so that no rule has a hit.
    assert!(families.insert("voight_rule_hits_total counter"));
    let page =
        std::fs::read_to_string(paths::repository().join("docs/reference/metrics.md")).unwrap();
    let rows = page
        .lines()
        .filter(|line| line.starts_with("| `voight_") || line.starts_with("| `process_"))
        .filter_map(|line| line.strip_prefix("| `")?.split_once("` | "));
    let rows = rows.map(|(name, rest)| {
        let kind = rest.split(" | ").next().unwrap();
        format!("{name} {kind}")
    });
    assert_eq!(
        families
            .into_iter()
            .map(str::to_owned)
            .collect::<BTreeSet<_>>(),
        rows.collect()
    );
}

//! Snapshots: creation, upload, states, downloads and manifests.

use crate::common::{Answer, App, REGISTER, post_json};
use actix_web::test::TestRequest;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use std::io::Write;
use std::time::Duration;
use voight_domain::metering::{DailyLookups, LedgerId, Limit, RowKind};
use voight_domain::snapshot::MANIFEST_TYPE;
use voight_domain::snapshot::MAX_SNAPSHOTS;
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::{HttpSettings, SpoolSettings};

const SNAPSHOTS: &str = "/api/v1/snapshots";

fn address(number: u64) -> String {
    format!("0x{number:040x}")
}

fn with_key(request: TestRequest, secret: &str) -> TestRequest {
    request.insert_header(("x-api-key", secret))
}

async fn create(app: &App, request: &Value) -> Answer {
    app.send(post_json(SNAPSHOTS, &app.secret, request.to_string()))
        .await
}

/// Creates a snapshot for an upload and returns its path.
async fn created(app: &App, context: &str) -> String {
    created_with(
        app,
        &json!({"context_id": context, "source": "upload", "amount": "5", "include": ["unknown"]}),
    )
    .await
}

/// Creates a snapshot for an upload with amounts and returns its path.
async fn created_for_amounts(app: &App, context: &str) -> String {
    created_with(
        app,
        &json!({"context_id": context, "source": "upload", "include": ["unknown"]}),
    )
    .await
}

async fn created_with(app: &App, request: &Value) -> String {
    let answer = create(app, request).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    assert_eq!(answer.json()["data"]["state"], "uploading");
    format!(
        "{SNAPSHOTS}/{}",
        answer.json()["data"]["id"].as_str().unwrap()
    )
}

fn put(
    app: &App,
    path: &str,
    media_type: &str,
    body: impl Into<actix_web::web::Bytes>,
) -> TestRequest {
    put_to(app, &format!("{path}/addresses"), media_type, body)
}

fn put_to(
    app: &App,
    target: &str,
    media_type: &str,
    body: impl Into<actix_web::web::Bytes>,
) -> TestRequest {
    let request = TestRequest::put()
        .uri(target)
        .insert_header(("content-type", media_type));
    with_key(request, &app.secret).set_payload(body)
}

async fn get(app: &App, path: &str) -> Answer {
    app.send(with_key(TestRequest::get().uri(path), &app.secret))
        .await
}

async fn post(app: &App, path: &str) -> Answer {
    app.send(with_key(TestRequest::post().uri(path), &app.secret))
        .await
}

/// Runs all jobs to their end, or until they pause.
async fn run_jobs(app: &App) {
    let snapshots = &app.state.services.snapshots;
    for (client, id) in snapshots.unfinished().await.unwrap() {
        while snapshots.continue_job(client, id).await.unwrap() {}
    }
}

/// Creates a snapshot of these lines of CSV whose draft is complete, and returns its path.
async fn draft(app: &App, context: &str, lines: &str) -> String {
    let has_amounts = lines.starts_with("address,amount");
    let path = if has_amounts {
        created_for_amounts(app, context).await
    } else {
        created(app, context).await
    };
    let target = if has_amounts {
        format!("{path}/addresses?unit=base")
    } else {
        format!("{path}/addresses")
    };
    let upload_answer = app
        .send(put_to(app, &target, "text/csv", lines.to_owned()))
        .await;
    assert_eq!(upload_answer.status, 200, "{}", upload_answer.body);
    run_jobs(app).await;
    assert_eq!(get(app, &path).await.json()["data"]["state"], "draft");
    path
}

async fn billed(app: &App) -> usize {
    let rows = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9_999)
        .await
        .unwrap();
    rows.iter()
        .filter(|entry| matches!(entry.row.kind, RowKind::Lookup(_)))
        .count()
}

async fn flag(app: &App, context: &str, address: &str) {
    let context = context.parse().unwrap();
    let address = address.parse().unwrap();
    let operator = &app.state.services.operator;
    operator
        .override_verdict(&context, address, OverrideTo::Bot, "a farm".to_owned())
        .await
        .unwrap();
}

#[actix_web::test]
async fn upload_becomes_a_draft_and_is_billed_once() {
    let app = App::new().await;
    let context = app.context().await;
    flag(&app, &context, &address(2)).await;
    let lines = format!(
        "address,amount\n{},7\n{},9\n{},7\n{},0\n",
        address(3),
        address(2),
        address(3),
        address(1)
    );
    let path = draft(&app, &context, &lines).await;
    assert_eq!(billed(&app).await, 3, "a repeated address is billed once");
    let snapshot = get(&app, &path).await.json();
    assert_eq!(
        (&snapshot["data"]["addresses"], &snapshot["data"]["units"]),
        (&json!(3), &json!(3))
    );
    let csv = get(&app, &format!("{path}/file?format=csv")).await;
    let expected_file = format!(
        "address,status,is_bot,score,checks,last_check_at,layer,decided_by,amount\r\n\
         {},unknown,false,0.00,0,,,,0\r\n\
         {},bot,true,1.00,0,,both,operator,9\r\n\
         {},unknown,false,0.00,0,,,,7\r\n",
        address(1),
        address(2),
        address(3)
    );
    assert_eq!(
        csv.body,
        expected_file.replace("both", csv.body.split(',').nth(22).unwrap_or("both"))
    );
    let airdrop = get(&app, &format!("{path}/file?format=airdrop&decimals=0")).await;
    assert_eq!(
        airdrop.body,
        format!("address,amount\r\n{},7\r\n", address(3)),
        "neither a bot nor an amount of zero"
    );
    let tree = get(&app, &format!("{path}/file?format=merkle"))
        .await
        .json();
    assert_eq!(
        (&tree["format"], tree["values"].as_array().unwrap().len()),
        (&json!("standard-v1"), 1)
    );
    assert_eq!(billed(&app).await, 3, "downloads are not billed");
}

#[actix_web::test]
async fn all_formats_and_compressions_are_read() {
    let app = App::new().await;
    let context = app.context().await;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::fast());
    gzip.write_all(format!("{}\n{}\n", address(1), address(2)).as_bytes())
        .unwrap();
    let lines = format!(
        "{{\"address\":\"{}\"}}\n{{\"address\":\"{}\"}}\n",
        address(1),
        address(2)
    );
    let zstd = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    for (media_type, encoding, body) in [
        (
            "text/csv; charset=utf-8",
            Some("gzip"),
            gzip.finish().unwrap(),
        ),
        ("application/x-ndjson", None, lines.clone().into_bytes()),
        ("application/x-ndjson", Some("zstd"), zstd),
    ] {
        let path = created(&app, &context).await;
        let mut request = put(&app, &path, media_type, body);
        if let Some(encoding) = encoding {
            request = request.insert_header(("content-encoding", encoding));
        }
        let answer = app.send(request).await;
        assert_eq!(
            (answer.status, &answer.json()["data"]["addresses"]),
            (200, &json!(2)),
            "{}",
            answer.body
        );
    }
}

#[actix_web::test]
async fn every_file_of_a_snapshot_can_be_uploaded() {
    let app = App::new().await;
    let context = app.context().await;
    let lines = format!("address,amount\n{},7\n{},10\n", address(3), address(1));
    let path = draft(&app, &context, &lines).await;
    for (format, media_type, options) in [
        ("csv", "text/csv", ""),
        ("ndjson", "application/x-ndjson", ""),
        ("parquet", "application/vnd.apache.parquet", ""),
        ("merkle", "application/json", ""),
        ("airdrop&decimals=1", "text/csv", "?decimals=1"),
    ] {
        let request = with_key(
            TestRequest::get().uri(&format!("{path}/file?format={format}")),
            &app.secret,
        );
        let file = app.send_for_bytes(request).await;
        let other_path = created_for_amounts(&app, &context).await;
        let answer = app
            .send(put_to(
                &app,
                &format!("{other_path}/addresses{options}"),
                media_type,
                file,
            ))
            .await;
        let summary = &answer.json()["data"]["summary"];
        assert_eq!(
            (&summary["addresses"], &summary["sum_base_units"]),
            (&json!(2), &json!("17")),
            "{format}: {}",
            answer.body
        );
    }
}

#[actix_web::test]
async fn dry_run_changes_and_bills_nothing() {
    let app = App::new().await;
    let context = app.context().await;
    let path = created_for_amounts(&app, &context).await;
    let lines = format!(
        "Wallet,reward,vp\n{},1.5,1\n{},2,2\n{},1.5,1\n\n",
        address(1),
        address(2),
        address(1)
    );
    let target = format!("{path}/addresses?decimals=6");
    let answer = app
        .send(put_to(
            &app,
            &format!("{target}&dry_run=true"),
            "text/csv",
            lines.clone(),
        ))
        .await;
    let expected_summary = json!({
        "addresses": 2, "duplicates": 1, "without_amount": 0, "empty_lines": 1, "sum_base_units": "3500000",
        "sum_tokens": "3.5", "decimals": 6, "unit": "tokens", "address_column": "Wallet", "amount_column": "reward",
        "ignored_columns": ["vp"],
    });
    let data = answer.json()["data"].take();
    assert_eq!(
        (&data["summary"], &data["state"]),
        (&expected_summary, &json!("uploading")),
        "{}",
        answer.body
    );
    run_jobs(&app).await;
    assert_eq!(
        (
            billed(&app).await,
            &get(&app, &path).await.json()["data"]["addresses"]
        ),
        (0, &json!(0))
    );
    let answer = app.send(put_to(&app, &target, "text/csv", lines)).await;
    assert_eq!(answer.json()["data"]["summary"], expected_summary);
    run_jobs(&app).await;
    assert_eq!(billed(&app).await, 2);
}

#[actix_web::test]
async fn uniform_amount_excludes_amounts_in_the_file() {
    let app = App::new().await;
    let context = app.context().await;
    let request = json!({"context_id": context, "source": "upload", "amount": "1000"});
    let path = created_with(&app, &request).await;
    let lines = format!("wallet,reward\n{},7\n", address(1));
    let answer = app
        .send(put_to(
            &app,
            &format!("{path}/addresses?unit=base"),
            "text/csv",
            lines.clone(),
        ))
        .await;
    answer.is_error(400, "m_g_p_1");
    assert!(answer.body.contains("--no-amounts"), "{}", answer.body);
    let answer = app
        .send(put_to(
            &app,
            &format!("{path}/addresses?no_amounts=true"),
            "text/csv",
            lines,
        ))
        .await;
    assert_eq!(
        answer.json()["data"]["summary"]["sum_base_units"],
        json!("1000"),
        "{}",
        answer.body
    );
}

#[actix_web::test]
async fn bad_options_of_an_upload_are_explained() {
    let app = App::new().await;
    let context = app.context().await;
    let path = created(&app, &context).await;
    for (query, expected) in [
        ("unit=wei", "unit is base or tokens."),
        ("decimals=39", "0 to 38"),
        ("decimals=-1", "0 to 38"),
        ("dry_run=1", "dry_run is true or false."),
        ("no_amounts=yes", "no_amounts is true or false."),
        ("column=a", "There is an unknown query parameter"),
    ] {
        let answer = app
            .send(put_to(
                &app,
                &format!("{path}/addresses?{query}"),
                "text/csv",
                address(1),
            ))
            .await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(expected), "{query}: {}", answer.body);
    }
    let parquet = put(&app, &path, "application/vnd.apache.parquet", address(1))
        .insert_header(("content-encoding", "gzip"));
    app.send(parquet).await.is_error(415, "m_g_y_1");
}

#[actix_web::test]
async fn bad_upload_stores_nothing_and_can_be_repeated() {
    let app = App::new().await;
    let context = app.context().await;
    let path = created(&app, &context).await;
    for (body, expected) in [
        (String::new(), "the upload has no address"),
        (
            format!("{}\n0x12\n", address(1)),
            "Line 2: the address is \\\"0x12\\\"",
        ),
        (
            format!("address,amount_wei\n{},1\n{},2\n", address(1), address(1)),
            "has the amount 2 in base units, and 1 in line 2",
        ),
        (
            format!("address,amount_wei\n{},1.5\n", address(1)),
            "Line 2: the amount is",
        ),
        (format!("{},1\n", address(1)), "no header"),
        ("x".repeat(5_000), "line 1 has more than 4096 bytes"),
    ] {
        let answer = app.send(put(&app, &path, "text/csv", body)).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(expected), "{}", answer.body);
    }
    let truncated_file = &zstd::encode_all(address(1).repeat(50).as_bytes(), 1).unwrap()[..20];
    let answer = app
        .send(
            put(&app, &path, "text/csv", truncated_file.to_vec())
                .insert_header(("content-encoding", "zstd")),
        )
        .await;
    answer.is_error(400, "m_g_p_1");
    app.send(put(&app, &path, "application/json", "[]"))
        .await
        .is_error(400, "m_g_p_1");
    app.send(put(&app, &path, "text/plain", "[]"))
        .await
        .is_error(415, "m_g_y_1");
    app.send(put(&app, &path, "text/csv", address(1)).insert_header(("content-encoding", "br")))
        .await
        .is_error(415, "m_g_y_1");
    assert_eq!(get(&app, &path).await.json()["data"]["state"], "uploading");
    assert_eq!(
        app.send(put(&app, &path, "text/csv", address(1)))
            .await
            .status,
        200
    );
    app.send(put(&app, &path, "text/csv", address(2)))
        .await
        .is_error(409, "m_s_c_1");
}

#[actix_web::test]
async fn download_is_resumed_at_any_offset() {
    let app = App::new().await;
    let context = app.context().await;
    let lines = (1..1_200).map(address).collect::<Vec<_>>().join("\n");
    let path = draft(&app, &context, &lines).await;
    for format in ["csv", "ndjson", "merkle", "airdrop"] {
        let file = format!("{path}/file?format={format}");
        let complete = get(&app, &file).await;
        let etag = complete.header("etag").unwrap().to_owned();
        assert_eq!(
            etag,
            format!(
                "\"{}\"",
                data_encoding::HEXLOWER.encode(&Sha256::digest(&complete.body))
            )
        );
        assert_eq!(complete.header("accept-ranges"), Some("bytes"));
        let total = complete.body.len();
        for first in [0, 1, 40_000, total / 2, total - 1] {
            let request = with_key(TestRequest::get().uri(&file), &app.secret)
                .insert_header(("range", format!("bytes={first}-")))
                .insert_header(("if-range", etag.clone()));
            let part = app.send(request).await;
            let range = format!("bytes {first}-{}/{total}", total - 1);
            assert_eq!(
                (part.status, part.header("content-range")),
                (206, Some(range.as_str()))
            );
            assert_eq!(part.body, complete.body[first..], "{format} from {first}");
        }
        let ask = |name: &'static str, value: String| {
            app.send(
                with_key(TestRequest::get().uri(&file), &app.secret).insert_header((name, value)),
            )
        };
        assert_eq!(
            ask("range", "bytes=-5".into()).await.body,
            complete.body[total - 5..]
        );
        assert_eq!(
            ask("range", "bytes=2-4".into()).await.body,
            complete.body[2..5]
        );
        assert_eq!(
            ask("range", "bytes=0-1,4-5".into()).await.status,
            200,
            "several ranges are the complete file"
        );
        let beyond = ask("range", format!("bytes={total}-")).await;
        beyond.is_error(416, "m_s_r_1");
        assert_eq!(
            beyond.header("content-range"),
            Some(format!("bytes */{total}").as_str())
        );
        assert_eq!(ask("if-none-match", etag).await.status, 304);
    }
    let request = with_key(
        TestRequest::get().uri(&format!("{path}/file?format=csv")),
        &app.secret,
    );
    let other_request = request
        .insert_header(("range", "bytes=5-"))
        .insert_header(("if-range", "\"other\""));
    assert_eq!(
        app.send(other_request).await.status,
        200,
        "a changed file is sent from its beginning"
    );
}

#[actix_web::test]
async fn unknown_format_and_impossible_decimals_are_explained() {
    let app = App::new().await;
    let context = app.context().await;
    let path = draft(&app, &context, &address(1)).await;
    for (query, expected) in [
        ("format=xlsx", "format is one of csv, "),
        ("format=airdrop&decimals=256", "0 to 255"),
        ("format=airdrop&decimals=many", "0 to 255"),
        ("decimals=6", "The query parameter format is missing."),
        ("format=csv&page=2", "There is an unknown query parameter"),
    ] {
        let answer = get(&app, &format!("{path}/file?{query}")).await;
        answer.is_error(400, "m_g_p_1");
        assert!(answer.body.contains(expected), "{query}: {}", answer.body);
    }
}

#[actix_web::test]
async fn finalizing_lists_changed_addresses() {
    let app = App::new().await;
    let context = app.context().await;
    let path = draft(&app, &context, &format!("{}\n{}\n", address(1), address(2))).await;
    assert_eq!(
        get(&app, &format!("{path}/file?format=changes"))
            .await
            .body
            .lines()
            .count(),
        1
    );
    flag(&app, &context, &address(2)).await;
    let finalize_answer = post(&app, &format!("{path}/finalize")).await;
    assert_eq!(
        finalize_answer.json()["data"]["state"],
        "finalizing",
        "{}",
        finalize_answer.body
    );
    get(&app, &format!("{path}/file?format=csv"))
        .await
        .is_error(409, "m_s_c_1");
    run_jobs(&app).await;
    let snapshot = get(&app, &path).await.json();
    assert_eq!(
        (&snapshot["data"]["state"], &snapshot["data"]["changed"]),
        (&json!("final"), &json!(1))
    );
    let changes = get(&app, &format!("{path}/file?format=changes")).await;
    let expected_changes = format!(
        "address,draft_is_bot,draft_score,is_bot,score\r\n{},false,0.00,true,1.00\r\n",
        address(2)
    );
    assert_eq!(changes.body, expected_changes);
    assert_eq!(
        post(&app, &format!("{path}/finalize")).await.json()["data"]["state"],
        "final",
        "a retry changes nothing"
    );
    assert_eq!(billed(&app).await, 2);
}

#[actix_web::test]
async fn manifest_is_signed() {
    let app = App::new().await;
    let context = app.context().await;
    flag(&app, &context, &address(2)).await;
    let path = draft(&app, &context, &format!("{}\n{}\n", address(1), address(2))).await;
    let file = get(&app, &format!("{path}/file?format=csv")).await;
    let manifest = get(&app, &format!("{path}/manifest?format=csv"))
        .await
        .json();
    let data = &manifest["data"];
    assert_eq!(
        file.header("etag"),
        Some(format!("{:?}", data["sha256"].as_str().unwrap()).as_str())
    );
    let signer = app.ports.secrets.signer();
    let payload = signer
        .verify(MANIFEST_TYPE, data["signed"].as_str().unwrap())
        .unwrap();
    let claims: Value = serde_json::from_str(&payload).unwrap();
    assert_eq!(
        claims["file"],
        json!({"format": "csv", "sha256": data["sha256"], "bytes": file.body.len()})
    );
    assert_eq!(
        claims["rows"],
        json!({"human": 0, "bot": 1, "unsure": 0, "unknown": 1})
    );
    assert_eq!(
        (&claims["state"], &claims["units"], &claims["ledger"]["seq"]),
        (&json!("draft"), &json!(2), &json!(2))
    );
    assert_eq!(claims["context"], json!(context));
}

#[actix_web::test]
async fn all_addresses_of_a_context_are_listed() {
    let app = App::new().await;
    let context = app.context().await;
    for number in [5, 3, 9] {
        flag(&app, &context, &address(number)).await;
    }
    let answer = create(&app, &json!({"context_id": context, "source": "seen"})).await;
    let path = format!(
        "{SNAPSHOTS}/{}",
        answer.json()["data"]["id"].as_str().unwrap()
    );
    app.send(put(&app, &path, "text/csv", address(1)))
        .await
        .is_error(409, "m_s_c_1");
    run_jobs(&app).await;
    let snapshot = get(&app, &path).await.json();
    assert_eq!(
        (&snapshot["data"]["state"], &snapshot["data"]["addresses"]),
        (&json!("draft"), &json!(3))
    );
    get(&app, &format!("{path}/file?format=merkle"))
        .await
        .is_error(409, "m_s_c_1");
}

#[actix_web::test]
async fn job_waits_for_the_next_period_at_a_cap() {
    let app = App::new().await;
    let context = app.context().await;
    app.state
        .services
        .billing
        .set_limit(&app.client, Limit::Lookups(Some(2)))
        .await
        .unwrap();
    let path = created(&app, &context).await;
    let lines = format!("{}\n{}\n{}\n", address(1), address(2), address(3));
    assert_eq!(
        app.send(put(&app, &path, "text/csv", lines)).await.status,
        200
    );
    run_jobs(&app).await;
    let snapshot = get(&app, &path).await.json();
    assert_eq!(
        (&snapshot["data"]["state"], &snapshot["data"]["pause"]),
        (&json!("running"), &json!("cap_reached"))
    );
    assert_eq!(
        (&snapshot["data"]["units"], billed(&app).await),
        (&json!(2), 2)
    );
    assert!(snapshot["data"]["resumes_at"].as_str().unwrap() > app.now().to_string().as_str());
    get(&app, &format!("{path}/file?format=csv"))
        .await
        .is_error(409, "m_s_c_1");
    app.wait(Duration::from_hours(24 * 11));
    run_jobs(&app).await;
    assert_eq!(get(&app, &path).await.json()["data"]["state"], "draft");
    assert_eq!(billed(&app).await, 3);
}

#[actix_web::test]
async fn retry_with_an_idempotency_key_creates_one_snapshot() {
    let app = App::new().await;
    let context = app.context().await;
    let ask = |source: &str| {
        let body = json!({"context_id": context, "source": source}).to_string();
        app.send(
            post_json(SNAPSHOTS, &app.secret, body).insert_header(("idempotency-key", "payout-7")),
        )
    };
    let first = ask("upload").await;
    let again = ask("upload").await;
    assert_eq!(first.json()["data"]["id"], again.json()["data"]["id"]);
    ask("seen").await.is_error(422, "m_g_i_2");
    let snapshot_list = get(&app, SNAPSHOTS).await.json();
    assert_eq!(
        snapshot_list["data"]["snapshots"].as_array().unwrap().len(),
        1
    );
}

#[actix_web::test]
async fn snapshot_is_seen_by_its_client_and_environment_only() {
    let app = App::new().await;
    let context = app.context().await;
    let path = created(&app, &context).await;
    let sandbox = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let request = with_key(TestRequest::get().uri(&path), sandbox.secret.expose());
    app.send(request).await.is_error(404, "m_g_n_1");
    let sandbox_answer = app
        .send(with_key(
            TestRequest::get().uri(SNAPSHOTS),
            sandbox.secret.expose(),
        ))
        .await;
    assert_eq!(sandbox_answer.json()["data"]["snapshots"], json!([]));
    get(&app, &format!("{SNAPSHOTS}/nothing"))
        .await
        .is_error(404, "m_g_n_1");
    let deletion = app
        .send(with_key(TestRequest::delete().uri(&path), &app.secret))
        .await;
    assert_eq!(deletion.status, 200, "{}", deletion.body);
    get(&app, &path).await.is_error(404, "m_g_n_1");
    create(&app, &json!({"context_id": "nonsense", "source": "seen"}))
        .await
        .is_error(401, "m_a_c_1");
    create(
        &app,
        &json!({"context_id": context, "source": "seen", "amount": "1.5"}),
    )
    .await
    .is_error(400, "m_g_p_1");
}

#[actix_web::test]
async fn snapshots_are_limited_and_expire() {
    let app = App::new().await;
    let context = app.context().await;
    let draft = draft(&app, &context, &address(1)).await;
    for _ in 1..MAX_SNAPSHOTS {
        created(&app, &context).await;
    }
    create(&app, &json!({"context_id": context, "source": "seen"}))
        .await
        .is_error(409, "m_s_c_1");
    app.wait(Duration::from_hours(24 * 30));
    run_jobs(&app).await;
    assert_eq!(get(&app, &draft).await.status, 200, "30 days are not over");
    app.wait(Duration::from_millis(1));
    run_jobs(&app).await;
    get(&app, &draft).await.is_error(404, "m_g_n_1");
    assert_eq!(billed(&app).await, 1, "ledger rows stay");
}

#[actix_web::test]
async fn upload_respects_the_disk_reserve() {
    let spool = SpoolSettings {
        reserved_free_bytes: u64::MAX,
        ..SpoolSettings::default()
    };
    let app = App::with_settings(HttpSettings {
        spool,
        ..HttpSettings::default()
    })
    .await;
    let context = app.context().await;
    let path = created(&app, &context).await;
    let answer = app.send(put(&app, &path, "text/csv", address(1))).await;
    answer.is_error(503, "m_g_x_2");
    assert!(
        answer
            .body
            .contains("The disk has no space left for temporary files"),
        "{}",
        answer.body
    );
    assert_eq!(answer.header("retry-after").unwrap(), "10");
}

#[actix_web::test]
async fn upload_that_expands_to_empty_lines_is_rejected() {
    let app = App::new().await;
    let context = app.context().await;
    let path = created(&app, &context).await;
    let mut gzip = GzEncoder::new(Vec::new(), Compression::best());
    gzip.write_all(&vec![b'\n'; 16 << 20]).unwrap();
    let upload = put(&app, &path, "text/csv", gzip.finish().unwrap())
        .insert_header(("content-encoding", "gzip"));
    let answer = app.send(upload).await;
    answer.is_error(400, "m_g_p_1");
    assert!(
        answer
            .body
            .contains("line 1001: the upload has more than 1000 empty lines"),
        "{}",
        answer.body
    );
}

#[actix_web::test]
async fn sandbox_upload_has_a_daily_limit() {
    let app = App::new().await;
    let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
    let secret = sandbox_key.secret.expose();
    let registration = app
        .send(post_json(REGISTER, secret, r#"{"context_title":"spring"}"#))
        .await
        .json();
    let request =
        json!({"context_id": registration["data"]["context_id"], "source": "upload"}).to_string();
    let new_snapshot = app.send(post_json(SNAPSHOTS, secret, request)).await.json();
    let path = format!(
        "{SNAPSHOTS}/{}/addresses",
        new_snapshot["data"]["id"].as_str().unwrap()
    );
    let upload = |count: u64| {
        let lines = (0..count).map(address).collect::<Vec<_>>().join("\n");
        let request = TestRequest::put()
            .uri(&path)
            .insert_header(("content-type", "text/csv"));
        app.send(with_key(request, secret).set_payload(lines))
    };
    let rejection = upload(DailyLookups::SANDBOX_LIMIT + 1).await;
    rejection.is_error(400, "m_g_p_1");
    assert!(
        rejection.body.contains("at most 10000 addresses"),
        "{}",
        rejection.body
    );
    assert_eq!(upload(DailyLookups::SANDBOX_LIMIT).await.status, 200);
}

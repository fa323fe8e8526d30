//! Runs the cases on standard input, one JSON object a line, with the crate `voight-client`.

use std::collections::HashMap;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, stdin};
use tokio::task::JoinSet;
use voight_client::generated::{
    self, BatchLookup, IncludedStatus, LedgerHead, Operation, QuoteRequest,
};
use voight_client::{
    Claim, Client, Error, File, Kind, Parameters, Receipt, SnapshotOptions, Subject, UploadOptions,
    WEBHOOK_TOLERANCE, verify_webhook,
};

const OPERATIONS: [Operation; 12] = [
    generated::LIST_INVOICES,
    generated::GET_INVOICE,
    generated::CREATE_SESSION,
    generated::EXPORT_USAGE,
    generated::LIST_SNAPSHOTS,
    generated::DELETE_SNAPSHOT,
    generated::GET_USAGE,
    generated::LOOK_UP_ADDRESS,
    generated::LOOK_UP_BATCH,
    generated::LOOK_UP_ADDRESS_DETAIL,
    generated::REGISTER_CONTEXT,
    generated::CHANGE_CONTEXT,
];

fn verdict(kind: Kind) -> &'static str {
    match kind {
        Kind::Human => "human",
        Kind::Bot => "bot",
        Kind::Unknown => "unknown",
    }
}

fn receipt_of(receipt: &Receipt) -> Value {
    json!({
        "context_id": receipt.context_id, "eoa_address": receipt.eoa_address, "origin": receipt.origin,
        "origin_allowlisted": receipt.origin_allowlisted, "owned": receipt.owned, "test": receipt.test,
        "issued_at": receipt.issued_at.to_string(), "expires_at": receipt.expires_at.to_string(),
    })
}

fn plain<T: serde::Serialize>(result: T) -> Value {
    serde_json::to_value(result).unwrap()
}

fn text(bytes: Vec<u8>) -> Value {
    String::from_utf8(bytes).unwrap().into()
}

/// Returns the parameters of an operation that is called by its id.
fn parameters(arguments: &Value) -> Parameters<'_> {
    let members = |name: &str| arguments[name].as_object().into_iter().flatten();
    Parameters {
        path: members("path")
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect::<HashMap<_, _>>(),
        query: members("query")
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap().to_owned()))
            .collect(),
        body: Some(arguments["body"].clone()).filter(|body| !body.is_null()),
        idempotency_key: arguments["idempotency_key"].as_str(),
    }
}

fn snapshot_options(arguments: &Value) -> SnapshotOptions<'_> {
    let string = |name: &str| arguments[name].as_str();
    let include: Option<Vec<IncludedStatus>> =
        serde_json::from_value(arguments["include"].clone()).unwrap();
    SnapshotOptions {
        context_id: string("context_id").unwrap_or_default(),
        idempotency_key: string("idempotency_key").unwrap_or_default(),
        addresses: string("addresses").map(|csv| csv.as_bytes().to_vec()),
        upload: UploadOptions {
            address_column: string("address_column"),
            amount_column: string("amount_column"),
            no_amounts: arguments["no_amounts"].as_bool().unwrap_or_default(),
            unit: string("unit"),
            decimals: arguments["decimals"]
                .as_u64()
                .and_then(|decimals| decimals.try_into().ok()),
            ..UploadOptions::default()
        },
        dry_run: arguments["dry_run"].as_bool().unwrap_or_default(),
        amount: string("amount").map(str::to_owned),
        include: include.unwrap_or_default(),
        timeout: arguments["timeout_ms"].as_u64().map(Duration::from_millis),
    }
}

/// Verifies a webhook, which needs no client.
fn verify(arguments: &Value) -> Result<Value, Error> {
    let headers = arguments["headers"].as_object().into_iter().flatten();
    let headers = headers.map(|(name, value)| (name, value.as_str().unwrap()));
    let keys = arguments["keys"].as_array().into_iter().flatten();
    let keys: Vec<_> = keys.map(|key| key.as_str().unwrap()).collect();
    let seconds = arguments["now"].as_u64().map(Duration::from_secs);
    let now = seconds.map_or_else(SystemTime::now, |seconds| UNIX_EPOCH + seconds);
    let tolerance = arguments["tolerance_ms"].as_u64();
    let tolerance = tolerance.map_or(WEBHOOK_TOLERANCE, Duration::from_millis);
    let body = arguments["body"].as_str().unwrap().as_bytes();
    let event = verify_webhook(body, headers, &keys, now, tolerance)?;
    Ok(json!({
        "id": event.id, "type": event.kind, "timestamp": event.timestamp.to_string(), "data": event.data,
    }))
}

async fn run(client: &Client, case: &Value) -> Result<Value, Error> {
    let arguments = &case["arguments"];
    let string = |name: &str| arguments[name].as_str().unwrap_or_default();
    let key = arguments["idempotency_key"].as_str();
    let subject = Subject {
        eoa_address: string("eoa_address"),
        context_id: string("context_id"),
        idempotency_key: key,
    };
    let file = File {
        format: string("format"),
        decimals: arguments["decimals"].as_u64().map(|value| value as u8),
    };
    let parameters = parameters(arguments);
    let operation = || {
        *OPERATIONS
            .iter()
            .find(|operation| operation.id == string("operation"))
            .unwrap()
    };
    Ok(match case["call"].as_str().unwrap() {
        "get_verdict" => {
            let claim = Claim {
                receipt: string("receipt"),
                eoa_address: string("eoa_address"),
                context_id: string("context_id"),
                idempotency_key: key,
                fail_open: arguments["fail_open"] == true,
            };
            let result = client.get_verdict(&claim).await?;
            json!({
                "verdict": verdict(result.verdict), "score": result.score, "failed_open": result.failed_open.is_some(),
                "reason": result.failed_open.map(|error| error.code), "receipt": result.receipt.as_ref().map(receipt_of),
            })
        }
        "look_up" => {
            let lookup = client.look_up(&subject).await?;
            json!({"verdict": verdict(lookup.verdict), "score": lookup.score})
        }
        "look_up_detail" => plain(client.look_up_detail(&subject).await?),
        "look_up_batch" => {
            let eoa_addresses = serde_json::from_value(arguments["eoa_addresses"].clone()).unwrap();
            let batch = BatchLookup {
                context_id: string("context_id").to_owned(),
                eoa_addresses,
            };
            plain(client.look_up_batch(&batch, key).await?)
        }
        "register_context" => client.register_context(string("title"), key).await?.into(),
        "create_quote" => {
            let units = arguments["units"].as_i64().unwrap();
            plain(
                client
                    .create_quote(&QuoteRequest {
                        context_id: string("context_id").to_owned(),
                        units,
                    })
                    .await?,
            )
        }
        "ledger_head" => {
            let saved_head: Option<LedgerHead> =
                serde_json::from_value(arguments["saved"].clone()).unwrap();
            plain(client.ledger_head(saved_head.as_ref()).await?)
        }
        "take_snapshot" => {
            let options = snapshot_options(arguments);
            plain(client.take_snapshot(&options).await?)
        }
        "finalize_snapshot" => plain(client.finalize_snapshot(string("id")).await?),
        "download_snapshot" => text(client.download_snapshot(string("id"), file).await?),
        "snapshot_manifest" => plain(client.snapshot_manifest(string("id"), file).await?),
        "verify_receipt" => receipt_of(&client.verify_receipt(string("receipt"), &subject).await?),
        "verify_webhook" => verify(arguments)?,
        "call" => client.call(operation(), &parameters).await?,
        "call_raw" => text(client.call_raw(operation(), &parameters).await?),
        other => panic!("{other}"),
    })
}

/// Runs the calls before that of the case; their failures are part of the case.
async fn prepare(client: &Client, steps: &[Value]) {
    for step in steps {
        if let Some(pause) = step["wait_ms"].as_u64() {
            tokio::time::sleep(Duration::from_millis(pause)).await;
        } else if step["beside"] == true {
            let client = client.clone();
            let step = step.clone();
            tokio::spawn(async move { drop(run(&client, &step).await) });
        } else {
            drop(run(client, step).await);
        }
    }
}

async fn repeat(client: &Client, case: &Value) -> Result<Value, Error> {
    prepare(
        client,
        case["before"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default(),
    )
    .await;
    for _ in 1..case["repeat"].as_u64().unwrap_or(1) {
        run(client, case).await?;
    }
    run(client, case).await
}

async fn outcome(case: &Value) -> Value {
    let settings = &case["client"];
    let client = Client::new(
        settings["base_url"].as_str().unwrap(),
        settings["api_key"].as_str().unwrap(),
    );
    let client = client.and_then(|client| match &settings["timeout_ms"] {
        Value::Null => Ok(client),
        timeout => client.with_timeout(Duration::from_millis(timeout.as_u64().unwrap_or_default())),
    });
    let mut debug_text = format!("{client:?} {client:#?}");
    let result = match client {
        Ok(client) => repeat(&client, case).await,
        Err(error) => Err(error),
    };
    let error = match result {
        Ok(ok) => return json!({"ok": ok, "shown": debug_text}),
        Err(error) => error,
    };
    debug_text += &format!("{error} {error:?}");
    let outage = error.is_outage();
    let Error {
        code,
        id,
        status,
        retryable,
        request_id,
        retry_after,
        remaining,
        message,
        ..
    } = error;
    json!({"shown": debug_text, "error": {
        "code": code, "id": id, "status": status, "retryable": retryable, "outage": outage, "request_id": request_id,
        "retry_after": retry_after, "remaining": remaining, "message": message,
    }})
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let mut lines = BufReader::new(stdin()).lines();
    let mut running = JoinSet::new();
    while let Some(line) = lines.next_line().await.unwrap() {
        running.spawn(async move {
            let case: Value = serde_json::from_str(&line).unwrap();
            let began = Instant::now();
            let mut answer = outcome(&case).await;
            answer["name"] = case["name"].clone();
            answer["took_ms"] = json!(began.elapsed().as_millis() as u64);
            println!("{answer}");
        });
    }
    while let Some(ended) = running.join_next().await {
        ended.unwrap();
    }
}

//! Back end of a quest. It serves the page of `../html`, and decides on its claims.

mod voight;

use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};
use tower_http::services::ServeDir;
use voight::{Failure, Verdict, Voight};

struct Quest {
    voight: Voight,
    /// Owners of the badge. In your service this is a database table.
    badges: Mutex<BTreeSet<String>>,
}

/// Request of the page.
#[derive(Deserialize)]
struct Claim {
    #[serde(default)]
    address: String,
    receipt: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let voight = match Voight::from_environment() {
        Ok(voight) => voight,
        Err(missing) => {
            eprintln!("{missing}");
            return ExitCode::from(2);
        }
    };
    match serve(voight).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The quest cannot be served: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(voight: Voight) -> std::io::Result<()> {
    let variable = |name, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let (page, port) = (variable("PAGE", "../html"), variable("PORT", "3000"));
    let app = Router::new()
        .route("/quest", get(quest))
        .route("/badges", get(holders).post(claim))
        .fallback_service(ServeDir::new(page))
        .with_state(Arc::new(Quest { voight, badges: Mutex::default() }));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    println!("The quest is at http://localhost:{port}");
    axum::serve(listener, app).await
}

/// Returns the configuration of the page. The API key is not part of it.
async fn quest(State(quest): State<Arc<Quest>>) -> Json<Value> {
    Json(json!({ "service": quest.voight.url, "contextId": quest.voight.context_id }))
}

/// Returns the owners of the badge.
async fn holders(State(quest): State<Arc<Quest>>) -> Json<BTreeSet<String>> {
    Json(quest.badges.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

/// Handles a claim.
async fn claim(State(quest): State<Arc<Quest>>, Json(claim): Json<Claim>) -> (StatusCode, Json<Value>) {
    let verdict = quest.voight.verdict(claim.receipt.as_deref().unwrap_or_default(), &claim.address).await;
    if let Ok(Verdict::Human) = verdict {
        quest.badges.lock().unwrap_or_else(PoisonError::into_inner).insert(claim.address.to_lowercase());
    }
    let (status, message) = decide(verdict);
    (status, Json(json!({ "message": message })))
}

/// Decides on a claim: a visitor who completed a check for this wallet just now and is no bot gets the badge.
fn decide(verdict: Result<Verdict, Failure>) -> (StatusCode, &'static str) {
    match verdict {
        Ok(Verdict::Human) => (StatusCode::OK, "The badge is yours."),
        Ok(Verdict::Unknown) => (StatusCode::ACCEPTED, "Thanks! Your claim is waiting for a review."),
        // Never reveal the verdict: the browser must not become an oracle.
        Ok(Verdict::Bot) => (StatusCode::FORBIDDEN, "We could not complete this claim."),
        Err(Failure::Receipt) => (StatusCode::FORBIDDEN, "Complete the check for this wallet, then claim again."),
        Err(Failure::Unavailable(why)) => {
            eprintln!("no verdict: {why}");
            (StatusCode::SERVICE_UNAVAILABLE, "The quest is busy. Please try again in a minute.")
        }
    }
}

//! Back end of a quest. It serves the page of `../html`, and decides on its claims.

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
use voight_client::{Claim, Client, Error, Kind, Verdict};

/// Lowest score that supports a human. Below it the checks of a wallet say nothing about its owner.
const MIN_SCORE: f64 = 0.1;

struct Quest {
    voight: Client,
    settings: Settings,
    /// Owners of the badge. In your service this is a database table.
    badges: Mutex<BTreeSet<String>>,
}

/// Service and context of the quest.
struct Settings {
    url: String,
    api_key: String,
    context_id: String,
}

impl Settings {
    /// Reads the configuration; an error has a line for each missing variable.
    fn from_environment() -> Result<Self, String> {
        let required_variables = [
            ("VOIGHT_URL", "the address of the Voight service, as http://localhost:8080"),
            ("VOIGHT_API_KEY", "the secret key that registered the context"),
            ("VOIGHT_CONTEXT", "the quest's context, as spring_quest.01kanc5xt6f3vq0d9g8m2y7rwb"),
        ];
        let [url, api_key, context_id] = required_variables.map(|(name, _)| std::env::var(name).unwrap_or_default());
        let absent = required_variables.iter().zip([&url, &api_key, &context_id]).filter(|(_, value)| value.is_empty());
        let missing: Vec<_> =
            absent.map(|((name, what), _)| format!("{name} is not set: export it, it is {what}.")).collect();
        if missing.is_empty() { Ok(Self { url, api_key, context_id }) } else { Err(missing.join("\n")) }
    }
}

/// Request of the page.
#[derive(Deserialize)]
struct BadgeRequest {
    #[serde(default)]
    address: String,
    receipt: Option<String>,
}

#[tokio::main]
async fn main() -> ExitCode {
    let settings_and_client = Settings::from_environment().and_then(|settings| {
        let voight = Client::new(&settings.url, &settings.api_key).map_err(|error| error.to_string())?;
        Ok((voight, settings))
    });
    let (voight, settings) = match settings_and_client {
        Ok(settings_and_client) => settings_and_client,
        Err(message) => {
            eprintln!("{message}");
            return ExitCode::from(2);
        }
    };
    match serve(Quest { voight, settings, badges: Mutex::default() }).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("The quest cannot be served: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn serve(state: Quest) -> std::io::Result<()> {
    let variable = |name, usual: &str| std::env::var(name).unwrap_or_else(|_| usual.to_owned());
    let page = variable("PAGE", "../html");
    let port = variable("PORT", "3000");
    let app = Router::new()
        .route("/quest", get(quest))
        .route("/badges", get(holders).post(claim))
        .fallback_service(ServeDir::new(page))
        .with_state(Arc::new(state));
    let listener = tokio::net::TcpListener::bind(format!("127.0.0.1:{port}")).await?;
    println!("The quest is at http://localhost:{port}");
    axum::serve(listener, app).await
}

/// Returns the configuration of the page. The API key is not part of it.
async fn quest(State(quest): State<Arc<Quest>>) -> Json<Value> {
    Json(json!({ "service": quest.settings.url, "contextId": quest.settings.context_id }))
}

/// Returns the owners of the badge.
async fn holders(State(quest): State<Arc<Quest>>) -> Json<BTreeSet<String>> {
    Json(quest.badges.lock().unwrap_or_else(PoisonError::into_inner).clone())
}

/// Handles a claim.
async fn claim(State(quest): State<Arc<Quest>>, Json(request): Json<BadgeRequest>) -> (StatusCode, Json<Value>) {
    let claim = Claim {
        receipt: request.receipt.as_deref().unwrap_or_default(),
        eoa_address: &request.address,
        context_id: &quest.settings.context_id,
        ..Claim::default()
    };
    let (status, message) = decide(quest.voight.get_verdict(&claim).await);
    if status == StatusCode::OK {
        quest.badges.lock().unwrap_or_else(PoisonError::into_inner).insert(request.address.to_lowercase());
    }
    (status, Json(json!({ "message": message })))
}

/// Decides on a claim: a visitor who completed a check for this wallet just now and is a human gets the badge.
fn decide(verdict: Result<Verdict, Error>) -> (StatusCode, &'static str) {
    match verdict {
        // Never reveal the verdict: the browser must not become an oracle.
        Ok(Verdict { verdict: Kind::Bot, .. }) => (StatusCode::FORBIDDEN, "We could not complete this claim."),
        Ok(Verdict { score, .. }) if score >= MIN_SCORE => (StatusCode::OK, "The badge is yours."),
        // Missing evidence: a bot that has not been checked looks the same, so the badge waits, and no visitor is rejected.
        Ok(_) => (StatusCode::ACCEPTED, "Thanks! Your claim is waiting for a review."),
        // The claim has no valid receipt or address: it is the visitor's fault. Everything else is the service's.
        Err(error) if error.code.starts_with("receipt_") || error.code == "invalid_argument" => {
            (StatusCode::FORBIDDEN, "Complete the check for this wallet, then claim again.")
        }
        Err(error) => {
            eprintln!("no verdict: {error}");
            (StatusCode::SERVICE_UNAVAILABLE, "The quest is busy. Please try again in a minute.")
        }
    }
}

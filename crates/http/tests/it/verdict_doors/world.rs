//! Service with a verdict, and the callers that use its doors.

use super::Case;
use crate::admin::console::Console;
use crate::common::{ADDRESS, Answer, App, RecordingOutbound};
use actix_web::test::TestRequest;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::fmt::Write;
use std::sync::Arc;
use voight_domain::metering::{LedgerId, Limit, RowKind};
use voight_domain::registry::{Actor, ContextChange};
use voight_domain::verdict::OverrideTo;
use voight_domain::vocabulary::{ClientId, Environment, Scope};
use voight_http::HttpSettings;

/// Key with which a door is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caller {
    /// Live key that registered the context of the verdict.
    Owner,
    /// Live key of another client, which names the context of the owner.
    OtherClient,
    /// Sandbox key of the owner's client, which names the live context.
    Intruder,
    /// Sandbox key of the owner's client, which names its own context.
    Sandbox,
}

/// Service with the verdict of one address.
pub(crate) struct World {
    pub(crate) console: Console,
    pub(crate) outbound: Arc<RecordingOutbound>,
    /// Context of the verdict.
    pub(crate) context: String,
    sandbox_context: String,
    sandbox_secret: String,
    other_secret: String,
    other_client: ClientId,
    /// Paths of the endpoints of the owner, the other client and the sandbox.
    endpoints: [String; 3],
    /// Path of the last created snapshot.
    pub(crate) snapshot: RefCell<Option<String>>,
}

impl World {
    /// Creates the service. The verdict is a human, and the address was never looked up.
    pub(crate) async fn new() -> Self {
        let outbound = Arc::new(RecordingOutbound::new());
        let app = App::with_outbound(HttpSettings::default(), outbound.clone()).await;
        let other_key = app.issue_to_other_client(&Scope::ALL).await;
        let sandbox_key = app.issue(Environment::Sandbox, &Scope::ALL, &[]).await;
        let mut world = Self {
            context: app.context().await,
            console: Console { app },
            outbound,
            sandbox_context: String::new(),
            sandbox_secret: sandbox_key.secret.expose().to_owned(),
            other_secret: other_key.secret.expose().to_owned(),
            other_client: other_key.key.client,
            endpoints: Default::default(),
            snapshot: RefCell::default(),
        };
        let registration = json!({"context_title": "sandbox"});
        let registered = world
            .created(
                Caller::Sandbox,
                crate::common::REGISTER,
                &registration,
                "context_id",
            )
            .await;
        world.sandbox_context = registered;
        let endpoint = json!({"url": "https://hooks.example/voight"});
        let callers = [Caller::Owner, Caller::OtherClient, Caller::Sandbox];
        for (index, caller) in callers.into_iter().enumerate() {
            let path = "/api/v1/webhooks";
            let id = world.created(caller, path, &endpoint, "id").await;
            world.endpoints[index] = format!("{path}/{id}");
        }
        world.set_verdict(OverrideTo::Human).await;
        world
    }

    /// Brings the client or the context into the state of a case.
    pub(crate) async fn prepare(&self, case: Case) {
        let app = &self.console.app;
        if case == Case::Capped {
            let limit = Limit::Lookups(Some(0));
            let billing = &app.state.services.billing;
            billing.set_limit(&app.client, limit).await.unwrap();
        }
        if case == Case::Archived {
            let change = ContextChange {
                archived_at: Some(Some(app.now())),
                ..ContextChange::default()
            };
            let context = self.context.parse().unwrap();
            let registry = &app.state.services.registry;
            registry
                .change_context(&context, change, Actor::Operator, String::new())
                .await
                .unwrap();
        }
    }

    /// Sets the verdict, as an operator does.
    pub(crate) async fn set_verdict(&self, verdict: OverrideTo) {
        let operator = &self.console.app.state.services.operator;
        operator
            .override_verdict(
                &self.context.parse().unwrap(),
                ADDRESS.parse().unwrap(),
                verdict,
                "an appeal".to_owned(),
            )
            .await
            .unwrap();
    }

    /// Returns the key of a caller.
    pub(crate) fn secret(&self, caller: Caller) -> &str {
        match caller {
            Caller::Owner => &self.console.app.secret,
            Caller::OtherClient => &self.other_secret,
            Caller::Intruder | Caller::Sandbox => &self.sandbox_secret,
        }
    }

    /// Returns the context that a caller names.
    pub(crate) fn context(&self, caller: Caller) -> &str {
        match caller {
            Caller::Sandbox => &self.sandbox_context,
            Caller::Owner | Caller::OtherClient | Caller::Intruder => &self.context,
        }
    }

    /// Returns the client and the path of the endpoint that a caller owns.
    pub(crate) fn endpoint(&self, caller: Caller) -> (ClientId, &str) {
        let client = self.console.app.client.id;
        match caller {
            Caller::Owner => (client, &self.endpoints[0]),
            Caller::OtherClient => (self.other_client, &self.endpoints[1]),
            Caller::Intruder | Caller::Sandbox => (client, &self.endpoints[2]),
        }
    }

    /// Returns the number of metered lookups of both clients, live and in the sandbox.
    pub(crate) async fn metered(&self) -> [usize; 2] {
        let mut counts = [0, 0];
        for client in [self.console.app.client.id, self.other_client] {
            for (count, environment) in counts.iter_mut().zip(Environment::ALL) {
                let ledger = LedgerId {
                    client,
                    environment,
                };
                let rows = self.console.app.ports.store.rows(ledger, 0, 99).await;
                let rows = rows.unwrap();
                *count += rows
                    .iter()
                    .filter(|entry| matches!(entry.row.kind, RowKind::Lookup(_)))
                    .count();
            }
        }
        counts
    }

    /// Sends a request with a key, and an idempotency key that is the same for every use of a route by this caller.
    pub(crate) async fn send(
        &self,
        caller: Caller,
        method: &str,
        path: &str,
        body: Option<(&str, String)>,
    ) -> Answer {
        let mut request = TestRequest::with_uri(path)
            .method(method.parse().unwrap())
            .insert_header(("x-api-key", self.secret(caller)))
            .insert_header(("idempotency-key", format!("door-{caller:?}")));
        if let Some((media_type, text)) = body {
            request = request
                .insert_header(("content-type", media_type))
                .set_payload(text);
        }
        self.console.app.send(request).await
    }

    /// Posts a JSON document, and returns a member of the created object.
    async fn created(&self, caller: Caller, path: &str, body: &Value, member: &str) -> String {
        let body = ("application/json", body.to_string());
        let answer = self.send(caller, "POST", path, Some(body)).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        let data = &answer.json()["data"];
        data[member].as_str().unwrap().to_owned()
    }
}

/// Returns every byte of a response that a caller sees.
pub(crate) fn render(answer: &Answer) -> String {
    let mut headers: Vec<_> = answer
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", value.to_str().unwrap()))
        .collect();
    headers.sort();
    let mut text = String::new();
    writeln!(text, "{} {headers:?}\n{}", answer.status, answer.body).unwrap();
    text
}

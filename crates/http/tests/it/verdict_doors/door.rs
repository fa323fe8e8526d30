//! Uses of each door.

use super::Case;
use super::world::{Caller, World, render};
use crate::admin::console::{HOST, TOKEN, probe};
use crate::common::{ADDRESS, LOOKUP};
use crate::receipts::receipt;
use serde_json::{Value, json};
use std::fmt::Write;
use voight_api::public::encode_event;
use voight_domain::webhooks::EndpointName;

const JSON: &str = "application/json";
const BATCH: &str = "/api/v1/users/eoa/batch";
const SNAPSHOTS: &str = "/api/v1/snapshots";

/// Door through which a verdict can leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Door {
    Lookup,
    Detail,
    Batch,
    /// Snapshot of an upload: its draft, with every file that describes it.
    Snapshot,
    /// Snapshot whose verdicts are read again.
    FinalSnapshot,
    Feed,
    Webhook,
    EventStream,
    UsageExport,
    Receipt,
}

/// Order of the change of the verdict, the lookup that is paid for, and the use of the door.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Order {
    /// The use is the lookup, or needs none.
    Lookup,
    /// The door shows changes after a lookup.
    AfterChange,
    /// The door shows lookups after a change.
    Record,
}

impl Door {
    /// Returns the order of the steps.
    pub(crate) const fn order(self) -> Order {
        match self {
            Self::Lookup | Self::Detail | Self::Batch | Self::Snapshot | Self::Receipt => {
                Order::Lookup
            }
            Self::FinalSnapshot | Self::Feed | Self::Webhook | Self::EventStream => {
                Order::AfterChange
            }
            Self::UsageExport => Order::Record,
        }
    }

    /// Returns the callers in a case.
    pub(crate) const fn callers(self, case: Case) -> &'static [Caller] {
        match (case, self.order()) {
            (Case::Foreign, Order::Lookup) => &[Caller::OtherClient, Caller::Intruder],
            // The events of a client have one sequence of numbers, so its sandbox keys notice that a live event exists.
            (Case::Foreign, Order::AfterChange | Order::Record) => &[Caller::OtherClient],
            (Case::Sandbox, Order::Lookup) => &[Caller::Sandbox],
            // A free lookup in the sandbox does not open a live door.
            (Case::Sandbox, Order::AfterChange | Order::Record) => {
                &[Caller::Sandbox, Caller::Owner]
            }
            _ => &[Caller::Owner],
        }
    }

    /// Makes the lookup that this door depends on, if any.
    pub(crate) async fn pay(self, world: &World, caller: Caller) {
        match (self, self.order()) {
            (Self::FinalSnapshot, _) => drop(create_snapshot(world, caller).await),
            (_, Order::AfterChange | Order::Record) => drop(plain(world, caller, LOOKUP).await),
            (_, Order::Lookup) => {}
        }
    }

    /// Uses the door, and returns everything that the caller sees.
    pub(crate) async fn enter(self, world: &World, caller: Caller) -> String {
        match self {
            Self::Lookup => plain(world, caller, LOOKUP).await,
            Self::Detail => plain(world, caller, "/api/v1/users/eoa/detail").await,
            Self::Batch => batch(world, caller).await,
            Self::Snapshot => {
                create_snapshot(world, caller).await + &read_snapshot(world, caller).await
            }
            Self::FinalSnapshot => finalize(world, caller).await,
            Self::Feed => get(world, caller, "/api/v1/events?limit=100").await,
            Self::Webhook => deliver_again(world, caller).await,
            Self::EventStream => read_stream(world, caller).await,
            Self::UsageExport => {
                let dates = "from=2026-11-01&to=2026-12-01";
                let csv = format!("/api/v1/usage/export?format=csv&{dates}");
                get(world, caller, &csv).await
            }
            Self::Receipt => verify_receipt(world, caller).await,
        }
    }
}

async fn get(world: &World, caller: Caller, path: &str) -> String {
    render(&world.send(caller, "GET", path, None).await)
}

async fn post(world: &World, caller: Caller, path: &str, body: &Value) -> String {
    let body = (JSON, body.to_string());
    render(&world.send(caller, "POST", path, Some(body)).await)
}

async fn plain(world: &World, caller: Caller, path: &str) -> String {
    let context = world.context(caller);
    let target = format!("{path}?eoa_address={ADDRESS}&context_id={context}");
    get(world, caller, &target).await
}

async fn batch(world: &World, caller: Caller) -> String {
    let context = world.context(caller);
    let body = json!({"context_id": context, "eoa_addresses": [ADDRESS]});
    post(world, caller, BATCH, &body).await
}

/// Creates a snapshot of the address, and runs its job.
async fn create_snapshot(world: &World, caller: Caller) -> String {
    let context = world.context(caller);
    let request = json!({
        "context_id": context, "source": "upload", "amount": "5", "include": ["unknown"],
    });
    let body = (JSON, request.to_string());
    let answer = world.send(caller, "POST", SNAPSHOTS, Some(body)).await;
    if answer.status != 200 {
        return render(&answer);
    }
    let id = answer.json()["data"]["id"].as_str().unwrap().to_owned();
    let path = format!("{SNAPSHOTS}/{id}");
    let lines = ("text/csv", format!("{ADDRESS}\n"));
    let target = format!("{path}/addresses");
    let upload = world.send(caller, "PUT", &target, Some(lines)).await;
    world.snapshot.replace(Some(path));
    run_jobs(world).await;
    render(&answer) + &render(&upload)
}

async fn run_jobs(world: &World) {
    let snapshots = &world.console.app.state.services.snapshots;
    for (client, id) in snapshots.unfinished().await.unwrap() {
        while snapshots.continue_job(client, id).await.unwrap() {}
    }
}

/// Reads the last created snapshot, which belongs to the caller or not.
async fn read_snapshot(world: &World, caller: Caller) -> String {
    let path = world.snapshot.borrow().clone().unwrap_or_default();
    let mut text = get(world, caller, SNAPSHOTS).await;
    for document in [
        "",
        "/file?format=csv",
        "/file?format=changes",
        "/manifest?format=csv",
    ] {
        text += &get(world, caller, &format!("{path}{document}")).await;
    }
    text
}

async fn finalize(world: &World, caller: Caller) -> String {
    let path = world.snapshot.borrow().clone().unwrap_or_default();
    let target = format!("{path}/finalize");
    let answer = world.send(caller, "POST", &target, None).await;
    run_jobs(world).await;
    render(&answer) + &read_snapshot(world, caller).await
}

/// Replays all events to the endpoint of the caller, and tries to replay those of the owner.
async fn deliver_again(world: &World, caller: Caller) -> String {
    let everything = json!({"after": 0});
    let mut text = String::new();
    for owner in [caller, Caller::Owner] {
        let (_, path) = world.endpoint(owner);
        text += &post(world, caller, &format!("{path}/replay"), &everything).await;
    }
    deliver(world, caller).await;
    let requests = world.outbound.requests();
    for request in requests {
        writeln!(text, "{request:?}").unwrap();
    }
    text
}

/// Sends the events that are due for the endpoint of the caller.
async fn deliver(world: &World, caller: Caller) {
    let (client, path) = world.endpoint(caller);
    let id = path.rsplit('/').next().unwrap().parse().unwrap();
    let name = EndpointName { client, id };
    let deliveries = &world.console.app.state.services.deliveries;
    while let Some(claim) = deliveries.claim(name, 100).await.unwrap() {
        let mut results = Vec::new();
        for (attempt, event) in &claim.attempts {
            let result = deliveries.attempt(&claim.endpoint, *attempt, event, encode_event);
            results.push(result.await);
        }
        if results.is_empty() {
            return;
        }
        let conclusion = deliveries.conclude(name, claim.lease, results);
        conclusion.await.unwrap();
    }
}

/// Reads the stream of the client's events with the token of an operator, or with the API key of a foreign caller.
async fn read_stream(world: &World, caller: Caller) -> String {
    let token = match caller {
        Caller::Owner | Caller::Sandbox => TOKEN,
        Caller::OtherClient | Caller::Intruder => world.secret(caller),
    };
    let request = probe("/admin/v1/events?client=acme&limit=100", HOST)
        .insert_header(("authorization", format!("Bearer {token}")));
    render(&world.console.send(request).await)
}

/// Redeems a receipt of the address twice.
async fn verify_receipt(world: &World, caller: Caller) -> String {
    let app = &world.console.app;
    let receipt = receipt(app, &world.context, 1).to_token(&app.ports.secrets);
    let body = json!({"receipt": receipt});
    let path = "/api/v1/receipts/verify";
    let first = post(world, caller, path, &body).await;
    first + &post(world, caller, path, &body).await
}

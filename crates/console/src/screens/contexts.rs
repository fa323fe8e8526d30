//! List of contexts.

use crate::error::ConsoleError;
use crate::format::{State, Time};
use crate::page::Page;
use crate::response::show as show_page;
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Query;
use askama::Template;
use serde::Deserialize;
use std::collections::BTreeMap;
use voight_domain::ports::ContextFilter;
use voight_domain::registry::{Client, Context, ContextMode};
use voight_domain::vocabulary::ClientId;

/// Contexts of one page.
const PAGE_SIZE: usize = 100;

/// Filter of the list.
#[derive(Deserialize)]
pub(crate) struct ContextQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    client: String,
    #[serde(default)]
    page: usize,
}

#[derive(Template)]
#[template(path = "contexts.html")]
struct ContextsPage {
    page: Page,
    query: String,
    client: String,
    clients: Vec<String>,
    rows: Vec<Row>,
    total: usize,
    /// `true` if no context exists at all.
    is_empty: bool,
    next: Option<usize>,
}

/// Row of the list.
struct Row {
    id: String,
    title: String,
    client_id: String,
    client: String,
    state: State,
    sites: String,
    created_at: Time,
}

/// `GET /console/contexts`: contexts, by title and client.
pub(crate) async fn show(
    visit: Visit,
    query: Query<ContextQuery>,
) -> Result<HttpResponse, ConsoleError> {
    let query = query.into_inner();
    let registry = &visit.services().registry;
    let clients: BTreeMap<_, _> = registry
        .all_clients()
        .await?
        .into_iter()
        .map(|client| (client.id, client))
        .collect();
    let contexts = registry.all_contexts(ContextFilter::All).await?;
    let is_empty = contexts.is_empty();
    let matching_contexts: Vec<_> = contexts
        .into_iter()
        .filter(|context| query.accepts(context, &clients))
        .collect();
    let first = query.page.saturating_mul(PAGE_SIZE);
    let total = matching_contexts.len();
    let rows = matching_contexts.iter().rev().skip(first).take(PAGE_SIZE);
    let rows: Vec<_> = rows
        .map(|context| Row::new(&visit, context, &clients))
        .collect();
    Ok(show_page(&ContextsPage {
        next: (first + rows.len() < total).then(|| query.page + 1),
        page: Page::new(&visit, "Contexts"),
        query: query.q,
        client: query.client,
        clients: clients
            .values()
            .map(|client| client.name.to_string())
            .collect(),
        rows,
        total,
        is_empty,
    }))
}

impl ContextQuery {
    fn accepts(&self, context: &Context, clients: &BTreeMap<ClientId, Client>) -> bool {
        let is_of_client = self.client.is_empty()
            || clients
                .get(&context.client)
                .is_some_and(|client| client.name.as_str() == self.client);
        is_of_client && context.id.as_str().contains(self.q.trim())
    }
}

impl Row {
    fn new(visit: &Visit, context: &Context, clients: &BTreeMap<ClientId, Client>) -> Self {
        let client = clients.get(&context.client);
        Self {
            id: context.id.to_string(),
            title: context.id.title().to_owned(),
            client_id: context.client.to_string(),
            client: client.map_or_else(String::new, |client| client.name.to_string()),
            state: state(context),
            sites: sites(context, client),
            created_at: Time::new(context.created_at, visit.now),
        }
    }
}

/// Returns the state of a context.
pub(crate) fn state(context: &Context) -> State {
    match (
        context.archived_at,
        context.environment.is_test(),
        context.settings.mode,
    ) {
        (Some(_), _, _) => State::neutral("Archived"),
        (None, true, _) => State::neutral("Test"),
        (None, false, ContextMode::Enforce) => State::good("Enforce"),
        (None, false, ContextMode::Observe) => State::uncertain("Observe"),
    }
}

/// Returns the sites that may host checks of a context; empty for any site.
pub(crate) fn sites(context: &Context, client: Option<&Client>) -> String {
    let own_origins = &context.settings.origins;
    let origins = if own_origins.is_empty() {
        client.map_or(&[][..], |client| &client.origins)
    } else {
        own_origins
    };
    let texts: Vec<_> = origins.iter().map(ToString::to_string).collect();
    texts.join(", ")
}

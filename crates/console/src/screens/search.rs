//! Search box: an address, a context, a client or the prefix of a key.

use crate::error::ConsoleError;
use crate::page::Page;
use crate::response::{redirect, show as show_page};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::web::Query;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::{Client, Permission};
use voight_domain::services::ServiceError;
use voight_domain::vocabulary::EoaAddress;

/// Query of the search box.
#[derive(Deserialize)]
pub(crate) struct SearchQuery {
    #[serde(default)]
    q: String,
}

#[derive(Template)]
#[template(path = "search.html")]
struct SearchPage {
    page: Page,
    query: String,
    hits: Vec<Hit>,
}

/// Hit of a search.
struct Hit {
    kind: &'static str,
    icon: &'static str,
    name: String,
    id: String,
    path: String,
}

/// Maximum number of hits.
const MAX_HITS: usize = 50;

/// `GET /console/search?q=`: the page of the only hit, or a list of hits.
pub(crate) async fn show(
    visit: Visit,
    query: Query<SearchQuery>,
) -> Result<HttpResponse, ConsoleError> {
    let text = query.into_inner().q.trim().to_owned();
    if text.is_empty() {
        return Ok(redirect(crate::PREFIX));
    }
    if let Ok(address) = text.parse::<EoaAddress>() {
        return Ok(redirect(&format!("{}/verdicts?q={address}", crate::PREFIX)));
    }
    let mut hits = find(&visit, &text).await?;
    if hits.len() == 1 {
        return Ok(redirect(&hits.remove(0).path));
    }
    Ok(show_page(&SearchPage {
        page: Page::new(&visit, "Search"),
        query: text,
        hits,
    }))
}

async fn find(visit: &Visit, text: &str) -> Result<Vec<Hit>, ConsoleError> {
    let registry = &visit.services().registry;
    let mut hits = Vec::new();
    if visit.allows(Permission::Read)
        && let Some(context) = known(registry.resolve_context(text).await)?
    {
        let id = context.id.as_str();
        hits.push(Hit::new(
            "Context",
            "i-flag",
            context.id.title(),
            id,
            "contexts",
        ));
    }
    if let Some(client) = known(registry.find_client(text).await)? {
        hits.push(Hit::client(&client));
    }
    if let Some(key) = known(registry.resolve_key(text).await)? {
        let client = key.client.to_string();
        let label = key.label.as_ref().map_or("Key", |label| label.as_str());
        hits.push(Hit::new("Key", "i-key", label, &client, "clients"));
    }
    let lower_text = text.to_lowercase();
    if hits.is_empty() {
        for client in registry.all_clients().await? {
            if client.name.as_str().to_lowercase().contains(&lower_text) && hits.len() < MAX_HITS {
                hits.push(Hit::client(&client));
            }
        }
    }
    Ok(hits)
}

/// Returns what a reference names; `None` if it names nothing or several things.
fn known<T>(outcome: Result<T, ServiceError>) -> Result<Option<T>, ConsoleError> {
    match outcome {
        Ok(value) => Ok(Some(value)),
        Err(ServiceError::Store(error))
            if !matches!(error, voight_domain::ports::StoreError::Conflict(_)) =>
        {
            Err(error.into())
        }
        Err(_) => Ok(None),
    }
}

impl Hit {
    fn new(kind: &'static str, icon: &'static str, name: &str, id: &str, folder: &str) -> Self {
        Self {
            kind,
            icon,
            name: name.to_owned(),
            id: id.to_owned(),
            path: format!("{}/{folder}/{id}", crate::PREFIX),
        }
    }

    fn client(client: &Client) -> Self {
        let id = client.id.to_string();
        Self::new("Client", "i-clients", client.name.as_str(), &id, "clients")
    }
}

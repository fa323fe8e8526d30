//! List of clients, and the form that creates one.

use crate::error::ConsoleError;
use crate::form::Form;
use crate::format::{State, Time};
use crate::page::Page;
use crate::response::{redirect_done, show as show_page, show_again};
use crate::visit::Visit;
use actix_web::HttpResponse;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::{Client, ClientStatus};
use voight_domain::vocabulary::ClientName;

#[derive(Template)]
#[template(path = "clients.html")]
struct ClientsPage {
    page: Page,
    rows: Vec<Row>,
    /// Name in the form.
    name: String,
}

/// Row of the list.
struct Row {
    id: String,
    name: String,
    state: State,
    sites: String,
    created_at: Time,
}

/// Fields of the form of a new client.
#[derive(Deserialize)]
pub(crate) struct ClientFields {
    name: String,
}

/// `GET /console/clients`: all clients.
pub(crate) async fn show(visit: Visit) -> Result<HttpResponse, ConsoleError> {
    let page = Page::new(&visit, "Clients");
    Ok(show_page(
        &ClientsPage::new(&visit, page, String::new()).await?,
    ))
}

/// `POST /console/clients/new`: creates a client.
pub(crate) async fn create(form: Form<ClientFields>) -> Result<HttpResponse, ConsoleError> {
    let Form { visit, fields } = form;
    let name = fields.name.trim();
    match create_client(&visit, name).await {
        Ok(client) => {
            let path = format!("{}/clients/{}", crate::PREFIX, client.id);
            Ok(redirect_done(&path, "client_created"))
        }
        Err(error) => {
            let problem = error.into_correction()?;
            let page = Page::new(&visit, "Clients").with_error(&problem);
            let page = ClientsPage::new(&visit, page, name.to_owned()).await?;
            Ok(show_again(&page))
        }
    }
}

async fn create_client(visit: &Visit, name: &str) -> Result<Client, ConsoleError> {
    let name: ClientName = name.parse().map_err(ConsoleError::input)?;
    let registry = visit.services().registry.acting_as(&visit.actor());
    Ok(registry.create_client(name).await?)
}

impl ClientsPage {
    async fn new(visit: &Visit, page: Page, name: String) -> Result<Self, ConsoleError> {
        let clients = visit.services().registry.all_clients().await?;
        Ok(Self {
            page,
            rows: clients
                .iter()
                .map(|client| Row::new(visit, client))
                .collect(),
            name,
        })
    }
}

impl Row {
    fn new(visit: &Visit, client: &Client) -> Self {
        let origins: Vec<_> = client.origins.iter().map(ToString::to_string).collect();
        Self {
            id: client.id.to_string(),
            name: client.name.to_string(),
            state: state(client),
            sites: origins.join(", "),
            created_at: Time::new(client.created_at, visit.now),
        }
    }
}

/// Returns the state of a client.
pub(crate) fn state(client: &Client) -> State {
    match client.status {
        ClientStatus::Active => State::good("Active"),
        ClientStatus::Suspended => State::bad("Suspended"),
        ClientStatus::Closed => State::neutral("Closed"),
    }
}

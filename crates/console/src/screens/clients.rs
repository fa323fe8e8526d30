//! List of clients, and the form that creates one.

use crate::error::ConsoleError;
use crate::form::Form;
use crate::format::{State, Time};
use crate::page::Page;
use crate::response::{redirect_done, render, show as show_page};
use crate::visit::Visit;
use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use askama::Template;
use serde::Deserialize;
use voight_domain::registry::{Client, ClientStatus};
use voight_domain::services::ServiceError;
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
    let outcome = match name.parse::<ClientName>() {
        Ok(name) => {
            let registry = visit.services().registry.acting_as(&visit.actor());
            registry
                .create_client(name)
                .await
                .map_err(ConsoleError::from)
        }
        Err(error) => Err(ServiceError::Invalid(error.to_string()).into()),
    };
    match outcome {
        Ok(client) => {
            let path = format!("{}/clients/{}", crate::PREFIX, client.id);
            Ok(redirect_done(&path, "client_created"))
        }
        Err(error) if error.is_correctable() => {
            let page = Page::new(&visit, "Clients").with_error(error.text());
            let page = ClientsPage::new(&visit, page, name.to_owned()).await?;
            Ok(render(StatusCode::UNPROCESSABLE_ENTITY, &page))
        }
        Err(error) => Err(error),
    }
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

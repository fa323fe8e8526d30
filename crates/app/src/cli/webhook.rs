//! `voight webhook`.

mod change;
mod create;
mod deliveries;
mod replay;
mod view;
mod webhook_arg;

use super::confirm::Yes;
use super::invocation::Invocation;
use super::paging::Paging;
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::{Args, Subcommand};
use voight_api::admin::{ChangeWebhook, WebhookDelivery, routes};
use voight_api::public::RequestedWebhookState;
use voight_domain::webhooks::AttemptOutcome;
use webhook_arg::{ClientArg, WebhookArg};

/// Note after a secret was printed.
const KEEP_SECRET: &str = "Keep the secret now: it cannot be shown again.";

/// Commands of `voight webhook`.
#[derive(Debug, Subcommand)]
pub(super) enum WebhookCommand {
    /// List the webhook endpoints of a client
    List {
        #[command(flatten)]
        client: ClientArg,
        #[command(flatten)]
        paging: Paging,
    },
    /// Create a webhook endpoint, to which events of the client from now on are sent. Its secret is printed only once
    Create(create::Create),
    /// Show a webhook endpoint
    Show(WebhookArg),
    /// Change the URL or the filter of a webhook endpoint
    Change(change::Change),
    /// Pause a webhook endpoint: its events are sent when it is resumed
    Pause(WebhookArg),
    /// Resume a webhook endpoint that is paused or disabled
    Resume(WebhookArg),
    /// Replace the key of a webhook endpoint. For 24 hours, requests also have a signature by the old key; a second rotation ends
    /// it at once. This cannot be undone
    Rotate(WebhookArg),
    /// Send a test to a webhook endpoint now, and print the response. The test is written to the delivery log and to the audit log.
    /// Fails unless the receiver accepts it
    Test(WebhookArg),
    /// Send events to a webhook endpoint again
    Replay(replay::Replay),
    /// Delete a webhook endpoint with its delivery log. Events that are not delivered are not sent. This cannot be undone
    Delete(Delete),
    /// List the attempts to deliver events to a webhook endpoint, newest first
    Deliveries(deliveries::Deliveries),
}

/// Arguments of `voight webhook delete`.
#[derive(Debug, Args)]
pub(super) struct Delete {
    #[command(flatten)]
    webhook: WebhookArg,
    #[command(flatten)]
    yes: Yes,
}

impl WebhookCommand {
    pub(super) fn run(self, invocation: &Invocation) -> Result<(), CommandError> {
        if let Self::Delete(delete) = &self {
            let act = format!("deleting the webhook endpoint {}", delete.webhook.id);
            delete.yes.confirm(&act, &[&delete.webhook.id])?;
        }
        let session = invocation.session()?;
        match self {
            Self::List { client, paging } => {
                let call = routes::LIST_WEBHOOKS.call([client.as_str()]);
                let webhooks = paging.read(session.client(), &call)?;
                webhooks.print(invocation, view::table)
            }
            Self::Create(command) => command.run(invocation, &session),
            Self::Show(webhook) => {
                let endpoint = webhook.resolve(&session)?;
                invocation.output.data(&endpoint, view::record)
            }
            Self::Change(command) => command.run(invocation, &session),
            Self::Pause(webhook) => set_state(
                invocation,
                &session,
                &webhook,
                RequestedWebhookState::Paused,
            ),
            Self::Resume(webhook) => set_state(
                invocation,
                &session,
                &webhook,
                RequestedWebhookState::Active,
            ),
            Self::Rotate(webhook) => rotate(invocation, &session, &webhook),
            Self::Test(webhook) => test(invocation, &session, &webhook),
            Self::Replay(command) => command.run(invocation, &session),
            Self::Delete(delete) => {
                let id = delete.webhook.resolve(&session)?.id;
                let call = routes::DELETE_WEBHOOK.call([delete.webhook.client(), &id]);
                let deleted_webhook = session.client().call(&call)?;
                invocation.output.data(&deleted_webhook, |deleted_webhook| {
                    format!("deleted webhook endpoint {}", deleted_webhook.id)
                })
            }
            Self::Deliveries(command) => command.run(invocation, &session),
        }
    }
}

fn set_state(
    invocation: &Invocation,
    session: &AdminSession,
    webhook: &WebhookArg,
    state: RequestedWebhookState,
) -> Result<(), CommandError> {
    let change = ChangeWebhook {
        state: Some(state),
        ..ChangeWebhook::default()
    };
    webhook.change(invocation, session, &change)
}

fn rotate(
    invocation: &Invocation,
    session: &AdminSession,
    webhook: &WebhookArg,
) -> Result<(), CommandError> {
    let id = webhook.resolve(session)?.id;
    let call = routes::ROTATE_WEBHOOK.call([webhook.client(), &id]);
    let endpoint = session.client().call(&call)?;
    invocation.output.data(&endpoint, view::record)?;
    if endpoint.secret.is_some() {
        invocation.output.note(KEEP_SECRET);
    }
    Ok(())
}

fn test(
    invocation: &Invocation,
    session: &AdminSession,
    webhook: &WebhookArg,
) -> Result<(), CommandError> {
    let id = webhook.resolve(session)?.id;
    let call = routes::TEST_WEBHOOK.call([webhook.client(), &id]);
    let delivery = session.client().call_and_wait(&call)?;
    invocation.output.data(&delivery, view::delivery_record)?;
    if is_accepted(&delivery) {
        return Ok(());
    }
    Err(CommandError::internal(format!(
        "the receiver did not accept the test: {}; a receiver accepts it by a status from 200 to 299",
        view::outcome(&delivery)
    )))
}

/// Returns `true` if the receiver has accepted a delivery.
fn is_accepted(delivery: &WebhookDelivery) -> bool {
    delivery.status.is_some_and(|status| {
        let outcome = AttemptOutcome::Answered {
            status,
            retry_after: None,
        };
        outcome.is_success()
    })
}

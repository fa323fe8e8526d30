//! `voight webhook deliveries`.

use super::view;
use super::webhook_arg::WebhookArg;
use crate::admin_client::AdminClient;
use crate::cli::invocation::Invocation;
use crate::cli::number::{positive, whole};
use crate::exit::CommandError;
use crate::session::AdminSession;
use clap::Args;
use voight_api::admin::{WebhookDeliveries, WebhookDelivery, routes};
use voight_api::public::routes::DELIVERY_PAGE;

/// Arguments of `voight webhook deliveries`.
#[derive(Debug, Args)]
#[command(after_long_help = "\
Attempts are stored for 14 days, at most the newest 1,000 of an endpoint.\n\n\
Examples:
  voight webhook deliveries acme 01k0ab3c
  voight webhook deliveries acme 01k0ab3c --limit 500 --json")]
pub(in crate::cli) struct Deliveries {
    #[command(flatten)]
    webhook: WebhookArg,
    /// Print at most this number of attempts
    #[arg(long, value_name = "N", default_value_t = 20, allow_negative_numbers = true, value_parser = positive)]
    limit: usize,
    /// Print only attempts before the one with this number
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole(1, u64::MAX))]
    before: Option<u64>,
}

impl Deliveries {
    pub(super) fn run(
        self,
        invocation: &Invocation,
        session: &AdminSession,
    ) -> Result<(), CommandError> {
        let id = self.webhook.resolve(session)?.id;
        let read_page =
            |before, limit| read_page(session.client(), self.webhook.client(), &id, before, limit);
        let page = collect_pages(self.before, self.limit, read_page)?;
        invocation.output.data(&page.deliveries, |deliveries| {
            view::delivery_table(deliveries)
        })?;
        if let Some(before) = page.next_before {
            let note = format_args!("Older attempts follow: --before {before}");
            invocation.output.note(note);
        }
        if page.deliveries.is_empty() {
            invocation.output.note("The delivery log is empty.");
        }
        Ok(())
    }
}

fn read_page(
    client: &AdminClient,
    client_name: &str,
    id: &str,
    before: Option<u64>,
    limit: usize,
) -> Result<WebhookDeliveries, CommandError> {
    let before = before.map(|before| before.to_string());
    let call = routes::LIST_WEBHOOK_DELIVERIES
        .call([client_name, id])
        .with_query("before", before.as_deref())
        .with_query("limit", Some(&limit.to_string()));
    client.call(&call)
}

/// Reads pages until there are `limit` attempts.
fn collect_pages(
    mut before: Option<u64>,
    limit: usize,
    read_page: impl Fn(Option<u64>, usize) -> Result<WebhookDeliveries, CommandError>,
) -> Result<WebhookDeliveries, CommandError> {
    let mut deliveries: Vec<WebhookDelivery> = Vec::new();
    loop {
        let page = read_page(before, (limit - deliveries.len()).min(DELIVERY_PAGE.max))?;
        deliveries.extend(page.deliveries);
        before = page.next_before;
        if before.is_none() || deliveries.len() >= limit {
            return Ok(WebhookDeliveries {
                deliveries,
                next_before: before,
            });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::view::tests::delivery;
    use super::*;

    /// Returns the pages of a log of this many attempts: their numbers, and the number before which more follow.
    fn collect(count: u64, before: Option<u64>, limit: usize) -> (Vec<u64>, Option<u64>) {
        let read_page = |before: Option<u64>, limit: usize| {
            assert!((1..=DELIVERY_PAGE.max).contains(&limit));
            let numbers = (1..before.unwrap_or(count + 1)).rev().take(limit);
            let deliveries: Vec<_> = numbers.map(delivery).collect();
            let last = deliveries.last().and_then(|delivery| delivery.number);
            Ok(WebhookDeliveries {
                next_before: last.filter(|last| *last > 1 && deliveries.len() == limit),
                deliveries,
            })
        };
        let page = collect_pages(before, limit, read_page).unwrap();
        let numbers = page.deliveries.iter().map(|delivery| delivery.number);
        (numbers.flatten().collect(), page.next_before)
    }

    #[test]
    fn log_is_read_in_pages_up_to_the_limit() {
        assert_eq!(collect(3, None, 20), (vec![3, 2, 1], None));
        assert_eq!(collect(3, None, 2), (vec![3, 2], Some(2)));
        assert_eq!(collect(3, Some(2), 2), (vec![1], None));
        assert_eq!(collect(0, None, 2), (vec![], None));
        let (numbers, next_before) = collect(300, None, 250);
        assert_eq!(numbers, (51..=300).rev().collect::<Vec<_>>());
        assert_eq!(next_before, Some(51));
    }
}

//! Handlers for invoices.

mod change;
mod close;
mod document;
mod list;

use super::error::not_found;
use super::routes::Routes;
use crate::error::ApiError;
use crate::state::AppState;
use voight_api::admin::routes;
use voight_domain::invoicing::InvoiceId;

pub(super) fn configure(routes: &mut Routes) {
    routes
        .add(&routes::LIST_INVOICES, list::list)
        .add(&routes::PREVIEW_INVOICE, document::preview)
        .add(&routes::CLOSE_PERIODS, close::close)
        .add(&routes::SHOW_INVOICE, document::show)
        .add(&routes::PAY_INVOICE, change::pay)
        .add(&routes::VOID_INVOICE, change::void)
        .add(&routes::WRITE_OFF_INVOICE, change::write_off);
}

/// Finds the invoice that `text` names: by invoice id, or with the client name in place of the client id. An id has priority.
async fn invoice_id(state: &AppState, text: &str) -> Result<InvoiceId, ApiError> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let Some((client, number)) = named(text) else {
        let description = format!(
            "invoice {text:?}; a draft has no id yet, and an invoice is named <client>-<number>"
        );
        return Err(not_found(&description));
    };
    let client = state.services.registrar.find_client(client).await?.id;
    Ok(InvoiceId { client, number })
}

/// Splits `text` into a client name and an invoice number, which has neither a sign nor leading zeros.
fn named(text: &str) -> Option<(&str, u32)> {
    let (client, digits) = text.rsplit_once('-')?;
    let number = digits
        .parse()
        .ok()
        .filter(|number: &u32| *number > 0 && number.to_string() == digits)?;
    Some((client, number))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn name_may_have_dashes_and_spaces() {
        assert_eq!(
            named("Quest Labs - west-12"),
            Some(("Quest Labs - west", 12))
        );
        for text in [
            "acme",
            "acme-",
            "acme-0",
            "acme-01",
            "acme-+1",
            "acme-x",
            "acme-4294967296",
        ] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}

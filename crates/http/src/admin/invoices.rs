//! Invoices.

mod change;
mod close;
mod list;
mod preview;
mod show;
mod shown;

use super::error::not_found;
use crate::endpoint::operator_endpoint;
use crate::error::ApiError;
use crate::state::AppState;
use actix_web::web::{self, ServiceConfig};
use voight_domain::invoicing::InvoiceId;

pub(super) fn configure(config: &mut ServiceConfig) {
    config
        .service(operator_endpoint("/invoices", "GET", [web::get().to(list::list)]))
        .service(operator_endpoint("/invoices/preview", "GET", [web::get().to(preview::show)]))
        .service(operator_endpoint("/invoices/close", "POST", [web::post().to(close::close)]))
        .service(operator_endpoint("/invoices/{invoice}", "GET", [web::get().to(show::show)]))
        .service(operator_endpoint("/invoices/{invoice}/pay", "POST", [web::post().to(change::pay)]))
        .service(operator_endpoint("/invoices/{invoice}/void", "POST", [web::post().to(change::void)]))
        .service(operator_endpoint("/invoices/{invoice}/write-off", "POST", [web::post().to(change::write_off)]));
}

/// The invoice that `text` names, by its id or by the client's name in place of the client's id. An id wins.
async fn invoice_id(state: &AppState, text: &str) -> Result<InvoiceId, ApiError> {
    if let Ok(id) = text.parse() {
        return Ok(id);
    }
    let Some((client, number)) = named(text) else {
        let what = format!("invoice {text:?}; a draft has no id yet, and an invoice is named <client>-<number>");
        return Err(not_found(&what));
    };
    let client = state.services.registrar.find_client(client).await?.id;
    Ok(InvoiceId { client, number })
}

/// A client's name and the number of an invoice, which is written without a sign or zeros in front.
fn named(text: &str) -> Option<(&str, u32)> {
    let (client, digits) = text.rsplit_once('-')?;
    let number = digits.parse().ok().filter(|number: &u32| *number > 0 && number.to_string() == digits)?;
    Some((client, number))
}

#[cfg(test)]
mod tests {
    use super::named;

    #[test]
    fn a_name_may_have_dashes_and_spaces() {
        assert_eq!(named("Quest Labs - west-12"), Some(("Quest Labs - west", 12)));
        for text in ["acme", "acme-", "acme-0", "acme-01", "acme-+1", "acme-x", "acme-4294967296"] {
            assert_eq!(named(text), None, "{text}");
        }
    }
}

//! Seeds of the ledger audit: an export of the ledger and invoice of one client, and the signing keys.
//!
//! The client is the second one of the sample store.

use pollster::block_on;
use voight_api::ledger_export::write_line;
use voight_domain::ledger_audit::{
    ExportHeader, ExportLine, ExportSeal, ListedBook, ListedContext, ListedInvoice, RowLine,
};
use voight_domain::metering::{ChainHead, LedgerId, MeterState, SignedHead};
use voight_domain::ports::{BillingStore, ContextFilter, LedgerEntry, RegistryStore};
use voight_domain::secrets::Signer;
use voight_domain::vocabulary::ClientId;
use voight_support::NOW;
use voight_support::embedded::SampleStore;

fn header(ledger: LedgerId, meter: &MeterState, signer: &Signer) -> ExportHeader {
    let signed_head = SignedHead {
        client: ledger.client,
        environment: ledger.environment,
        seq: meter.seq,
        head: meter.head,
        at: NOW,
    };
    ExportHeader {
        store: "01k0ab3cdefghjkmnpqrstvwxy".into(),
        client: ledger.client,
        name: "client 2".into(),
        environment: ledger.environment,
        exported_at: NOW,
        seq: meter.seq,
        head: meter.head,
        signed_head: signed_head.to_token(signer),
        keys: signer.public_keys().clone(),
    }
}

/// Returns the lines of the export, with their line feeds.
pub(crate) fn export(signer: &Signer) -> Vec<String> {
    let store = SampleStore::filled().start();
    let ledger = LedgerId::live(ClientId::from_bytes([2; 16]));
    let client = ledger.client;
    let meter = block_on(store.meter(ledger)).unwrap().unwrap();
    let header = header(ledger, &meter, signer);
    let contexts = block_on(store.contexts(ContextFilter::Client(client), None, 10))
        .unwrap()
        .into_iter();
    let contexts = contexts.map(|context| {
        ExportLine::Context(ListedContext {
            number: context.number,
            id: context.id,
        })
    });
    let mut head = ChainHead::genesis(ledger);
    let rows = block_on(store.rows(ledger, 0, 100))
        .unwrap()
        .into_iter()
        .map(|LedgerEntry { row, opening }| {
            head = head.extend(&row.to_bytes());
            ExportLine::Row(RowLine { row, head, opening })
        });
    let invoices = block_on(store.invoices(client, 0, 10))
        .unwrap()
        .into_iter()
        .flat_map(|invoice| {
            let book = ListedBook::from(&invoice.statement.price_book);
            [
                ExportLine::PriceBook(book),
                ExportLine::Invoice(Box::new(ListedInvoice::from(&invoice))),
            ]
        });
    let mut seal = ExportSeal::default();
    let mut lines: Vec<_> = [ExportLine::Header(header)]
        .into_iter()
        .chain(contexts)
        .chain(rows)
        .chain(invoices)
        .map(|line| write_line(&line))
        .collect();
    for line in &lines {
        seal.add(line);
    }
    lines.push(write_line(&ExportLine::Trailer(seal.close(signer))));
    lines.into_iter().map(|line| line + "\n").collect()
}

/// Returns the published keys.
pub(crate) fn keys(signer: &Signer) -> String {
    let keys = signer.public_keys().0.iter().map(|key| {
        format!(
            r#"{{"kty":"OKP","crv":"Ed25519","alg":"EdDSA","use":"sig","kid":"{}","x":"{}"}}"#,
            key.kid, key.x
        )
    });
    format!(r#"{{"keys":[{}]}}"#, keys.collect::<Vec<_>>().join(","))
}

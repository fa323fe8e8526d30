//! Tamper detection: a thousand exports with one mutation each, and a thousand unchanged ones.

mod mutation;

use crate::admin::console::Console;
use crate::admin::export::{check, lookups};
use mutation::{Mutation, Mutator};
use std::sync::Arc;
use std::time::Duration;
use voight_domain::billing::{Currency, Money, PriceBook, PriceBookParts, PricingMode, Tier};
use voight_domain::invoicing::{
    AdjustmentKind, Invoice, InvoiceChange, InvoiceState, NewAdjustment,
};
use voight_domain::metering::MeterRules;
use voight_support::tier;

/// Returns the number of unchanged exports, and of changed ones.
fn volume() -> usize {
    tier::volume(200, 1_000)
}

/// Exports of a ledger before the next ledger is created.
const OF_ONE: usize = 10;

/// Export with the heads that the client saved.
pub(crate) struct Sample {
    pub(crate) export: String,
    pub(crate) heads: Vec<String>,
}

impl Sample {
    fn invoices(&self) -> usize {
        self.export
            .lines()
            .filter(|line| line.starts_with(r#"{"invoice""#))
            .count()
    }
}

/// Returns rules by which every second lookup is paid. A paid lookup costs one dollar; from the third of a month half of that
/// and a fee.
fn rules() -> MeterRules {
    let tier = |up_to, price: &str, flat_fee| Tier {
        up_to,
        unit_price: price.parse().unwrap(),
        flat_fee,
    };
    let tiers = vec![tier(Some(2), "1", 0), tier(None, "0.5", 10)];
    let name = "plain".to_owned();
    let currency = Currency::USD;
    let mode = PricingMode::Graduated;
    let book = PriceBook::new(PriceBookParts {
        name,
        version: 1,
        currency,
        mode,
        tiers,
    });
    MeterRules {
        allowance: 2,
        price_book: Arc::new(book.unwrap()),
        ..MeterRules::default()
    }
}

/// Performs a random billing operation for the client.
async fn bill(console: &Console, random: &mut fastrand::Rng) {
    let billing = &console.app.state.services.billing;
    let client = &console.app.client;
    let open = |invoice: &Invoice| invoice.state == InvoiceState::Open;
    let mut invoices = console
        .app
        .ports
        .store
        .invoices(client.id, 0, 100)
        .await
        .unwrap();
    invoices.retain(open);
    match random.u8(..6) {
        0..3 => drop(billing.close(client, None).await.unwrap()),
        3 => {
            let amount = Money {
                minor: random.i64(-300..0),
                currency: Currency::USD,
            };
            let new_adjustment = NewAdjustment {
                kind: AdjustmentKind::Credit,
                amount,
                reason: "late".into(),
            };
            billing.adjust(client, new_adjustment).await.unwrap();
        }
        what => {
            let Some(invoice) = random.choice(&invoices) else {
                return;
            };
            let void = InvoiceChange::Void {
                reason: "wrong".into(),
            };
            let change = if what == 4 { void } else { InvoiceChange::Pay };
            billing.change_invoice(invoice.id, change).await.unwrap();
        }
    }
}

/// Creates exports of ledgers that grow and are billed over months, with and without openings.
async fn honest(random: &mut fastrand::Rng) -> Vec<Sample> {
    let console = Console::billing(rules()).await;
    let mut samples = Vec::new();
    let mut heads = Vec::new();
    for _ in 0..OF_ONE {
        heads.extend(lookups(&console, random.usize(0..4)).await);
        console
            .app
            .wait(Duration::from_secs(random.u64(0..40 * 86_400)));
        bill(&console, random).await;
        let export = console
            .get(&format!(
                "/admin/v1/audit/export?client=acme&openings={}",
                random.bool()
            ))
            .await
            .body;
        samples.push(Sample {
            export,
            heads: heads.clone(),
        });
    }
    samples
}

#[actix_web::test]
async fn exactly_the_changed_addresses_are_found() {
    let mut random = fastrand::Rng::with_seed(5);
    let mut samples = Vec::new();
    for _ in 0..volume() / OF_ONE {
        samples.extend(honest(&mut random).await);
    }
    let alarms = samples
        .iter()
        .filter_map(|sample| check(sample.export.as_bytes(), &sample.heads).err());
    let alarms: Vec<_> = alarms.collect();
    // Ledgers with enough content to mutate.
    let long_samples: Vec<_> = samples
        .iter()
        .filter(|sample| sample.heads.len() > 3)
        .collect();
    let samples_with_invoices: Vec<_> = samples
        .iter()
        .filter(|sample| sample.invoices() > 1)
        .collect();
    let mut missed = Vec::new();
    let mut changed = 0;
    let service = Console::new().await;
    let signer = service.app.ports.secrets.signer();
    let hand = Mutator { signer: &signer };
    for kind in Mutation::ALL.into_iter().cycle().take(volume()) {
        let sample = random
            .choice(if kind.is_of_bills() {
                &samples_with_invoices
            } else {
                &long_samples
            })
            .unwrap();
        let export = hand.change(kind, sample, &mut random);
        assert_ne!(
            export,
            sample.export.as_bytes(),
            "{kind:?} has changed nothing"
        );
        changed += 1;
        // Saved heads are needed only to detect a rewrite by the service itself.
        let heads = if kind == Mutation::Rewritten {
            &sample.heads[..]
        } else {
            &[]
        };
        match check(&export, heads) {
            Ok(_) => missed.push(kind),
            Err(flaw) => assert_eq!(flaw.to_string().lines().count(), 1, "{flaw}"),
        }
    }
    assert_eq!(
        (samples.len(), changed, missed, alarms),
        (volume(), volume(), vec![], vec![])
    );
}

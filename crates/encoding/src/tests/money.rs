//! Generates billing records.

use super::strategies::time;
use proptest::prelude::*;
use proptest::sample::select;
use voight_domain::billing::{
    ChargeKind, ChargeLine, Currency, Money, PriceBook, PriceBookDigest, PriceBookParts,
    PricingMode, Tier, UnitPrice,
};
use voight_domain::invoicing::{
    Account, Adjustment, AdjustmentKind, Invoice, InvoiceId, InvoiceState, Statement,
};
use voight_domain::metering::{Alert, AlertKind, ChainHead, EndedPeriod, Period};
use voight_domain::vocabulary::ClientId;

pub(super) fn money() -> impl Strategy<Value = Money> {
    let currency =
        select(vec!["USD", "EUR", "JPY", "KWD"]).prop_map(|code| code.parse::<Currency>().unwrap());
    (any::<i64>(), currency).prop_map(|(minor, currency)| Money { minor, currency })
}

fn period() -> impl Strategy<Value = Period> {
    (time(), time()).prop_map(|(start, end)| Period { start, end })
}

pub(super) fn price_book() -> impl Strategy<Value = PriceBook> {
    let tiers = prop::collection::vec((1..1000_u64, any::<u32>(), any::<u32>()), 0..4);
    let mode = select(vec![PricingMode::Graduated, PricingMode::Volume]);
    ("[ -~äß]{1,64}", any::<u32>(), mode, tiers, any::<u32>()).prop_map(
        |(name, version, mode, tiers, price)| {
            let mut end = 0;
            let bounded_tiers = tiers.into_iter().map(|(width, price, flat_fee)| {
                end += width;
                Tier {
                    up_to: Some(end),
                    unit_price: UnitPrice::from_pico(price.into()),
                    flat_fee: flat_fee.into(),
                }
            });
            let open = Tier {
                up_to: None,
                unit_price: UnitPrice::from_pico(price.into()),
                flat_fee: 0,
            };
            let tiers = bounded_tiers
                .collect::<Vec<_>>()
                .into_iter()
                .chain([open])
                .collect();
            PriceBook::new(PriceBookParts {
                name,
                version,
                currency: Currency::USD,
                mode,
                tiers,
            })
            .unwrap()
        },
    )
}

pub(super) fn ended_period() -> impl Strategy<Value = EndedPeriod> {
    let numbers = any::<(u64, u64, u64, u64)>();
    let links = any::<(Option<u32>, Option<u32>)>();
    (
        period(),
        numbers,
        any::<[u8; 32]>(),
        any::<[u8; 32]>(),
        links,
    )
        .prop_map(
            |(period, (first, last, billable, paid), head, book, (invoice, voided))| EndedPeriod {
                period,
                first_seq: first,
                last_seq: last,
                head: ChainHead(head),
                billable,
                charged: paid,
                book: PriceBookDigest(book),
                invoice,
                last_voided_invoice: voided,
            },
        )
}

pub(super) fn adjustment() -> impl Strategy<Value = Adjustment> {
    let kind = select(vec![AdjustmentKind::Credit, AdjustmentKind::Correction]);
    (
        any::<u32>(),
        time(),
        kind,
        money(),
        ".{0,40}",
        any::<Option<u32>>(),
    )
        .prop_map(|(number, at, kind, amount, reason, invoice)| Adjustment {
            number,
            at,
            kind,
            amount,
            reason,
            invoice,
        })
}

fn line() -> impl Strategy<Value = ChargeLine> {
    let lookups = any::<(u64, u64, u64)>().prop_map(|(first, last, pico)| ChargeKind::Lookups {
        first,
        last,
        unit_price: UnitPrice::from_pico(pico),
    });
    (
        any::<u32>(),
        prop_oneof![lookups, Just(ChargeKind::FlatFee)],
        money(),
    )
        .prop_map(|(tier, kind, amount)| ChargeLine {
            tier: usize::try_from(tier).unwrap(),
            kind,
            amount,
        })
}

fn statement() -> impl Strategy<Value = Statement> {
    let lists = (
        prop::collection::vec(line(), 0..4),
        prop::collection::vec(adjustment(), 0..3),
    );
    (ended_period(), price_book(), lists, money(), money()).prop_map(
        |(ended, book, (lines, adjustments), carried, total)| Statement {
            period: ended.period,
            first_seq: ended.first_seq,
            last_seq: ended.last_seq,
            head: ended.head,
            billable: ended.billable,
            charged: ended.charged,
            price_book: book,
            lines,
            adjustments,
            carried_forward: carried,
            total,
        },
    )
}

pub(super) fn invoice() -> impl Strategy<Value = Invoice> {
    let void = (time(), ".{0,40}").prop_map(|(at, reason)| InvoiceState::Void { at, reason });
    let state = prop_oneof![
        Just(InvoiceState::Open),
        time().prop_map(InvoiceState::Paid),
        void,
        time().prop_map(InvoiceState::Uncollectible)
    ];
    (
        any::<([u8; 16], u32)>(),
        "[a-z]{1,64}",
        statement(),
        time(),
        any::<Option<u32>>(),
        state,
    )
        .prop_map(
            |((client, number), name, statement, issued_at, replaces, state)| Invoice {
                id: InvoiceId {
                    client: ClientId::from_bytes(client),
                    number,
                },
                name: name.parse().unwrap(),
                statement,
                issued_at,
                replaces,
                state,
            },
        )
}

pub(super) fn account() -> impl Strategy<Value = Account> {
    (any::<(u32, u32)>(), prop::collection::vec(money(), 0..3)).prop_map(
        |((invoices, adjustments), balances)| Account::new(invoices, adjustments, balances),
    )
}

pub(super) fn alert() -> impl Strategy<Value = Alert> {
    (select(AlertKind::ALL.to_vec()), any::<u64>(), time()).prop_map(|(kind, seq, at)| Alert {
        kind,
        seq,
        at,
    })
}

use super::*;
use voight_domain::billing::{
    ChargeKind, ChargeLine as Charge, Currency, Money, PriceBook, PriceBookDigest, charge_lines,
};
use voight_domain::invoicing::{Adjustment, AdjustmentKind, InvoiceId, InvoiceState};
use voight_domain::ledger_audit::{ExportHeader, ListedBook, ListedInvoice, RowLine};
use voight_domain::metering::{
    ChainHead, Commitment, LedgerRow, LookupRow, Opening, Period, PeriodEnd, RowKind,
};
use voight_domain::secrets::{IdempotencyDigest, Pepper, Secrets};
use voight_domain::verdict::{Answer, Confidence};
use voight_domain::{ClientId, Environment, EoaAddress, Timestamp};

const AT: Timestamp = Timestamp::from_millis(1_800_000_000_001);

fn lookup() -> LookupRow {
    LookupRow {
        context: 40,
        key: 3,
        free: false,
        answer: Answer {
            is_bot: true,
            score: Confidence::from_hundredths(98),
        },
        commitment: Commitment([0xcc; 32]),
        idempotency: Some(IdempotencyDigest([0xdd; 16])),
        cap: Some(5),
    }
}

fn header() -> ExportHeader {
    ExportHeader {
        store: "01k0ab3cdefghjkmnpqrstvwxy".into(),
        client: ClientId::from_bytes([1; 16]),
        name: "acme \"live\"".into(),
        environment: Environment::Live,
        exported_at: AT,
        seq: 2,
        head: ChainHead([0xab; 32]),
        signed_head: "a.b.c".into(),
        keys: Secrets::derive(&Pepper::from_bytes([1; 32]), 1)
            .signer()
            .public_keys()
            .clone(),
    }
}

fn lines() -> Vec<ExportLine> {
    let row = |seq, kind, opening| {
        ExportLine::Row(RowLine {
            row: LedgerRow { seq, at: AT, kind },
            head: ChainHead([0xee; 32]),
            opening,
        })
    };
    let opening = Opening {
        nonce: [9; 16],
        address: EoaAddress::from_bytes([2; 20]),
    };
    let period = Period {
        start: Timestamp::default(),
        end: AT,
    };
    vec![
        ExportLine::Header(header()),
        ExportLine::Context(ListedContext {
            number: 40,
            id: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
        }),
        row(1, RowKind::Lookup(lookup()), Some(opening)),
        row(
            2,
            RowKind::Lookup(LookupRow {
                idempotency: None,
                cap: None,
                ..lookup()
            }),
            None,
        ),
        row(
            3,
            RowKind::PeriodEnd(PeriodEnd {
                period,
                billable: 2,
                paid: 1,
                book: PriceBookDigest([5; 32]),
            }),
            None,
        ),
        ExportLine::PriceBook(ListedBook::from(&PriceBook::example(Currency::USD))),
        ExportLine::Invoice(Box::new(invoice(InvoiceState::Open))),
        ExportLine::Trailer(Trailer {
            lines: 7,
            seal: "a.b.c".into(),
        }),
    ]
}

fn invoice(state: InvoiceState) -> ListedInvoice {
    let book = PriceBook::example(Currency::USD);
    let money = |minor| Money {
        minor,
        currency: Currency::USD,
    };
    let mut lines = charge_lines(&book, 5).unwrap();
    lines.push(Charge {
        tier: 1,
        kind: ChargeKind::FlatFee,
        amount: money(10),
    });
    let new_adjustment = Adjustment {
        number: 3,
        at: AT,
        kind: AdjustmentKind::Correction,
        amount: money(-2),
        reason: "late \"row\"".into(),
        invoice: None,
    };
    ListedInvoice {
        id: InvoiceId {
            client: ClientId::from_bytes([1; 16]),
            number: 2,
        },
        name: "acme".into(),
        issued_at: AT,
        state,
        replaces: Some(1),
        period: Period {
            start: Timestamp::default(),
            end: AT,
        },
        first: 1,
        last: 9,
        head: ChainHead([0xee; 32]),
        billable: 8,
        paid: 5,
        book: PriceBookDigest([5; 32]),
        lines,
        adjustments: vec![new_adjustment],
        carried: money(-1),
        total: money(8),
    }
}

#[test]
fn every_state_of_an_invoice_is_written_and_read_back() {
    let void = InvoiceState::Void {
        at: AT,
        reason: "wrong".into(),
    };
    for state in [
        InvoiceState::Paid(AT),
        void,
        InvoiceState::Uncollectible(AT),
    ] {
        let line = ExportLine::Invoice(Box::new(ListedInvoice {
            replaces: None,
            ..invoice(state)
        }));
        assert_eq!(read_text(1, &write_line(&line)), Ok(line));
    }
}

#[test]
fn price_books_and_invoices_are_written_as_documented() {
    let price_book_line = format!(
        r#"{{"price_book":{{"digest":"{}","name":"example","version":1,"currency":"USD","mode":"graduated","tiers":[{{"up_to":100000,"unit_price":"0.002","flat_fee":0}},{{"up_to":1000000,"unit_price":"0.001","flat_fee":0}},{{"unit_price":"0.0005","flat_fee":0}}]}}}}"#,
        PriceBook::example(Currency::USD).digest(),
    );
    assert_eq!(write_line(&lines()[5]), price_book_line);
    let invoice_line = format!(
        r#"{{"invoice":{{"id":"01040g2081040g2081040g2081-2","name":"acme","issued_at":"2027-01-15T08:00:00.001Z","state":"open","replaces":1,"start":"1970-01-01T00:00:00Z","end":"2027-01-15T08:00:00.001Z","first":1,"last":9,"head":"{}","billable":8,"paid":5,"price_book":"{}","lines":[{{"tier":1,"lookups":{{"from":1,"to":5,"unit_price":"0.002"}},"amount":{{"minor":1,"currency":"USD"}}}},{{"tier":1,"amount":{{"minor":10,"currency":"USD"}}}}],"adjustments":[{{"number":3,"at":"2027-01-15T08:00:00.001Z","kind":"correction","amount":{{"minor":-2,"currency":"USD"}},"reason":"late \"row\""}}],"carried":{{"minor":-1,"currency":"USD"}},"total":{{"minor":8,"currency":"USD"}}}}}}"#,
        "ee".repeat(32),
        "05".repeat(32),
    );
    assert_eq!(write_line(&lines()[6]), invoice_line);
}

#[test]
fn inconsistent_price_book_is_rejected() {
    let book = write_line(&lines()[5]);
    assert_rejected(
        &book.replacen("1000000", "1000", 1),
        "the price book does not add up: tier 2 ends at 1000",
    );
    assert_rejected(&book.replacen("USD", "XXX", 1), "currency: ");
    assert_rejected(&book.replacen("0.002", "0.0020", 1), "spelling");
}

#[test]
fn written_records_are_read_back() {
    for line in lines() {
        assert_eq!(read_text(1, &write_line(&line)), Ok(line));
    }
}

#[test]
fn rows_are_written_as_documented() {
    let lookup_line = format!(
        r#"{{"row":{{"seq":1,"at":"2027-01-15T08:00:00.001Z","lookup":{{"context":40,"key":3,"free":false,"is_bot":true,"score_hundredths":98,"commitment":"{}","idempotency":"{}","cap":5}},"head":"{}","opening":{{"nonce":"{}","address":"0x0202020202020202020202020202020202020202"}}}}}}"#,
        "cc".repeat(32),
        "dd".repeat(16),
        "ee".repeat(32),
        "09".repeat(16),
    );
    assert_eq!(write_line(&lines()[2]), lookup_line);
    let period_line = format!(
        r#"{{"row":{{"seq":3,"at":"2027-01-15T08:00:00.001Z","period_end":{{"start":"1970-01-01T00:00:00Z","end":"2027-01-15T08:00:00.001Z","billable":2,"paid":1,"price_book":"{}"}},"head":"{}"}}}}"#,
        "05".repeat(32),
        "ee".repeat(32),
    );
    assert_eq!(write_line(&lines()[4]), period_line);
}

#[track_caller]
fn assert_rejected(text: &str, words: &str) {
    let flaw = read_text(7, text).unwrap_err();
    let sentence = flaw.to_string();
    assert!(
        sentence.starts_with("line 7 ") && sentence.contains(words),
        "{text}: {sentence}"
    );
    assert!(
        !sentence.contains('\n') && !sentence.contains("at line"),
        "{sentence}"
    );
}

#[test]
fn every_other_spelling_is_rejected() {
    let [row, marker] = [2, 4].map(|place| write_line(&lines()[place]));
    for (from, to) in [
        ("\"seq\":1", "\"seq\": 1"),
        ("00.001Z", "00.001+00:00"),
        ("00.001Z", "00.0010Z"),
        ("0x0202", "0X0202"),
        ("98", "1e2"),
        ("\"cap\":5", "\"cap\":5,\"cap\":5"),
        ("\"cap\":5", "\"cap\":5,\"more\":1"),
        ("\"score_hundredths\":98", "\"score_hundredths\":198"),
        ("cccc", "CCCC"),
    ] {
        assert!(row.contains(from), "{from}");
        assert!(
            read_text(7, &row.replacen(from, to, 1)).is_err(),
            "{from} became {to}"
        );
    }
    assert_rejected(&format!("{row} "), "spelling");
    assert_rejected(
        &row.replacen("\"key\":3,\"free\":false", "\"free\":false,\"key\":3", 1),
        "spelling",
    );
    assert_rejected(
        &marker.replacen("period_end", "period", 1),
        "unknown field `period`",
    );
    assert_rejected(&row.replacen("cccc", "cc", 1), "commitment: 32 bytes");
    assert_rejected("", "ends too early");
    assert_rejected("{}", "line 7");
    assert_rejected("nonsense", "not JSON of this format");
    assert_rejected(
        &row.replacen("commitment", "commit\\nment", 1),
        "unknown field `commit\u{fffd}ment`",
    );
    let end = marker
        .split_once("\"period_end\":")
        .and_then(|(_, rest)| rest.split_once('}'))
        .expect("a period end")
        .0;
    let ambiguous_row = row.replacen("\"head\"", &format!("\"period_end\":{end}}},\"head\""), 1);
    assert_rejected(&ambiguous_row, "either lookup or period_end");
}

#[test]
fn other_format_is_recognised_by_its_number() {
    assert_eq!(
        read_text(1, r#"{"header":{"format":2,"all":"else"}}"#),
        Err(AuditError::OtherFormat { found: 2 })
    );
}

#[test]
fn published_keys_are_read_and_others_are_not() {
    let keys = Secrets::derive(&Pepper::from_bytes([1; 32]), 1)
        .signer()
        .public_keys()
        .clone();
    let text = serde_json::to_string(&KeySet::from(&keys)).unwrap();
    assert_eq!(read_keys(&text), Ok(keys));
    for wrong in [
        "[]",
        "{}",
        &text.replace("Ed25519", "X25519"),
        &text.replacen(r#""x":""#, r#""x":"A"#, 1),
    ] {
        assert!(read_keys(wrong).is_err(), "{wrong}");
    }
}

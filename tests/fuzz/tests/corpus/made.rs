//! Generated seeds that cannot be written by hand: records of every table, a dump of them, and tokens.

use super::{proofs, seeds};
use std::collections::BTreeMap;
use voight_domain::check::{Challenge, RECEIPT_TYPE, Receipt, VouchedSession};
use voight_domain::ownership::TrustedBrowser;
use voight_domain::registry::PressCount;
use voight_domain::secrets::{Pepper, Secrets};
use voight_domain::verdict::LayerKind;
use voight_domain::vocabulary::{CheckId, Environment, EoaAddress, ReceiptId};
use voight_embedded::{DumpEntry, DumpReader};
use voight_fuzz::repair;
use voight_support::embedded::SampleStore;
use voight_support::{NOW, assert_committed};

/// Size of the checksum behind a record, in bytes.
const CHECKSUM: usize = 8;

type Seed = (&'static str, String, Vec<u8>);

/// Compares the committed seeds with those of this release; writes them if `VOIGHT_UPDATE` is set.
pub(crate) fn check() {
    let remedy = "if a format was changed intentionally, store the old seed under another name and run \
         VOIGHT_UPDATE=1 cargo test -p voight-fuzz";
    for (target, name, bytes) in stored().into_iter().chain(tokens()).chain(proven()) {
        assert_committed(seeds::folder().join(target).join(name), bytes, remedy);
    }
}

/// Returns one record of each table, and the dump of a store with these records only.
fn stored() -> Vec<Seed> {
    let store = SampleStore::filled();
    let complete_dump = store.dump();
    let firsts = first_of_each_table(&complete_dump);
    let identity = store.main.entries().get([1].as_slice()).unwrap().clone();
    let header = 16 + identity.len();
    let mut dump = complete_dump[..header].to_vec();
    for DumpEntry { key, record, .. } in firsts.values() {
        dump.extend_from_slice(&u16::try_from(key.len()).unwrap().to_be_bytes());
        dump.extend_from_slice(
            &u32::try_from(record.len() + CHECKSUM)
                .unwrap()
                .to_be_bytes(),
        );
        dump.extend_from_slice(key);
        dump.extend_from_slice(record);
        dump.extend_from_slice(&[0; CHECKSUM]);
    }
    dump.extend_from_slice(&[0; 2 + 8 + 32]);
    let records = firsts
        .into_iter()
        .map(|(table, entry)| (table, entry.record));
    let identity = identity[..identity.len() - CHECKSUM].to_vec();
    let records = [(1, identity)].into_iter().chain(records);
    let records = records.map(|(table, record)| {
        (
            "record",
            format!("good-table-{table:02}"),
            [&[table], &record[..]].concat(),
        )
    });
    let dump = ("dump", "good-one-of-each-table".to_owned(), repair(dump));
    records.chain([dump]).collect()
}

fn first_of_each_table(dump: &[u8]) -> BTreeMap<u8, DumpEntry> {
    let mut reader = DumpReader::open(dump).unwrap();
    let mut firsts = BTreeMap::new();
    while let Some(entry) = reader.next_entry().unwrap() {
        firsts.entry(entry.key[0]).or_insert(entry);
    }
    firsts
}

fn proven() -> Vec<Seed> {
    let secrets = Secrets::derive(&Pepper::from_bytes([7; 32]), 1);
    let lines = proofs::export(&secrets.signer());
    let keys = proofs::keys(&secrets.signer());
    let without_one: Vec<_> = lines
        .iter()
        .enumerate()
        .filter(|(place, _)| *place != 5)
        .map(|(_, line)| line.as_str())
        .collect();
    vec![
        ("export", "good-small".to_owned(), lines.concat().into()),
        ("export", "bad-cut".to_owned(), lines[..7].concat().into()),
        (
            "export",
            "bad-row-removed".to_owned(),
            without_one.concat().into(),
        ),
        ("keys", "good-published".to_owned(), keys.clone().into()),
        (
            "keys",
            "bad-other-id".to_owned(),
            keys.replacen(r#""kid":""#, r#""kid":"A"#, 1).into(),
        ),
    ]
}

fn challenge() -> Challenge {
    Challenge {
        check: CheckId::from_bytes([1; 16]),
        context: "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap(),
        address: EoaAddress::from_bytes([2; 20]),
        origin: "https://quest.example".parse().unwrap(),
        origin_allowlisted: true,
        environment: Environment::Sandbox,
        layer: LayerKind::Owned,
        presses: PressCount::Two,
        seed: [3; 8],
        work_bits: 13,
        opened_at: NOW,
    }
}

/// Returns the browser that a check has remembered.
fn trusted_browser(challenge: &Challenge) -> TrustedBrowser {
    TrustedBrowser {
        context: challenge.context.clone(),
        address: challenge.address,
        key: [5; 32],
        expires_at: NOW,
    }
}

/// Returns the receipt of a check.
fn receipt(challenge: &Challenge) -> Receipt {
    Receipt {
        id: ReceiptId::from_bytes([4; 16]),
        context: challenge.context.clone(),
        address: challenge.address,
        origin: challenge.origin.clone(),
        origin_allowlisted: challenge.origin_allowlisted,
        owned: true,
        environment: challenge.environment,
        issued_at: NOW,
    }
}

fn tokens() -> Vec<Seed> {
    let secrets = Secrets::derive(&Pepper::from_bytes([7; 32]), 1);
    let challenge = challenge();
    let session = VouchedSession {
        context: challenge.context.clone(),
        address: challenge.address,
        expires_at: NOW,
    };
    let remembered_token = trusted_browser(&challenge).to_token(&secrets);
    let remembered_body = secrets
        .unseal("remembered binding", &remembered_token)
        .unwrap();
    let receipt_token = receipt(&challenge).to_token(&secrets);
    let receipt_payload = secrets
        .signer()
        .verify(RECEIPT_TYPE, &receipt_token)
        .unwrap();
    let session_token = session.to_token(&secrets);
    let session_body = secrets.unseal("session", &session_token).unwrap();
    vec![
        ("challenge", "good-body".to_owned(), challenge.to_bytes()),
        (
            "challenge",
            "good-token".to_owned(),
            challenge.to_token(&secrets).into(),
        ),
        (
            "challenge",
            "bad-session".to_owned(),
            session_token.clone().into(),
        ),
        ("browser_key", "good-body".to_owned(), remembered_body),
        (
            "browser_key",
            "good-token".to_owned(),
            remembered_token.into(),
        ),
        (
            "browser_key",
            "bad-session".to_owned(),
            session_token.clone().into(),
        ),
        ("session", "good-body".to_owned(), session_body),
        ("session", "good-token".to_owned(), session_token.into()),
        (
            "session",
            "bad-challenge".to_owned(),
            challenge.to_token(&secrets).into(),
        ),
        ("receipt", "good-token".to_owned(), receipt_token.into()),
        ("receipt", "good-payload".to_owned(), receipt_payload.into()),
        (
            "receipt",
            "bad-another-type".to_owned(),
            secrets.signer().sign("voight-head+jwt", "{}").into(),
        ),
    ]
}

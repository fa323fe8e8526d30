//! Parser of evidence.

use std::sync::LazyLock;
use voight_detect::RuleAssessor;
use voight_detect::evidence_schema::MAX_BYTES;
use voight_domain::check::{
    AddressFamily, Challenge, EvidenceBatch, RequestMetadata, TargetPosition,
};
use voight_domain::ports::{Assessor, CheckEvidence};
use voight_domain::registry::PressCount;
use voight_domain::secrets::NetworkHash;
use voight_domain::verdict::LayerKind;
use voight_domain::vocabulary::{CheckId, Environment, EoaAddress, Timestamp};

/// Maximum length of an error message about a batch, in characters.
const MAX_MESSAGE_CHARS: usize = 400;
/// Opening of the check on the clock of the corpus, in ms.
const OPENED: i64 = 1500;
const RECEIVED: [i64; 3] = [3400, 4800, 6000];

/// Check of the corpus: its targets are at the recorded presses.
static CHALLENGE: LazyLock<Challenge> = LazyLock::new(|| Challenge {
    check: CheckId::from_bytes([1; 16]),
    context: "spring.01k0ab3cdefghjkmnpqrstvwxy"
        .parse()
        .unwrap_or_else(|_| unreachable!("a context id")),
    address: EoaAddress::from_bytes([2; 20]),
    origin: "https://quest.example"
        .parse()
        .unwrap_or_else(|_| unreachable!("an origin")),
    origin_allowlisted: false,
    environment: Environment::Live,
    layer: LayerKind::Unverified,
    presses: PressCount::Two,
    seed: [128, 0, 64, 0, 0, 0, 0, 0],
    work_bits: 13,
    opened_at: Timestamp::from_millis(OPENED),
});

/// Parses up to three batches of one check, separated by zero bytes, and evaluates them together.
pub fn evidence(bytes: &[u8]) -> bool {
    let bodies: Vec<_> = bytes
        .split(|byte| *byte == 0)
        .take(RECEIVED.len())
        .collect();
    let accepted_count = bodies.iter().filter(|body| is_read(body)).count();
    let batches: Vec<_> = (1..)
        .zip(&bodies)
        .zip(RECEIVED)
        .map(|((number, body), at)| batch(number, body, at))
        .collect();
    for completed in [false, true] {
        let check = CheckEvidence {
            challenge: &CHALLENGE,
            batches: &batches,
            judged_at: Timestamp::from_millis(100_000),
            completed,
        };
        let judge =
            || RuleAssessor::new().judge(&check, &|_| Some(TargetPosition { x: 0.9, y: 0.9 }));
        assert_eq!(judge(), judge(), "the same evidence has two assessments");
    }
    accepted_count == bodies.len()
}

fn is_read(body: &[u8]) -> bool {
    match RuleAssessor::new().summarise_batch(body) {
        Ok(reading) => {
            assert!(body.len() <= MAX_BYTES && (1..=3).contains(&reading.number));
            true
        }
        Err(error) => {
            let length = error.0.chars().count();
            assert!(
                length <= MAX_MESSAGE_CHARS && !error.0.contains(char::is_control),
                "not a short line: {error:?}"
            );
            false
        }
    }
}

fn batch(number: u8, body: &[u8], received_at: i64) -> EvidenceBatch {
    EvidenceBatch {
        challenge: CHALLENGE.clone(),
        number,
        received_at: Timestamp::from_millis(received_at),
        call: RequestMetadata {
            headers: vec![("user-agent".to_owned(), "Mozilla/5.0".to_owned())],
            network: NetworkHash([0; 16]),
            family: AddressFamily::V4,
        },
        body: body.to_vec(),
    }
}

//! A thousand exports with something changed in each, and a thousand as they were written.

mod hand;

use crate::console::Console;
use crate::export::{check, lookups};
use hand::{Hand, Kind};
use std::time::Duration;

const HONEST: usize = 1000;
const CHANGED: usize = 1000;
/// Exports of a ledger before another one is begun.
const OF_ONE: usize = 10;

/// An export with the heads that its customer kept.
pub(crate) struct Sample {
    pub(crate) export: String,
    pub(crate) heads: Vec<String>,
}

/// Exports of ledgers that grow: over months, with and without openings.
async fn honest(random: &mut fastrand::Rng) -> (Console, Vec<Sample>) {
    let console = Console::new().await;
    let (mut samples, mut heads) = (Vec::new(), Vec::new());
    for _ in 0..OF_ONE {
        heads.extend(lookups(&console, random.usize(0..4)).await);
        console.app.wait(Duration::from_secs(random.u64(0..40 * 86_400)));
        let export = console.get(&format!("/admin/v1/audit/export?client=acme&openings={}", random.bool())).await.body;
        samples.push(Sample { export, heads: heads.clone() });
    }
    (console, samples)
}

#[actix_web::test]
async fn every_change_is_found_and_nothing_else() {
    let mut random = fastrand::Rng::with_seed(5);
    let (mut alarms, mut missed, mut changed) = (Vec::new(), Vec::new(), 0);
    for _ in 0..HONEST / OF_ONE {
        let (console, samples) = honest(&mut random).await;
        for Sample { export, heads } in &samples {
            alarms.extend(check(export.as_bytes(), heads).err());
        }
        let hand = Hand { signer: console.app.state.services.secrets.signer() };
        // Ledgers in which there is something to change.
        let samples: Vec<_> = samples.iter().filter(|sample| sample.heads.len() > 3).collect();
        for _ in 0..CHANGED * OF_ONE / HONEST {
            let kind = Kind::ALL[changed % Kind::ALL.len()];
            let sample = samples[random.usize(..samples.len())];
            let export = hand.change(kind, sample, &mut random);
            assert_ne!(export, sample.export.as_bytes(), "{kind:?} has changed nothing");
            changed += 1;
            // Only against the service itself the customer needs the heads that it kept.
            let heads = if kind == Kind::Rewritten { &sample.heads[..] } else { &[] };
            match check(&export, heads) {
                Ok(_) => missed.push(kind),
                Err(flaw) => assert_eq!(flaw.to_string().lines().count(), 1, "{flaw}"),
            }
        }
    }
    assert_eq!((changed, missed, alarms), (CHANGED, vec![], vec![]));
}

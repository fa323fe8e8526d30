mod bills;
mod life;

use super::*;
use crate::metering::{
    ChainHead, Commitment, LedgerId, LedgerRow, MeterRules, MeterState, MeteringDecision,
    MeteringInput, Opening, RowKind, SignedHead, decide,
};
use crate::secrets::{Pepper, PublicKeys, Secrets, Signer};
use crate::verdict::Answer;
use crate::vocabulary::{ClientId, ContextId, Environment, EoaAddress, Timestamp};
use std::sync::{Arc, LazyLock};

static SECRETS: LazyLock<Secrets> =
    LazyLock::new(|| Secrets::derive(&Pepper::from_bytes([1; 32]), 0));
const AT: Timestamp = Timestamp::from_millis(1_800_000_000_000);

/// Export with lines in their debug form; the text form belongs to an adapter.
struct Export {
    header: ExportHeader,
    contexts: Vec<ListedContext>,
    rows: Vec<RowLine>,
    bills: Vec<ExportLine>,
}

fn signer() -> Arc<Signer> {
    SECRETS.signer()
}

fn context() -> ContextId {
    "spring.01k0ab3cdefghjkmnpqrstvwxy".parse().unwrap()
}

fn client() -> ClientId {
    ClientId::from_bytes([1; 16])
}

/// Creates an export with lookups on these days, two of them free, with monthly periods.
fn export(days: &[u32]) -> Export {
    let rules = MeterRules {
        allowance: 2,
        ..MeterRules::default()
    };
    let mut state = MeterState::new(LedgerId::live(client()));
    let mut rows = Vec::new();
    let mut head = state.head;
    for (number, day) in (0..).zip(days) {
        let opening = Opening {
            nonce: [number; 16],
            address: EoaAddress::from_bytes([number; 20]),
        };
        let lookup = MeteringInput {
            context: 7,
            key: 1,
            answer: Answer::UNKNOWN,
            commitment: opening.commit(&context()),
            idempotency: None,
            environment: Environment::Live,
        };
        let now = AT.saturating_add(std::time::Duration::from_hours(24 * u64::from(*day)));
        let (next, decision) = decide(&state, &lookup, &rules, now);
        let MeteringDecision::Recorded(metered) = decision else {
            panic!("no cap")
        };
        for row in metered
            .ended
            .map(|ending| ending.marker)
            .into_iter()
            .chain([metered.row])
        {
            head = head.extend(&row.to_bytes());
            let opening = matches!(row.kind, RowKind::Lookup(_)).then_some(opening);
            rows.push(RowLine { row, head, opening });
        }
        state = next;
    }
    let mut export = Export {
        header: ExportHeader {
            store: "01k0ab3cdefghjkmnpqrstvwxy".into(),
            client: client(),
            name: "acme".into(),
            environment: Environment::Live,
            exported_at: AT,
            seq: state.seq,
            head: state.head,
            signed_head: String::new(),
            keys: signer().public_keys().clone(),
        },
        contexts: vec![ListedContext {
            number: 7,
            id: context(),
        }],
        rows,
        bills: vec![ExportLine::PriceBook(ListedBook::from(
            rules.price_book.as_ref(),
        ))],
    };
    export.sign(&signer());
    export
}

/// Creates an export with seven rows: a marker precedes the fourth and the last lookup.
fn seven() -> Export {
    export(&[0, 1, 40, 41, 70])
}

impl Export {
    fn sign(&mut self, signer: &Signer) {
        let ExportHeader {
            client,
            environment,
            seq,
            head,
            exported_at: at,
            ..
        } = self.header;
        self.header.signed_head = SignedHead {
            client,
            environment,
            seq,
            head,
            at,
        }
        .to_token(signer);
    }

    /// Chains the current rows again, as an operator of the service could.
    fn rechain(&mut self) {
        let mut head = ChainHead::genesis(self.header.ledger());
        for line in &mut self.rows {
            head = head.extend(&line.row.to_bytes());
            line.head = head;
        }
        (self.header.seq, self.header.head) = (self.rows.len() as u64, head);
        self.sign(&signer());
    }

    fn lines(&self) -> Vec<ExportLine> {
        let contexts = self.contexts.iter().cloned().map(ExportLine::Context);
        let rows = self.rows.iter().copied().map(ExportLine::Row);
        [ExportLine::Header(self.header.clone())]
            .into_iter()
            .chain(contexts)
            .chain(rows)
            .chain(self.bills.clone())
            .collect()
    }

    fn check_with(
        &self,
        keys: Option<PublicKeys>,
        kept: &str,
    ) -> Result<VerifiedExport, AuditError> {
        let mut heads = SavedHeads::default();
        kept.lines().for_each(|line| heads.add(line).unwrap());
        let mut checker = ExportVerifier::new(keys, heads);
        let mut seal = ExportSeal::default();
        for line in self.lines() {
            let text = format!("{line:?}");
            seal.add(&text);
            checker.line(line, &text)?;
        }
        checker.line(ExportLine::Trailer(seal.close(&signer())), "")?;
        checker.finish()
    }

    fn check(&self) -> Result<VerifiedExport, AuditError> {
        self.check_with(None, "")
    }

    fn meter(&self, row: usize) -> String {
        format!(
            "seq={}, head={}",
            self.rows[row - 1].row.seq,
            self.rows[row - 1].head
        )
    }

    fn lookup(&mut self, row: usize) -> &mut crate::metering::LookupRow {
        let RowKind::Lookup(lookup) = &mut self.rows[row - 1].row.kind else {
            panic!("row {row} is a marker")
        };
        lookup
    }
}

#[test]
fn complete_export_is_verified() {
    let verified_export = seven().check().unwrap();
    assert_eq!(
        (
            verified_export.lookups,
            verified_export.free,
            verified_export.openings,
            verified_export.uninvoiced
        ),
        (5, 2, 5, (1, 1))
    );
    assert_eq!(
        verified_export
            .periods
            .iter()
            .map(|end| (end.billable, end.charged))
            .collect::<Vec<_>>(),
        [(2, 0), (2, 2)]
    );
    assert_eq!(
        (verified_export.header.seq, verified_export.keys),
        (7, KeySource::Export)
    );
    assert_eq!(export(&[]).check().unwrap().lookups, 0);
}

#[test]
fn changed_rows_are_reported() {
    let flaw = |change: fn(&mut Export)| {
        let mut export = seven();
        change(&mut export);
        export.check().unwrap_err()
    };
    assert_eq!(
        flaw(|export| export.lookup(2).free = false),
        AuditError::Changed { row: 2 }
    );
    assert_eq!(
        flaw(|export| export.rows[4].head = ChainHead([0; 32])),
        AuditError::Changed { row: 5 }
    );
    assert_eq!(
        flaw(|export| export.rows.retain(|line| line.row.seq != 3)),
        AuditError::Missing { from: 3, to: 3 }
    );
    assert_eq!(
        flaw(|export| drop(export.rows.drain(1..4))),
        AuditError::Missing { from: 2, to: 4 }
    );
    assert_eq!(
        flaw(|export| export.rows.swap(1, 2)),
        AuditError::OutOfOrder { row: 2, after: 3 }
    );
    assert_eq!(
        flaw(|export| export.rows.swap(1, 5)),
        AuditError::OutOfOrder { row: 2, after: 6 }
    );
    assert_eq!(
        flaw(|export| export.rows.insert(3, export.rows[2])),
        AuditError::OutOfOrder { row: 3, after: 3 }
    );
    assert_eq!(
        flaw(|export| export.rows.truncate(5)),
        AuditError::MissingAtEnd { from: 6, to: 7 }
    );
    let more = RowLine {
        row: LedgerRow {
            seq: 8,
            ..seven().rows[6].row
        },
        ..seven().rows[6]
    };
    let mut export = seven();
    export.rows.push(more);
    assert_eq!(export.check(), Err(AuditError::TooMany { row: 8, seq: 7 }));
}

#[test]
fn rechained_wrong_counts_are_rejected() {
    let flaw = |change: fn(&mut Export)| {
        let mut export = seven();
        change(&mut export);
        export.rechain();
        export.check().unwrap_err()
    };
    assert_eq!(
        flaw(|export| export.lookup(2).free = false),
        AuditError::Totals {
            row: 3,
            what: "paid",
            stated: 0,
            counted: 1
        }
    );
    assert_eq!(
        flaw(|export| export.rows[2].opening = export.rows[1].opening),
        AuditError::OpeningWithoutCommitment { row: 3 }
    );
    assert_eq!(
        flaw(|export| export.lookup(1).commitment = Commitment([0; 32])),
        AuditError::Opening { row: 1 }
    );
    assert_eq!(
        flaw(|export| export.lookup(4).context = 8),
        AuditError::UnknownContext { row: 4, number: 8 }
    );
    let early_error = flaw(|export| export.rows[4].row.at = AT);
    assert!(
        matches!(
            early_error,
            AuditError::TimestampWentBack { row: 5, at: AT, .. }
        ),
        "{early_error}"
    );
    // The period may have been ended early at this very lookup.
    let mut shortened_export = seven();
    let RowKind::PeriodEnd(end) = &mut shortened_export.rows[2].row.kind else {
        panic!("row 3 is no marker")
    };
    end.period.end = seven().rows[1].row.at;
    shortened_export.rechain();
    assert!(shortened_export.check().is_ok());
    let late_error = flaw(|export| export.rows[1].row.at = export.rows[2].row.at);
    assert!(
        matches!(late_error, AuditError::OutsidePeriod { row: 2, .. }),
        "{late_error}"
    );
    let gap_error = flaw(|export| {
        export.rows.remove(1);
        (1..)
            .zip(&mut export.rows)
            .for_each(|(seq, line)| line.row.seq = seq);
    });
    assert_eq!(
        gap_error,
        AuditError::Totals {
            row: 2,
            what: "billable",
            stated: 2,
            counted: 1
        }
    );
}

#[test]
fn seal_covers_unchained_text() {
    let mut checker = ExportVerifier::new(None, SavedHeads::default());
    let export = seven();
    let mut seal = ExportSeal::default();
    for line in export.lines() {
        let text = format!("{line:?}");
        seal.add(&text);
        checker.line(line, &text.replace("acme", "acne")).unwrap();
    }
    let mut trailer = seal.close(&signer());
    trailer.lines += 1;
    assert_eq!(
        checker.line(ExportLine::Trailer(trailer.clone()), ""),
        Err(AuditError::LineCountMismatch {
            stated: 11,
            read: 10
        })
    );
    trailer.lines -= 1;
    assert_eq!(
        checker.line(ExportLine::Trailer(trailer.clone()), ""),
        Err(AuditError::Sealed)
    );
    trailer.seal = export.header.signed_head.clone();
    assert_eq!(
        checker.line(ExportLine::Trailer(trailer), ""),
        Err(AuditError::Seal)
    );
}

#[test]
fn export_needs_header_and_trailer() {
    let lines = seven().lines();
    let verify_lines = |lines: &[ExportLine]| {
        let mut checker = ExportVerifier::new(None, SavedHeads::default());
        lines
            .iter()
            .try_for_each(|line| checker.line(line.clone(), ""))
            .and_then(|()| checker.finish())
    };
    assert_eq!(verify_lines(&[]), Err(AuditError::NoHeader));
    assert_eq!(verify_lines(&lines[1..]), Err(AuditError::NoHeader));
    assert_eq!(
        verify_lines(&lines[..5]),
        Err(AuditError::NoTrailer {
            lines: 5,
            last: 3,
            seq: 7
        })
    );
    assert_eq!(
        verify_lines(&[&lines[..], &lines[..]].concat()),
        Err(AuditError::SecondHeader { line: 11 })
    );
    assert_eq!(
        verify_lines(&[&lines[..2], &lines[1..]].concat()),
        Err(AuditError::ContextTwice { number: 7 })
    );
    let mut seal = ExportSeal::default();
    for _ in &lines {
        seal.add("");
    }
    let trailer = ExportLine::Trailer(seal.close(&signer()));
    assert_eq!(
        verify_lines(&[&lines[..], &[trailer.clone(), trailer]].concat()),
        Err(AuditError::LineAfterTrailer { line: 12 })
    );
}

#[test]
fn foreign_signature_is_rejected() {
    let other_secrets = Secrets::derive(&Pepper::from_bytes([2; 32]), 0);
    let mut export = seven();
    export.sign(&other_secrets.signer());
    assert_eq!(export.check(), Err(AuditError::Signature));
    // A client who has the service's keys detects a forger who also replaces the keys in the export.
    export.header.keys = other_secrets.signer().public_keys().clone();
    assert_eq!(
        export.check(),
        Err(AuditError::Seal),
        "this export is sealed with ours"
    );
    assert_eq!(
        export.check_with(Some(signer().public_keys().clone()), ""),
        Err(AuditError::Signature)
    );
    let verified_export = seven()
        .check_with(Some(signer().public_keys().clone()), "")
        .unwrap();
    assert_eq!(verified_export.keys, KeySource::Customer);
    let mut export = seven();
    export.header.seq = 8;
    assert_eq!(export.check(), Err(AuditError::SignedHeadMismatch));
}

#[test]
fn rewritten_chain_contradicts_saved_heads() {
    let mut export = seven();
    let saved_heads = format!(
        "# mine\n{}\n\nVoight-Meter: {}\n{}",
        export.meter(1),
        export.meter(4),
        export.header.signed_head
    );
    assert_eq!(
        export.check_with(None, &saved_heads).unwrap().saved_heads,
        3
    );
    export.lookup(4).key = 9;
    export.rechain();
    assert_eq!(export.check().unwrap().lookups, 5, "by itself it is whole");
    let flaw = export.check_with(None, &saved_heads).unwrap_err();
    assert!(
        matches!(
            flaw,
            AuditError::Rewritten {
                line: 4,
                row: 4,
                ..
            }
        ),
        "{flaw}"
    );
    let mut shorter = seven();
    shorter.rows.truncate(3);
    shorter.rechain();
    assert_eq!(
        shorter.check_with(None, &saved_heads),
        Err(AuditError::SavedHeadBeyondEnd {
            line: 4,
            row: 4,
            last: 3
        })
    );
}

#[test]
fn saved_heads_of_another_ledger_are_rejected() {
    let head = SignedHead {
        client: ClientId::from_bytes([2; 16]),
        environment: Environment::Sandbox,
        seq: 1,
        head: ChainHead([0; 32]),
        at: AT,
    };
    let flaw = seven()
        .check_with(None, &head.to_token(&signer()))
        .unwrap_err();
    assert_eq!(
        flaw,
        AuditError::SavedHeadOfOtherLedger {
            line: 1,
            client: head.client,
            environment: head.environment
        }
    );
    let other_secrets = Secrets::derive(&Pepper::from_bytes([2; 32]), 0);
    let flaw = seven()
        .check_with(
            None,
            &format!("\n{}", head.to_token(&other_secrets.signer())),
        )
        .unwrap_err();
    assert_eq!(flaw, AuditError::SavedHeadSignature { line: 2 });
    let genesis = ChainHead::genesis(LedgerId {
        client: head.client,
        environment: head.environment,
    });
    let flaw = seven()
        .check_with(None, &format!("seq=0, head={genesis}"))
        .unwrap_err();
    assert!(
        matches!(
            flaw,
            AuditError::Rewritten {
                line: 1,
                row: 0,
                ..
            }
        ),
        "{flaw}"
    );
}

#[test]
fn malformed_saved_head_names_its_line() {
    let head = "ab".repeat(32);
    for line in [
        "seq=1",
        "seq=x, head=ab",
        "seq=1, head=ab",
        &format!("seq=-1, head={head}"),
        "a.b",
        "nonsense",
    ] {
        let mut heads = SavedHeads::default();
        heads.add("# a comment").unwrap();
        assert_eq!(heads.add(line), Err(SavedHeadError { line: 2 }), "{line}");
    }
    let mut heads = SavedHeads::default();
    for line in [
        format!("seq=1, head={head}"),
        format!("voight-meter: seq=2, head={head}\r"),
        "a.b.c".into(),
    ] {
        heads.add(&line).unwrap();
    }
    assert_eq!(heads.count(), 3);
}

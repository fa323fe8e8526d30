//! Mutations of an export.

mod bills;

use super::Sample;
use fastrand::Rng;
use voight_api::ledger_export::{read_line, write_line};
use voight_domain::ledger_audit::{ExportHeader, ExportLine, ExportSeal, RowLine};
use voight_domain::metering::{ChainHead, RowKind, SignedHead};
use voight_domain::secrets::{IdempotencyDigest, Pepper, Secrets, Signer};
use voight_domain::verdict::Confidence;

/// Mutation of an export. The first variants change its bytes, the others the content of its lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mutation {
    BitFlipped,
    ByteRemoved,
    ByteAdded,
    CutOff,
    LineRemoved,
    LineRepeated,
    LinesSwapped,
    RowChanged,
    RowRemoved,
    RowsSwapped,
    RowAdded,
    RowsCutOff,
    HeaderChanged,
    /// All lines are recreated and signed with other keys; the keys in the header stay the same.
    Forged,
    /// All lines are recreated by the service itself.
    Rewritten,
    /// An amount of an invoice is changed and signed by the service itself. The same applies to the following variants.
    AmountChanged,
    InvoiceRemoved,
    ChargesSwapped,
    BookChanged,
    OfAnotherClient,
}

impl Mutation {
    pub(crate) const ALL: [Self; 20] = [
        Self::BitFlipped,
        Self::ByteRemoved,
        Self::ByteAdded,
        Self::CutOff,
        Self::LineRemoved,
        Self::LineRepeated,
        Self::LinesSwapped,
        Self::RowChanged,
        Self::RowRemoved,
        Self::RowsSwapped,
        Self::RowAdded,
        Self::RowsCutOff,
        Self::HeaderChanged,
        Self::Forged,
        Self::Rewritten,
        Self::AmountChanged,
        Self::InvoiceRemoved,
        Self::ChargesSwapped,
        Self::BookChanged,
        Self::OfAnotherClient,
    ];

    /// Returns `true` if price books or invoices are changed.
    pub(crate) const fn is_of_bills(self) -> bool {
        use Mutation::{
            AmountChanged, BookChanged, ChargesSwapped, InvoiceRemoved, OfAnotherClient,
        };
        matches!(
            self,
            AmountChanged | InvoiceRemoved | ChargesSwapped | BookChanged | OfAnotherClient
        )
    }
}

/// Applies mutations to exports.
pub(crate) struct Mutator<'a> {
    /// Signer of the service.
    pub(crate) signer: &'a Signer,
}

impl Mutator<'_> {
    pub(crate) fn change(&self, kind: Mutation, sample: &Sample, random: &mut Rng) -> Vec<u8> {
        let mut bytes = sample.export.clone().into_bytes();
        let place = random.usize(..bytes.len());
        match kind {
            Mutation::BitFlipped => bytes[place] ^= 1 << random.u8(..8),
            Mutation::ByteRemoved => drop(bytes.remove(place)),
            Mutation::ByteAdded => bytes.insert(place, random.u8(b' '..b'~')),
            Mutation::CutOff => bytes.truncate(place),
            Mutation::LineRemoved | Mutation::LineRepeated | Mutation::LinesSwapped => {
                return lines(kind, &sample.export, random);
            }
            _ => return self.mutated_lines(kind, &sample.export, random),
        }
        bytes
    }

    /// Changes the content of the lines and writes them again.
    fn mutated_lines(&self, kind: Mutation, export: &str, random: &mut Rng) -> Vec<u8> {
        let mut export_lines: Vec<_> = export
            .split_inclusive('\n')
            .map(|text| read_line(1, text.as_bytes()).unwrap().0)
            .collect();
        let rows: Vec<_> = (0..export_lines.len())
            .filter(|place| matches!(export_lines[*place], ExportLine::Row(_)))
            .collect();
        let [one, other] = two(&rows, random);
        match kind {
            Mutation::RowRemoved => drop(export_lines.remove(one)),
            Mutation::RowsSwapped => export_lines.swap(one, other),
            Mutation::RowAdded => export_lines.insert(one, export_lines[other].clone()),
            Mutation::RowsCutOff => drop(export_lines.drain(one..=rows[rows.len() - 1])),
            Mutation::HeaderChanged => header(&mut export_lines, random),
            _ if kind.is_of_bills() => bills::change(kind, &mut export_lines, random),
            _ => row(&mut export_lines[one], random),
        }
        let other_secrets = Secrets::derive(&Pepper::from_bytes([0x66; 32]), 0);
        let is_own = kind == Mutation::Rewritten || kind.is_of_bills();
        let other_signer = other_secrets.signer();
        let signer = if is_own { self.signer } else { &other_signer };
        match kind {
            _ if is_own || kind == Mutation::Forged => reseal(&mut export_lines, signer),
            // Half of the remaining mutations recompute the chain and keep the head in the header.
            _ if random.bool() => _ = chain(&mut export_lines),
            _ => {}
        }
        let lines: Vec<_> = export_lines.iter().map(write_line).collect();
        let text = lines.join("\n") + "\n";
        if text == export {
            self.mutated_lines(kind, export, random)
        } else {
            text.into_bytes()
        }
    }
}

fn lines(kind: Mutation, export: &str, random: &mut Rng) -> Vec<u8> {
    let mut lines: Vec<_> = export.split_inclusive('\n').collect();
    let [one, other] = two(&(0..lines.len()).collect::<Vec<_>>(), random);
    match kind {
        Mutation::LineRemoved => drop(lines.remove(one)),
        Mutation::LineRepeated => lines.insert(other, lines[one]),
        _ => lines.swap(one, other),
    }
    lines.concat().into_bytes()
}

fn two(places: &[usize], random: &mut Rng) -> [usize; 2] {
    let first_place = random.usize(..places.len());
    let second_place = (first_place + random.usize(1..places.len())) % places.len();
    [places[first_place], places[second_place]]
}

fn row(line: &mut ExportLine, random: &mut Rng) {
    let ExportLine::Row(RowLine { row, opening, .. }) = line else {
        unreachable!("only rows are chosen")
    };
    match (&mut row.kind, random.u8(..9)) {
        (_, 0) => row.seq += 1,
        (_, 1) => {
            row.at = row
                .at
                .saturating_add(std::time::Duration::from_millis(random.u64(1..100_000_000)));
        }
        (RowKind::PeriodEnd(end), 2..5) => end.paid += 1,
        (RowKind::PeriodEnd(end), _) => end.billable = end.billable.wrapping_sub(1),
        (RowKind::Lookup(lookup), 2) => lookup.free ^= true,
        (RowKind::Lookup(lookup), 3) => lookup.key += 1,
        (RowKind::Lookup(lookup), 4) => lookup.answer.is_bot ^= true,
        (RowKind::Lookup(lookup), 5) => {
            lookup.answer.score = Confidence::from_hundredths(random.u8(1..100));
        }
        (RowKind::Lookup(lookup), 6) => {
            lookup.idempotency = Some(IdempotencyDigest([random.u8(..); 16]));
        }
        (RowKind::Lookup(lookup), 7) if opening.is_none() => {
            lookup.commitment.0[random.usize(..32)] ^= 1;
        }
        (RowKind::Lookup(lookup), _) => lookup.cap = Some(random.u64(..)),
    }
}

fn header(export_lines: &mut [ExportLine], random: &mut Rng) {
    let ExportLine::Header(header) = &mut export_lines[0] else {
        unreachable!("a header is first")
    };
    match random.u8(..5) {
        0 => header.name.push('x'),
        1 => header.seq += 1,
        2 => header.head.0[0] ^= 1,
        3 => {
            header.exported_at = header
                .exported_at
                .saturating_add(std::time::Duration::from_millis(1));
        }
        _ => {
            header.keys = Secrets::derive(&Pepper::from_bytes([0x67; 32]), 0)
                .signer()
                .public_keys()
                .clone();
        }
    }
}

/// Recomputes the chain of the rows. Returns the number and the head of the last row.
fn chain(export_lines: &mut [ExportLine]) -> (u64, ChainHead) {
    let ExportLine::Header(header) = &export_lines[0] else {
        unreachable!("a header is first")
    };
    let mut end = (0, ChainHead::genesis(header.ledger()));
    for line in export_lines {
        if let ExportLine::Row(line) = line {
            end = (line.row.seq, end.1.extend(&line.row.to_bytes()));
            line.head = end.1;
        }
    }
    end
}

fn reseal(export_lines: &mut Vec<ExportLine>, signer: &Signer) {
    let (seq, head) = chain(export_lines);
    let ExportLine::Header(header) = &mut export_lines[0] else {
        unreachable!("a header is first")
    };
    (header.seq, header.head) = (seq, head);
    let ExportHeader {
        client,
        environment,
        exported_at: at,
        ..
    } = *header;
    header.signed_head = SignedHead {
        client,
        environment,
        seq,
        head,
        at,
    }
    .to_token(signer);
    export_lines.pop();
    let mut seal = ExportSeal::default();
    for line in &*export_lines {
        seal.add(&write_line(line));
    }
    export_lines.push(ExportLine::Trailer(seal.close(signer)));
}

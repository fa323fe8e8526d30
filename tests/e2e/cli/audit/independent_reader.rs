//! Second parser of exports, written from `docs/reference/ledger-export-format.md` alone.

use serde_json::Value;

/// Returns the head of the chain of the rows in an export.
pub(crate) fn head(export: &str) -> String {
    let lines: Vec<Value> = export
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let header = &lines[0]["header"];
    let mut begin = b"voight ledger 1 ".to_vec();
    begin.extend(
        header["environment"]
            .as_str()
            .expect("an environment")
            .bytes(),
    );
    begin.extend(ulid(header["client"]["id"].as_str().expect("an id")));
    let rows = lines.iter().filter_map(|line| line.get("row"));
    let head = rows.fold(blake3::hash(&begin), |head, row| {
        blake3::hash(&[head.as_bytes(), &*lookup(row)].concat())
    });
    head.to_hex().to_string()
}

/// Returns the canonical bytes of a lookup's row.
fn lookup(row: &Value) -> Vec<u8> {
    let lookup = &row["lookup"];
    let mut bytes = vec![1, 1];
    varint(row["seq"].as_u64().expect("a number"), &mut bytes);
    varint(2 * millis(row["at"].as_str().expect("a time")), &mut bytes);
    varint(lookup["context"].as_u64().expect("a number"), &mut bytes);
    varint(lookup["key"].as_u64().expect("a number"), &mut bytes);
    let flag = |bit: u8, set: bool| if set { bit } else { 0 };
    let idempotency = lookup.get("idempotency");
    let cap = lookup.get("cap");
    let answer_flags = flag(1, lookup["free"] == true) | flag(2, lookup["is_bot"] == true);
    bytes.push(answer_flags | flag(4, idempotency.is_some()) | flag(8, cap.is_some()));
    bytes.push(
        u8::try_from(lookup["score_hundredths"].as_u64().expect("a number"))
            .expect("a small number"),
    );
    bytes.extend(hex(&lookup["commitment"]));
    bytes.extend(idempotency.map(hex).unwrap_or_default());
    if let Some(cap) = cap {
        varint(cap.as_u64().expect("a number"), &mut bytes);
    }
    bytes
}

fn varint(mut number: u64, bytes: &mut Vec<u8>) {
    while number > 0x7f {
        bytes.push(number.to_le_bytes()[0] | 0x80);
        number >>= 7;
    }
    bytes.push(number.to_le_bytes()[0]);
}

fn hex(text: &Value) -> Vec<u8> {
    let text = text.as_str().expect("digits");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("two digits"))
        .collect()
}

/// Returns the 16 bytes of a ULID: 26 characters of five bits each, the first two bits unused.
fn ulid(text: &str) -> [u8; 16] {
    let digit = |c: char| {
        "0123456789abcdefghjkmnpqrstvwxyz"
            .find(c)
            .expect("a digit of base 32") as u128
    };
    text.chars()
        .fold(0, |number, c| number << 5 | digit(c))
        .to_be_bytes()
}

/// Returns the milliseconds since 1970 of a time in RFC 3339, UTC.
fn millis(text: &str) -> u64 {
    let (date, time) = text
        .trim_end_matches('Z')
        .split_once('T')
        .expect("date and time");
    let part = |text: &str| text.parse::<u64>().expect("a number");
    let [year, month, day] = *date.split('-').map(part).collect::<Vec<_>>() else {
        panic!("{date} is no date")
    };
    let (seconds, fraction) = time.split_once('.').unwrap_or((time, "0"));
    let [hours, minutes, seconds] = *seconds.split(':').map(part).collect::<Vec<_>>() else {
        panic!("{time} is no time")
    };
    // Years start in March, so that a leap day is the last of its year.
    let (year, month) = if month > 2 {
        (year, month - 3)
    } else {
        (year - 1, month + 9)
    };
    let days =
        365 * year + year / 4 - year / 100 + year / 400 + (153 * month + 2) / 5 + day - 719_469;
    let seconds = 86_400 * days + 3600 * hours + 60 * minutes + seconds;
    1000 * seconds + part(&format!("{fraction:0<3}"))
}

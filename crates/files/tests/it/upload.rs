//! Lines of uploads.

use crate::fixture::{
    Line, address, base_units, csv_list, list_of, listed, ndjson_list, read, read_with,
    with_addresses,
};
use proptest::prelude::*;
use std::io::{self, Read};
use voight_domain::vocabulary::AddressProblem;
use voight_files::{
    ContentEncoding, LineError, LineFormat, ListOptions, UploadError, UploadFormat, UploadLimits,
};

/// Returns the lines of a CSV file in which `{A}` to `{D}` represent addresses.
fn csv(text: &str) -> Vec<Line> {
    read(LineFormat::Csv, with_addresses(text).as_bytes()).unwrap()
}

fn ndjson(text: &str) -> Vec<Line> {
    read(LineFormat::Ndjson, with_addresses(text).as_bytes()).unwrap()
}

fn valid(number: u64, index: u32) -> Line {
    (number, Ok((address(index).to_lower_hex(), None)))
}

/// Asserts that a line has this problem with its address.
fn assert_problem(line: &Line, number: u64, expected: AddressProblem) {
    let (actual, Err(LineError::Address { problem, .. })) = line else {
        panic!("{line:?}")
    };
    assert_eq!((*actual, *problem), (number, expected));
}

#[test]
fn header_of_one_column_is_optional() {
    assert_eq!(csv("{A}\n{B}\n"), [valid(1, 0), valid(2, 1)]);
    assert_eq!(csv("address\n{A}\n{B}\n"), [valid(2, 0), valid(3, 1)]);
    assert_eq!(csv("address\n"), []);
    assert_eq!(csv(""), []);
}

#[test]
fn bad_address_fails_no_other_line() {
    let swap = |digit: char| {
        if digit.is_lowercase() {
            digit.to_ascii_uppercase()
        } else {
            digit.to_ascii_lowercase()
        }
    };
    let checksum = format!(
        "0x{}",
        address(0).to_string()[2..]
            .chars()
            .map(swap)
            .collect::<String>()
    );
    let lines = csv(&format!(
        "{{A}}\n\n0x5290\n{checksum}\nvitalik.eth\n{{B}}\n"
    ));
    assert_eq!(
        (&lines[0], &lines[4], lines.len()),
        (&valid(1, 0), &valid(6, 1), 5)
    );
    assert_problem(&lines[1], 3, AddressProblem::Length(4));
    assert_problem(&lines[2], 4, AddressProblem::Checksum);
    assert_problem(&lines[3], 5, AddressProblem::Name);
}

#[test]
fn bad_value_in_first_line_is_no_header() {
    for (first, expected) in [
        ("0x5290", AddressProblem::Length(4)),
        ("eth:{A}", AddressProblem::ChainPrefix),
        ("'{A}", AddressProblem::Quoted),
        ("vitalik.eth", AddressProblem::Name),
        ("=cmd|x", AddressProblem::Formula),
        ("12.5", AddressProblem::Other),
        ("\u{200b}{A}", AddressProblem::Character('\u{200b}')),
    ] {
        let lines = csv(&format!("{first}\n{{A}}\n"));
        assert_problem(&lines[0], 1, expected);
        assert_eq!(lines[1..], [valid(2, 0)], "{first}");
    }
}

#[test]
fn every_spelling_of_an_address_is_accepted() {
    let lower = address(0).to_lower_hex();
    let upper = format!("0x{}", lower[2..].to_uppercase());
    assert_eq!(
        csv(&format!("{lower}\n{upper}\n{{A}}\n")),
        [1, 2, 3].map(|number| valid(number, 0))
    );
}

#[test]
fn byte_order_mark_and_empty_lines_are_skipped() {
    let rows = "\u{feff}\r\n \r\naddress,amount\r\n{A},5\r\n,\r\n\r\n{B},6";
    let list = csv_list(rows, &base_units()).unwrap();
    assert_eq!(
        (listed(&list), list.summary.empty_lines),
        (vec![(0, Some(5)), (1, Some(6))], 4)
    );
    let objects = "\u{feff}\r\n \r\n{\"address\":\"{A}\",\"amount\":5}\r\n\r\n{\"address\":\"{B}\",\"amount\":6}";
    let list = ndjson_list(objects, &base_units()).unwrap();
    assert_eq!(
        (listed(&list), list.summary.empty_lines),
        (vec![(0, Some(5)), (1, Some(6))], 3)
    );
}

#[test]
fn semicolons_and_tabs_delimit_without_a_comma() {
    for delimiter in [";", "\t"] {
        let text = "Name|Address|amount\na,b|{A}|5\n".replace('|', delimiter);
        assert_eq!(
            listed(&csv_list(&text, &base_units()).unwrap()),
            [(0, Some(5))],
            "{delimiter:?}"
        );
    }
}

#[test]
fn quoted_fields_may_have_delimiters_and_line_ends() {
    let text = "name,address\n\"a, \"\"b\"\"\n\nc\",\"{A}\"\r\n5\" pipe,{B}\n";
    assert_eq!(csv(text), [valid(2, 0), valid(5, 1)]);
}

#[test]
fn unbalanced_quotation_hides_no_address() {
    let lines = csv("address,note\n{A},\"open\n{B},\"x\"\n{C},y\n");
    assert_eq!(lines[0], (2, Err(LineError::QuotedAddress)));
    let lines = csv("address,note\n{A},x\n{B},\"open\n");
    assert_eq!(lines, [valid(2, 0), (3, Err(LineError::OpenQuotation))]);
}

#[test]
fn ragged_lines_are_rejected() {
    let lines = csv("address,note\n{A}\n{B},x,y\n{C},z\n");
    let expected_lines = [
        (
            2,
            Err(LineError::Cells {
                count: 1,
                expected: 2,
            }),
        ),
        (
            3,
            Err(LineError::Cells {
                count: 3,
                expected: 2,
            }),
        ),
        valid(4, 2),
    ];
    assert_eq!(lines, expected_lines);
    assert_eq!(
        csv("{A}\n{B},5\n")[1],
        (
            2,
            Err(LineError::Cells {
                count: 2,
                expected: 1
            })
        )
    );
}

#[test]
fn bare_carriage_return_hides_no_address() {
    let lines = csv("address,note\n{A},x\n{B},x\r{C}\n{D},z\n");
    assert_eq!(
        lines,
        [
            valid(2, 0),
            (3, Err(LineError::CarriageReturn)),
            valid(4, 3)
        ]
    );
    for text in ["address,note\r{A},x\r{B},y\r", "{A}\r{B}\r"] {
        let error = read(LineFormat::Csv, with_addresses(text).as_bytes()).unwrap_err();
        assert!(
            matches!(error, UploadError::CarriageReturns { line: 1 }),
            "{error}"
        );
        assert!(error.to_string().contains("U+000D"), "{error}");
    }
}

#[test]
fn other_formats_are_recognised() {
    let utf16 = |text: &str| {
        text.encode_utf16()
            .flat_map(u16::to_le_bytes)
            .collect::<Vec<_>>()
    };
    let marked_bytes = [b"\xff\xfe".to_vec(), utf16("address\n")].concat();
    for (bytes, expected) in [
        (marked_bytes, "UTF-16"),
        (utf16("address\n"), "UTF-16"),
        (b"PK\x03\x04xl/workbook.xml".to_vec(), "Excel workbook"),
        (b"\x1f\x8b\x08".to_vec(), "gzip"),
        (b"\x28\xb5\x2f\xfd".to_vec(), "zstd"),
        (b"PAR1\x15".to_vec(), "Parquet"),
        (b"{\"address\":\"0x\"}\n".to_vec(), ".ndjson"),
        (b"[\"0x\"]\n".to_vec(), "one JSON document"),
        (b"<!DOCTYPE html>".to_vec(), "HTML"),
        (b"%PDF-1.7".to_vec(), "no text"),
    ] {
        let error = read(LineFormat::Csv, &bytes).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
        if !bytes.starts_with(b"{") {
            let error = read(LineFormat::Ndjson, &bytes).unwrap_err().to_string();
            assert!(error.contains(expected), "{error}");
        }
    }
    let empty = csv_list("", &ListOptions::default()).unwrap_err();
    assert!(empty.contains("the upload has no address"), "{empty}");
    let header = csv_list("address,amount\n", &base_units()).unwrap_err();
    assert!(header.contains("the upload has no address"), "{header}");
}

#[test]
fn json_line_is_an_object_or_a_string() {
    assert_eq!(ndjson("\"{A}\"\n \"{B}\" \n"), [valid(1, 0), valid(2, 1)]);
    let text = r#"{"address":"{A}","note":{"a":[1]},"amount":"12"}
 {"note":1,"address":"{B}","amount":340282366920938463463374607431768211000,"x":null}
"#;
    let list = ndjson_list(text, &base_units()).unwrap();
    assert_eq!(
        listed(&list),
        [
            (0, Some(12)),
            (1, Some(340_282_366_920_938_463_463_374_607_431_768_211_000))
        ]
    );
    assert_eq!(list.summary.columns.ignored, ["note", "x"]);
}

#[test]
fn bad_json_line_fails_no_other_line() {
    let text = r#"{"address":"{A}","amount":"1"}
{"address":"{A}","amount":1.5}
{"address":"{A}","amount":1e3}
{"address":"{A}","amount":"0x1"}
{"address":"{A}","amount":true}
{"address":"{A}","amount":null}
{"address":"0x5290","amount":1}
{"address":5,"amount":1}
{"address":"{A}","amount":1,"address":"{B}"}
["{A}"]
{A}
{"address":"{A}"
{"amount":1}
{"address":"{C}"}
"{C}"
{"wallet":"{C}","amount":1}
"#;
    let errors = ndjson_list(text, &base_units()).unwrap_err();
    for expected in [
        "correct these 15 errors",
        "Line 2: the amount is \"1.5\": it has a fraction",
        "Line 3: the amount is \"1e3\": it has an exponent",
        "Line 4: the amount is \"0x1\": it is hexadecimal",
        "Line 5: the amount is \"true\": ",
        "Line 6: the amount is \"\": the amount is missing",
        "Line 7: the address is \"0x5290\": it has 4 hexadecimal digits",
        "Line 8: the address is \"5\": ",
        "Line 9: the member \"address\" occurs twice",
        "Line 10: the line is neither a JSON object",
        "Line 11: the line is neither a JSON object",
        "Line 12: the line is neither a JSON object",
        "Line 13: no column has a known name of addresses",
        "Line 14: the line has \"address\" without an amount, and the first line has \"address\", \"amount\"",
        "Line 15: the line has \"column 1\" without an amount",
        "Line 16: the line has \"wallet\", \"amount\", and",
    ] {
        assert!(errors.contains(expected), "{expected} is not in {errors}");
    }
}

#[test]
fn unreadable_bytes_matter_only_in_columns_that_are_read() {
    let mut file = b"name,address\n\xff\xfe,".to_vec();
    file.extend(format!("{}\nx,\u{ff}\n", address(0)).bytes());
    file.extend(b"y,\xff\n");
    let lines = read(LineFormat::Csv, &file).unwrap();
    assert_eq!(lines[0], valid(2, 0));
    assert_problem(&lines[1], 3, AddressProblem::Other);
    assert_problem(&lines[2], 4, AddressProblem::Character('\u{fffd}'));
    let lines = read(LineFormat::Ndjson, b"\"\xff\"\n").unwrap();
    assert!(matches!(lines[..], [(1, Err(LineError::Json { .. }))]));
}

#[test]
fn forms_of_addresses_have_their_own_messages() {
    let digits = address(0).to_lower_hex()[2..].to_owned();
    let text = [
        format!("0X{digits}"),
        digits.clone(),
        format!("'0x{digits}"),
        format!("eip155:1:0x{digits}"),
        "vitalik.eth".to_owned(),
        "XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS".to_owned(),
        format!("0x{digits}\u{a0}"),
        format!("0x{digits}\u{200b}"),
        format!("0x{digits} 5"),
    ];
    let errors = csv_list(
        &format!("address\n{}\n", text.join("\n")),
        &ListOptions::default(),
    )
    .unwrap_err();
    for (number, expected) in (2..).zip([
        "0X; write 0x",
        "lacks the prefix",
        "apostrophe",
        "CAIP-10",
        "resolve it",
        "ICAP",
        "no-break space (U+00A0)",
        "zero-width space (U+200B)",
        "more than an address",
    ]) {
        let line = errors
            .lines()
            .find(|line| line.starts_with(&format!("Line {number}: the address is \"")));
        assert!(
            line.is_some_and(|line| line.contains(expected)),
            "{expected} is not in {errors}"
        );
    }
}

/// Input that is interrupted at each second read and fails at its end.
struct FailingInput<'a> {
    text: &'a [u8],
    is_interrupted: bool,
}

impl Read for FailingInput<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        if self.is_interrupted {
            return Err(io::ErrorKind::Interrupted.into());
        }
        if self.text.is_empty() {
            return Err(io::ErrorKind::ConnectionReset.into());
        }
        let length = buffer.len().min(10);
        self.text.read(&mut buffer[..length])
    }
}

#[test]
fn failing_input_is_an_input_error_in_each_encoding() {
    for encoding in [
        ContentEncoding::Plain,
        ContentEncoding::Gzip,
        ContentEncoding::Zstd,
    ] {
        let text = crate::compression::compress(encoding, with_addresses("{A}\n{B}\n").as_bytes());
        let input = FailingInput {
            text: &text[..text.len() - 1],
            is_interrupted: false,
        };
        let error =
            read_with(input, LineFormat::Csv, encoding, UploadLimits::default()).unwrap_err();
        let UploadError::Input { source, .. } = error else {
            panic!("{encoding}: {error:?}")
        };
        assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        for encoding in [ContentEncoding::Plain, ContentEncoding::Gzip, ContentEncoding::Zstd] {
            for format in [LineFormat::Csv, LineFormat::Ndjson] {
                let _ = read_with(&bytes[..], format, encoding, UploadLimits::default());
            }
            let _ = list_of(UploadFormat::MerkleDump, encoding, &bytes, &ListOptions::default());
        }
        let _ = list_of(UploadFormat::Parquet, ContentEncoding::Plain, &bytes, &ListOptions::default());
    }

    #[test]
    fn no_delimiters_make_the_reader_panic(text in "[,;\"\r\n\t0x{}: a]{0,200}", max_line_bytes in 0_usize..20) {
        let limits = UploadLimits { max_line_bytes, ..UploadLimits::default() };
        for format in [LineFormat::Csv, LineFormat::Ndjson] {
            let _ = read_with(text.as_bytes(), format, ContentEncoding::Plain, limits);
        }
    }

    #[test]
    fn records_are_those_of_rfc_4180(names in prop::collection::vec("[a,\"\n ]{0,10}", 1..10)) {
        let record = |(index, name): (u32, &String)| {
            format!("\"{}\",{},{index}\n", name.replace('"', "\"\""), address(index))
        };
        let file = format!("name,address,amount\n{}", (0..).zip(&names).map(record).collect::<String>());
        let list = csv_list(&file, &base_units()).unwrap();
        let expected_entries: Vec<_> = (0..).zip(&names).map(|(index, _)| (index, Some(u128::from(index)))).collect();
        prop_assert_eq!(listed(&list), expected_entries);
    }
}

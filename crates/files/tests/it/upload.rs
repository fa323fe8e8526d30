//! Formats of uploads.

use crate::fixture::{Line, address, read, read_with};
use proptest::prelude::*;
use std::io::{self, Read};
use voight_domain::snapshot::TokenAmountError;
use voight_domain::vocabulary::AddressError;
use voight_files::{ContentEncoding, LineError, UploadError, UploadFormat, UploadLimits};

const MALFORMED: LineError = LineError::Address(AddressError::Malformed);

/// Returns the lines of a CSV file in which `A`, `B` and `C` represent addresses.
fn csv(text: &str) -> Vec<Line> {
    read(UploadFormat::Csv, with_addresses(text).as_bytes()).unwrap()
}

fn ndjson(text: &str) -> Vec<Line> {
    read(UploadFormat::Ndjson, with_addresses(text).as_bytes()).unwrap()
}

fn with_addresses(text: &str) -> String {
    let mut text = text.to_owned();
    for (index, name) in ["{A}", "{B}", "{C}"].into_iter().enumerate() {
        text = text.replace(name, &address(u32::try_from(index).unwrap()).to_string());
    }
    text
}

fn valid(number: u64, index: u32, amount: Option<u128>) -> Line {
    (number, Ok((address(index).to_lower_hex(), amount)))
}

#[test]
fn a_header_is_optional() {
    let expected = [valid(1, 0, Some(5)), valid(2, 1, Some(0))];
    assert_eq!(csv("{A},5\n{B},0\n"), expected);
    assert_eq!(csv("address,amount\n{A},5\n{B},0\n"), expected.map(|(number, entry)| (number + 1, entry)));
    assert_eq!(csv("{A}\n{B}\n"), [valid(1, 0, None), valid(2, 1, None)]);
    assert_eq!(csv("address\n"), []);
    assert_eq!(csv(""), []);
}

#[test]
fn columns_are_found_by_name_in_any_case() {
    for names in ["note,Amount,ADDRESS", "note,WEIGHT,eoa_address", "note,value, Wallet ", "note,\"amount\",Recipient"]
    {
        assert_eq!(csv(&format!("{names}\nx,7,{{A}}\n")), [valid(2, 0, Some(7))], "{names}");
    }
    assert_eq!(csv("wallet,address\n{B},{A}\n"), [valid(2, 0, None)], "the first name of the list decides");
}

#[test]
fn the_first_row_with_an_address_decides_without_known_names() {
    assert_eq!(csv("Adresse,Betrag\n{A},7\n{B},8\n"), [valid(2, 0, Some(7)), valid(3, 1, Some(8))]);
    assert_eq!(csv("ウォレット,量\n{A},7\n"), [valid(2, 0, Some(7))]);
    assert_eq!(csv("№,сумма,адрес\n1,7,{A}\n2,8,{B}\n"), [valid(2, 0, Some(7)), valid(3, 1, Some(8))]);
    assert_eq!(csv("name,{A}\nname,{B}\n"), [valid(1, 0, None), valid(2, 1, None)], "a line with an address is data");
    let found_late = csv("Adresse,Name\n,x\n{A},x\n");
    assert_eq!(found_late, [(2, Err(MALFORMED)), valid(3, 0, None)]);
    let found = csv("Name,Adresse\nx,{A}\n{B},y\n");
    assert_eq!(found, [valid(2, 0, None), (3, Err(MALFORMED))], "the column does not change");
}

#[test]
fn the_second_column_is_an_amount_only_if_it_is_a_number() {
    assert_eq!(csv("{A},x\n{B},8\n"), [valid(1, 0, None), valid(2, 1, None)]);
    for other_notation in ["1.5", "1_000", "1e18"] {
        let lines = csv(&format!("{{A}},{other_notation}\n"));
        assert_eq!(lines, [(1, Err(LineError::Amount(TokenAmountError::Malformed)))], "{other_notation} was ignored");
    }
    assert_eq!(csv("{A},2026-11-26\n"), [valid(1, 0, None)]);
    assert_eq!(csv("{A},\n{B},8\n"), [valid(1, 0, None), valid(2, 1, Some(8))], "an empty value decides nothing");
    let bad_amount = (2, Err(LineError::Amount(TokenAmountError::Malformed)));
    assert_eq!(csv("{A},7\n{B},8.5\n{C}\n"), [valid(1, 0, Some(7)), bad_amount, valid(3, 2, None)]);
}

#[test]
fn amount_must_be_an_integer() {
    let lines = csv("address,amount\n{A},1.5\n{B},340282366920938463463374607431768211456\n{C}, 9 \n");
    let expected = [
        (2, Err(LineError::Amount(TokenAmountError::Malformed))),
        (3, Err(LineError::Amount(TokenAmountError::TooLarge))),
        valid(4, 2, Some(9)),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_bad_address_has_its_line_and_fails_no_other() {
    let swap = |digit: char| if digit.is_lowercase() { digit.to_ascii_uppercase() } else { digit.to_ascii_lowercase() };
    let checksum = format!("0x{}", address(0).to_string()[2..].chars().map(swap).collect::<String>());
    let lines = csv(&format!("{{A}}\n\n0x5290\n{checksum}\nvitalik.eth\n{{B}}\n"));
    let expected = [
        valid(1, 0, None),
        (3, Err(MALFORMED)),
        (4, Err(LineError::Address(AddressError::Checksum))),
        (5, Err(MALFORMED)),
        valid(6, 1, None),
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_bad_address_in_the_first_line_is_no_header() {
    assert_eq!(csv("0x5290,5\n{A},6\n"), [(1, Err(MALFORMED)), valid(2, 0, Some(6))]);
}

#[test]
fn every_spelling_of_an_address_is_accepted() {
    let lower = address(0).to_lower_hex();
    let upper = format!("0x{}", lower[2..].to_uppercase());
    assert_eq!(csv(&format!("{lower}\n{upper}\n{{A}}\n")), [1, 2, 3].map(|number| valid(number, 0, None)));
}

#[test]
fn byte_order_mark_carriage_returns_empty_lines_and_a_missing_last_end_are_accepted() {
    let expected = [valid(4, 0, Some(5)), valid(7, 1, Some(6))];
    let rows = "\u{feff}\r\n \r\naddress,amount\r\n{A},5\r\n,\r\n\r\n{B},6";
    assert_eq!(csv(rows), expected);
    let objects =
        "\u{feff}\r\n \r\n\r\n{\"address\":\"{A}\",\"amount\":5}\r\n\r\n\r\n{\"address\":\"{B}\",\"amount\":6}";
    assert_eq!(ndjson(objects), expected);
}

#[test]
fn semicolons_and_tabs_delimit_if_the_first_line_has_no_comma() {
    for delimiter in [";", "\t"] {
        let text = "Name|Adresse|amount\na,b|{A}|5\n".replace('|', delimiter);
        assert_eq!(csv(&text), [valid(2, 0, Some(5))], "{delimiter:?}");
    }
}

#[test]
fn quoted_fields_may_have_delimiters_quotes_and_line_ends() {
    let text = "name,address\n\"a, \"\"b\"\"\n\nc\",\"{A}\"\r\n5\" pipe,{B}\n";
    assert_eq!(csv(text), [valid(2, 0, None), valid(5, 1, None)]);
    assert_eq!(csv("{A}\n{B},\"open"), [valid(1, 0, None), valid(2, 1, None)], "an open quotation mark at the end");
}

#[test]
fn a_bare_carriage_return_hides_no_address() {
    assert_eq!(csv("{A}\r{B}\n{C}\n"), [(1, Err(MALFORMED)), valid(2, 2, None)]);
}

#[test]
fn a_json_line_is_an_object_or_a_string() {
    let text = r#"{"address":"{A}"}
"{B}"
 {"note":{"a":[1]},"eoa_address":"{C}","amount":"12"} 
{"amount":340282366920938463463374607431768211455,"address":"{A}"}
{"address":"{A}","amount":null}
"#;
    let expected =
        [valid(1, 0, None), valid(2, 1, None), valid(3, 2, Some(12)), valid(4, 0, Some(u128::MAX)), valid(5, 0, None)];
    assert_eq!(ndjson(text), expected);
}

#[test]
fn a_bad_json_line_has_its_line_and_fails_no_other() {
    let text = r#"{"address":"{A}","amount":1.0}
{"address":"{A}","amount":-1}
{"address":"{A}","amount":1e3}
{"address":"{A}","amount":"0x1"}
{"address":"{A}","amount":true}
{"address":"0x5290"}
{"addr":"{A}"}
{"address":5}
{"address":"{A}","eoa_address":"{B}"}
["{A}"]
{A}
{"address":"{A}"
"{B}"
"#;
    let lines = ndjson(text);
    for (number, entry) in &lines[..5] {
        assert_eq!(*entry, Err(LineError::Amount(TokenAmountError::Malformed)), "line {number}");
    }
    assert_eq!(lines[5], (6, Err(MALFORMED)));
    for (number, entry) in &lines[6..12] {
        assert!(matches!(entry, Err(LineError::Json { .. })), "line {number}: {entry:?}");
    }
    assert_eq!(lines[12..], [valid(13, 1, None)]);
    assert!(lines[6].1.as_ref().unwrap_err().to_string().contains("`address` and `eoa_address`"));
}

#[test]
fn bytes_that_are_no_text_matter_only_in_the_columns_that_are_read() {
    let mut file = b"name,address\n\xff\xfe,".to_vec();
    file.extend(format!("{}\nx,\u{ff}\n", address(0)).bytes());
    assert_eq!(read(UploadFormat::Csv, &file).unwrap(), [valid(2, 0, None), (3, Err(MALFORMED))]);
    let file = b"\"\xff\"\n";
    let lines = read(UploadFormat::Ndjson, file).unwrap();
    assert!(matches!(lines[..], [(1, Err(LineError::Json { .. }))]));
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
fn an_input_that_fails_is_an_input_error_in_each_encoding() {
    for encoding in [ContentEncoding::Plain, ContentEncoding::Gzip, ContentEncoding::Zstd] {
        let text = crate::compression::compress(encoding, with_addresses("{A}\n{B}\n").as_bytes());
        let input = FailingInput { text: &text[..text.len() - 1], is_interrupted: false };
        let error = read_with(input, UploadFormat::Csv, encoding, UploadLimits::default()).unwrap_err();
        let UploadError::Input { source, .. } = error else { panic!("{encoding}: {error:?}") };
        assert_eq!(source.kind(), io::ErrorKind::ConnectionReset);
    }
}

proptest! {
    #[test]
    fn no_bytes_make_the_reader_panic(bytes: Vec<u8>) {
        for format in [UploadFormat::Csv, UploadFormat::Ndjson] {
            for encoding in [ContentEncoding::Plain, ContentEncoding::Gzip, ContentEncoding::Zstd] {
                let _ = read_with(&bytes[..], format, encoding, UploadLimits::default());
            }
        }
    }

    #[test]
    fn no_delimiters_make_the_reader_panic(text in "[,;\"\r\n\t0x{}: a]{0,200}", max_line_bytes in 0_usize..20) {
        let limits = UploadLimits { max_line_bytes, ..UploadLimits::default() };
        for format in [UploadFormat::Csv, UploadFormat::Ndjson] {
            let _ = read_with(text.as_bytes(), format, ContentEncoding::Plain, limits);
        }
    }

    #[test]
    fn records_are_those_of_rfc_4180(names in prop::collection::vec("[a,\"\n ]{0,10}", 1..10)) {
        let record = |(index, name): (u32, &String)| {
            format!("\"{}\",{},{index}\n", name.replace('"', "\"\""), address(index))
        };
        let file = format!("name,address,amount\n{}", (0..).zip(&names).map(record).collect::<String>());
        let lines = read(UploadFormat::Csv, file.as_bytes()).unwrap();
        let entries: Vec<_> = lines.into_iter().map(|(_, entry)| entry.unwrap()).collect();
        let expected: Vec<_> =
            (0..).zip(&names).map(|(index, _)| (address(index).to_lower_hex(), Some(u128::from(index)))).collect();
        prop_assert_eq!(entries, expected);
    }
}

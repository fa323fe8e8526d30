//! Files for airdrop contracts.

use crate::fixture::address;
use std::convert::Infallible;
use std::io;
use voight_domain::EoaAddress;
use voight_domain::snapshot::{MerkleTree, TokenAmount};
use voight_files::{WriteError, write_amounts, write_merkle_dump};

/// Dumps of the npm package, of trees with 1, 2, 3 and 7 values.
const DUMPS: [&str; 4] = [
    include_str!("dumps/dump-1.json"),
    include_str!("dumps/dump-2.json"),
    include_str!("dumps/dump-3.json"),
    include_str!("dumps/dump-7.json"),
];

#[test]
fn a_dump_has_the_bytes_of_the_npm_package() {
    for expected in DUMPS {
        let dump: serde_json::Value = serde_json::from_str(expected).unwrap();
        let pairs = dump["values"].as_array().unwrap().iter().map(|value| {
            let text = |index: usize| value["value"][index].as_str().unwrap();
            (text(0).parse().unwrap(), text(1).parse().unwrap())
        });
        let tree = MerkleTree::new(pairs).unwrap();
        let mut out = Vec::new();
        write_merkle_dump(&mut out, &tree).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), expected);
    }
}

#[test]
fn a_dump_on_a_full_disk_is_an_error() {
    let tree = MerkleTree::new([(address(1), TokenAmount::default())]).unwrap();
    let error = write_merkle_dump(&mut [0_u8; 100][..], &tree).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::WriteZero);
}

#[test]
fn amounts_are_written_in_whole_tokens() {
    let amounts = [0, 1, 1_500_000, 2_000_000, u128::MAX].map(TokenAmount::from_base_units);
    let rows = amounts
        .into_iter()
        .map(|amount| Ok::<_, Infallible>((address(1), amount)));
    let mut out = Vec::new();
    write_amounts(&mut out, 6, rows).unwrap();
    let expected_rows = [
        "0",
        "0.000001",
        "1.5",
        "2",
        "340282366920938463463374607431768.211455",
    ]
    .map(|amount| format!("{},{amount}\r\n", address(1)))
    .concat();
    assert_eq!(
        String::from_utf8(out).unwrap(),
        format!("address,amount\r\n{expected_rows}")
    );
}

#[test]
fn a_failing_source_of_amounts_ends_the_file() {
    let result = write_amounts(
        io::sink(),
        18,
        [Err::<(EoaAddress, TokenAmount), _>("no more rows")],
    );
    assert!(matches!(result, Err(WriteError::Row("no more rows"))));
}

//! Choice of columns, units, and the summary of a list.

use crate::fixture::{address, base_units, csv_list, listed, ndjson_list, tokens, with_addresses};
use voight_domain::snapshot::{AmountUnit, TokenAmount};
use voight_files::{ListOptions, UnitName};

fn options(address_column: &str, amount_column: &str) -> ListOptions {
    let column_name = |name: &str| (!name.is_empty()).then(|| name.to_owned());
    ListOptions {
        address_column: column_name(address_column),
        amount_column: column_name(amount_column),
        ..ListOptions::default()
    }
}

fn uniform(amount: u128) -> ListOptions {
    ListOptions {
        amount: Some(TokenAmount::from_base_units(amount)),
        ..ListOptions::default()
    }
}

/// Asserts that a list is rejected with a message that has all these parts.
fn assert_rejected(text: &str, options: &ListOptions, parts: &[&str]) {
    let errors = csv_list(text, options)
        .map(|list| list.addresses)
        .unwrap_err();
    for part in parts {
        assert!(errors.contains(part), "{part} is not in: {errors}");
    }
}

#[test]
fn columns_are_found_by_their_names_alone() {
    for names in [
        "note,Amount,ADDRESS",
        "note,VALUE,eoa_address",
        "note,reward, Wallet ",
        "note,\"amount\",Recipient",
        "x,amount,Wallet Address",
        "x,amount,receiver",
    ] {
        let list = csv_list(&format!("{names}\nx,7,{{A}}\n"), &base_units()).unwrap();
        assert_eq!(listed(&list), [(0, Some(7))], "{names}");
    }
    let list = csv_list(
        "token_type,token_address,receiver,amount,id\nerc20,{B},{A},0.5,\n",
        &tokens(2),
    )
    .unwrap();
    assert_eq!(listed(&list), [(0, Some(50))]);
}

#[test]
fn header_without_a_known_address_is_rejected() {
    let parts = [
        "line 1: no column has a known name of addresses",
        "\"contract\", \"holder\", \"amount\"",
        "--address-column",
    ];
    assert_rejected(
        "contract,holder,amount\n{A},{B},5\n{A},{C},5\n",
        &base_units(),
        &parts,
    );
    let list = csv_list(
        "contract,holder,amount\n{A},{B},5\n{A},{C},5\n",
        &ListOptions {
            address_column: Some("Holder".into()),
            ..base_units()
        },
    )
    .unwrap();
    assert_eq!(listed(&list), [(1, Some(5)), (2, Some(5))]);
    for header in [
        "Adresse",
        "№,адрес",
        "from,to,value",
        "safe_address,tokens",
        "address|amount",
    ] {
        assert_rejected(
            &format!("{header}\n"),
            &ListOptions::default(),
            &["no column has a known name"],
        );
    }
}

#[test]
fn ambiguous_headers_are_rejected() {
    assert_rejected(
        "wallet,address\n{B},{A}\n",
        &ListOptions::default(),
        &["\"wallet\", \"address\"", "--address-column"],
    );
    assert_rejected(
        "address,address\n{B},{A}\n",
        &ListOptions::default(),
        &["\"address\", \"address\""],
    );
    assert_rejected(
        "address,amount,reward\n{A},1,2\n",
        &base_units(),
        &["\"amount\", \"reward\"", "--amount-column"],
    );
    assert_rejected(
        "address,amount,total_amount\n{A},1,2\n",
        &base_units(),
        &["\"amount\", \"total_amount\""],
    );
    assert_rejected(
        "address,note,note\n{A},1,2\n",
        &options("", "note"),
        &["\"note\", \"note\""],
    );
    let list = csv_list("address,address\n{B},{A}\n", &options("2", "")).unwrap();
    assert_eq!(listed(&list), [(0, None)]);
}

#[test]
fn amounts_are_never_read_from_a_position() {
    let list = csv_list("address,choice,vp\n{A},1,2500\n", &ListOptions::default()).unwrap();
    assert_eq!((listed(&list), list.summary.sum), (vec![(0, None)], None));
    assert_eq!(list.summary.columns.ignored, ["choice", "vp"]);
    let list = csv_list(
        "address,choice,vp\n{A},1,2500\n",
        &ListOptions {
            unit: Some(UnitName::Base),
            ..options("", "vp")
        },
    );
    assert_eq!(listed(&list.unwrap()), [(0, Some(2500))]);
}

#[test]
fn columns_that_may_have_amounts_are_not_ignored() {
    for name in [
        "op_amount_raw",
        "op_total",
        "totalReward",
        "Balance",
        "bonus points",
    ] {
        let text = format!("address,{name}\n{{A}},5\n");
        for options in [ListOptions::default(), uniform(1000)] {
            assert_rejected(
                &text,
                &options,
                &[
                    &format!("the column \"{name}\" may have the amounts"),
                    "--no-amounts",
                ],
            );
        }
        let list = csv_list(
            &text,
            &ListOptions {
                has_no_amounts: true,
                ..uniform(1000)
            },
        )
        .unwrap();
        assert_eq!(
            (listed(&list), list.summary.columns.ignored),
            (vec![(0, None)], vec![name.to_owned()])
        );
    }
}

#[test]
fn file_without_a_header_needs_numbers_of_columns() {
    for text in [
        "eth:{A},10\n{B},20\n",
        "{A},10\n{B},20\n",
        "=cmd|x,1\n{A},2\n",
        "{A},x\n",
    ] {
        assert_rejected(
            text,
            &base_units(),
            &[
                "line 1: the file has 2 columns and no header",
                "--address-column 1 --amount-column 2",
            ],
        );
        assert_rejected(text, &options("1", ""), &["no header"]);
    }
    let list_options = ListOptions {
        unit: Some(UnitName::Base),
        ..options("1", "2")
    };
    let list = csv_list("{A},10\n{B},20\n", &list_options).unwrap();
    assert_eq!(listed(&list), [(0, Some(10)), (1, Some(20))]);
    assert_eq!(
        list.summary.columns.amount,
        Some(("column 2".to_owned(), AmountUnit::Base))
    );
    assert_rejected(
        "eth:{A},10\n{B},20\n",
        &list_options,
        &["Line 1: the address is \"eth:0x", "EIP-3770"],
    );
    assert_rejected(
        "=cmd|x,1\n{A},2\n",
        &list_options,
        &["Line 1: the address is \"=cmd|x\": it is a formula"],
    );
}

#[test]
fn options_must_fit_the_file() {
    let text = "address,amount\n{A},5\n";
    for (options, expected) in [
        (
            options("wallet", ""),
            "address_column is \"wallet\", but the columns are \"address\", \"amount\"; state a name, or a number from 1 to 2",
        ),
        (options("3", ""), "a number from 1 to 2"),
        (options("0", ""), "a number from 1 to 2"),
        (options("1", "1"), "are the same column"),
        (
            ListOptions {
                has_no_amounts: true,
                ..options("", "amount")
            },
            "exclude each other",
        ),
        (
            ListOptions {
                has_no_amounts: true,
                ..base_units()
            },
            "no column has any",
        ),
        (
            ListOptions {
                unit: Some(UnitName::Tokens),
                ..ListOptions::default()
            },
            "need the decimals",
        ),
    ] {
        assert_rejected(text, &options, &[expected]);
    }
}

#[test]
fn unit_of_amounts_is_never_guessed() {
    for text in ["address,amount\n{A},5\n", "address,amount\n{A},12.5\n"] {
        assert_rejected(
            text,
            &ListOptions::default(),
            &[
                "the unit of the amounts in the column \"amount\" is not stated",
                "--unit base",
                "--decimals 18",
            ],
        );
    }
    let list = csv_list("address,amount\n{A},12.5\n{B},0.1\n{C},2\n", &tokens(6)).unwrap();
    assert_eq!(
        listed(&list),
        [
            (0, Some(12_500_000)),
            (1, Some(100_000)),
            (2, Some(2_000_000))
        ]
    );
    assert_rejected(
        "address,amount\n{A},12.5\n",
        &base_units(),
        &[
            "Line 2: the amount is \"12.5\": it has a fraction",
            "--unit tokens",
        ],
    );
    assert_rejected(
        "address,amount\n{A},0.1234567\n",
        &tokens(6),
        &["Line 2: the amount is \"0.1234567\"", "6 decimals"],
    );
    let list = csv_list(
        "address,amount\n{A},5\n",
        &ListOptions {
            decimals: Some(6),
            ..base_units()
        },
    )
    .unwrap();
    assert_eq!(
        (listed(&list), list.summary.decimals),
        (vec![(0, Some(5))], Some(6))
    );
}

#[test]
fn names_of_columns_may_state_the_unit() {
    for name in ["amount_base_units", "amount_wei", "Wei"] {
        let text = format!("address,{name}\n{{A}},5\n");
        assert_eq!(
            listed(&csv_list(&text, &ListOptions::default()).unwrap()),
            [(0, Some(5))],
            "{name}"
        );
        assert_eq!(
            listed(&csv_list(&text, &tokens(6)).unwrap()),
            [(0, Some(5))],
            "{name}"
        );
        let list_options = ListOptions {
            unit: Some(UnitName::Tokens),
            ..tokens(6)
        };
        assert_rejected(&text, &list_options, &["states another unit"]);
    }
    assert_rejected(
        "address,amount_tokens\n{A},5\n",
        &ListOptions::default(),
        &["need the decimals"],
    );
    assert_eq!(
        listed(&csv_list("address,amount_tokens\n{A},5\n", &tokens(1)).unwrap()),
        [(0, Some(50))]
    );
}

#[test]
fn cell_that_is_no_amount_is_rejected() {
    for (cell, expected) in [
        ("n/a", "decimal digits"),
        ("", "missing"),
        ("-", "decimal digits"),
        ("1e18", "exponent"),
        ("\"1,000\"", "separators"),
    ] {
        for options in [base_units(), tokens(18)] {
            let text = format!("wallet,reward\n{{A}},{cell}\n{{B}},500\n");
            assert_rejected(
                &text,
                &options,
                &["correct this error", "Line 2: the amount is ", expected],
            );
        }
    }
}

#[test]
fn amounts_in_the_file_exclude_a_uniform_amount() {
    let options = ListOptions {
        unit: Some(UnitName::Base),
        ..uniform(1000)
    };
    assert_rejected(
        "wallet,reward\n{A},7\n{B},500\n",
        &options,
        &["in the column \"reward\"", "--amount", "--no-amounts"],
    );
    assert_rejected(
        "wallet,reward\n{A},n/a\n{B},500\n",
        &options,
        &["Line 2: the amount is \"n/a\""],
    );
    assert_rejected(
        "wallet,reward\n{A},n/a\n{B},500\n",
        &uniform(1000),
        &["in the column \"reward\"", "--no-amounts"],
    );
    let list = csv_list("wallet\n{A}\n{B}\n", &uniform(1000)).unwrap();
    assert_eq!(
        (list.summary.sum, list.summary.without_amount),
        (Some(TokenAmount::from_base_units(2000)), 0)
    );
}

#[test]
fn lines_of_json_follow_the_rules_of_csv() {
    for (text, expected) in [
        (
            r#"{"contract":"{A}","holder":"{B}","amount":5}"#,
            "\"contract\", \"holder\", \"amount\"",
        ),
        (r#"{"addr":"{A}","wallet":"{B}"}"#, "\"addr\", \"wallet\""),
        (
            r#"{"address":"{A}","amount":5}"#,
            "the unit of the amounts in the column \"amount\" is not stated",
        ),
        (
            r#"{"address":"{A}","total":5}"#,
            "the column \"total\" may have the amounts",
        ),
    ] {
        let errors = ndjson_list(text, &ListOptions::default()).unwrap_err();
        assert!(
            errors.contains("line 1: ") && errors.contains(expected),
            "{errors}"
        );
    }
    let text = "{\"Wallet\":\"{A}\",\"vp\":2}\n{\"vp\":3,\"Wallet\":\"{B}\",\"choice\":1}\n";
    let list = ndjson_list(text, &ListOptions::default()).unwrap();
    assert_eq!(
        (listed(&list), list.summary.columns.ignored),
        (
            vec![(0, None), (1, None)],
            vec!["vp".to_owned(), "choice".into()]
        )
    );
}

#[test]
fn all_errors_of_a_file_are_reported() {
    let repeated_lines =
        |amount: u32| (0..38).map(move |index| format!("{},{amount}\n", address(index)));
    let text: String = std::iter::once("address,amount\n".to_owned())
        .chain(repeated_lines(5))
        .chain(repeated_lines(7))
        .collect();
    let errors = csv_list(&text, &base_units()).unwrap_err();
    assert!(errors.contains("correct these 38 errors"), "{errors}");
    for index in 0..38 {
        let expected_error = format!(
            "Line {}: the address {} has the amount 7 in base units, and 5 in line {}; list it once.",
            index + 40,
            address(index),
            index + 2
        );
        assert!(
            errors.contains(&expected_error),
            "{expected_error} is not in {errors}"
        );
    }
    let many_errors = format!("address,amount\n{}{{A}},x\n", "0x12,x\n".repeat(250));
    let errors = csv_list(&many_errors, &base_units()).unwrap_err();
    assert!(
        errors.contains("correct these 251 errors") && errors.ends_with("and 151 more errors."),
        "{errors}"
    );
    assert_eq!(errors.matches("\nLine ").count(), 100);
}

#[test]
fn repeated_address_with_the_same_amount_counts_once() {
    let list = csv_list(
        "address,amount\n{A},5\n{B},6\n{A},5\n{A},5\n",
        &ListOptions {
            decimals: Some(1),
            ..base_units()
        },
    )
    .unwrap();
    assert_eq!(listed(&list), [(0, Some(5)), (1, Some(6))]);
    let summary = list.summary;
    assert_eq!(
        (summary.addresses, summary.duplicates, summary.empty_lines),
        (2, 2, 0)
    );
    assert_eq!(
        summary.sum.map(|sum| (sum.base_units(), sum.to_tokens(1))),
        Some((11, "1.1".to_owned()))
    );
    assert_eq!(
        (summary.columns.address.as_str(), summary.columns.amount),
        ("address", Some(("amount".to_owned(), AmountUnit::Base)))
    );
}

#[test]
fn sum_above_128_bits_is_an_error() {
    let text = format!("address,amount\n{{A}},{}\n{{B}},1\n", u128::MAX);
    assert_rejected(
        &text,
        &base_units(),
        &["the sum of all amounts exceeds 2^128 - 1"],
    );
    let list = csv_list(&text.replace(",1\n", ",0\n"), &base_units()).unwrap();
    assert_eq!(
        list.summary.sum,
        Some(TokenAmount::from_base_units(u128::MAX))
    );
    assert_rejected(
        &with_addresses("{A}\n{B}\n"),
        &uniform(u128::MAX),
        &["the sum of all amounts exceeds"],
    );
}

use crate::config::{ConfigSources, Loaded, load_text};
use voight_domain::billing::{PriceBook, PricingMode};

const HEAD: &str = "[billing.price_book]\nname = \"2026\"\nversion = 3\nmode = \"volume\"\n";

/// Loads a configuration file with this text.
pub(super) fn loaded(text: &str) -> Result<Loaded, Vec<String>> {
    let inputs = ConfigSources {
        file: Some("voight.toml".into()),
        ..ConfigSources::default()
    };
    load_text(inputs, Some(text))
        .map_err(|problems| problems.0.iter().map(ToString::to_string).collect())
}

fn rejected(text: &str) -> Vec<String> {
    loaded(text).unwrap_err()
}

/// Returns the problems of tiers, the first of which begins on line 5.
fn rejected_tiers(tiers: &str) -> Vec<String> {
    rejected(&format!("{HEAD}{tiers}"))
}

#[track_caller]
fn assert_places(wrong: &[String], expected: &[(usize, &str)]) {
    for (line, words) in expected {
        let place = format!("voight.toml:{line}: ");
        assert!(
            wrong
                .iter()
                .any(|text| text.starts_with(&place) && text.contains(words)),
            "{line} {words}: {wrong:#?}"
        );
    }
    assert_eq!(wrong.len(), expected.len(), "{wrong:#?}");
}

#[test]
fn empty_configuration_uses_the_example_price_book_with_a_note() {
    for (text, code) in [("", "USD"), ("[billing]\ncurrency = \"JPY\"\n", "JPY")] {
        let Loaded {
            config,
            notes,
            entries,
        } = loaded(text).unwrap();
        assert_eq!(
            config.billing.price_book(),
            PriceBook::example(code.parse().unwrap())
        );
        assert!(
            config.billing.is_example() && notes.len() == 1 && notes[0].message.contains("example")
        );
        let shown_value = |key| {
            entries
                .iter()
                .find(|entry| entry.key == key)
                .unwrap()
                .value
                .clone()
        };
        assert_eq!(shown_value("billing.price_book.name"), "example");
        assert_eq!(shown_value("billing.price_book.tiers[1].up_to"), "1000000");
    }
}

#[test]
fn a_book_is_read_to_its_last_digit() {
    let head = HEAD.replace("volume", "graduated");
    let text = format!(
        "[billing]\ncurrency = \"KWD\"\n{head}[[billing.price_book.tiers]]\nup_to = 10\nunit_price = \"0.000000000001\"\n\
         flat_fee = \"1.505\"\n[[billing.price_book.tiers]]\nunit_price = \"0.0\"\n"
    );
    let Loaded {
        config, entries, ..
    } = loaded(&text).unwrap();
    let book = config.billing.price_book();
    assert_eq!(
        (
            book.name(),
            book.version(),
            book.mode(),
            book.currency().code()
        ),
        ("2026", 3, PricingMode::Graduated, "KWD")
    );
    let tiers: Vec<_> = book
        .tiers()
        .iter()
        .map(|tier| (tier.up_to, tier.unit_price.as_pico(), tier.flat_fee))
        .collect();
    assert_eq!(tiers, [(Some(10), 1, 1505), (None, 0, 0)]);
    assert!(!config.billing.is_example());
    let keys: Vec<_> = entries
        .iter()
        .filter(|entry| entry.key.contains('['))
        .map(|entry| &entry.key)
        .collect();
    assert_eq!(keys.len(), 4, "a tier of the example is left: {keys:?}");
}

#[test]
fn tiers_in_a_row_are_tiers_too() {
    let text =
        format!("{HEAD}tiers = [{{ up_to = 5, unit_price = \"0.5\" }}, {{ unit_price = 1 }}]\n");
    let book = loaded(&text).unwrap().config.billing.price_book();
    assert_eq!(book.tiers()[0].up_to, Some(5));
    assert_eq!(book.tiers()[1].unit_price.to_string(), "1");
}

#[test]
fn more_than_ten_tiers_stay_in_order() {
    let tiers: Vec<_> = (1..12)
        .map(|n| format!("{{ up_to = {n}, unit_price = \"{n}\" }}"))
        .collect();
    let text = format!(
        "{HEAD}tiers = [{}, {{ unit_price = \"12\" }}]\n",
        tiers.join(", ")
    );
    let book = loaded(&text).unwrap().config.billing.price_book();
    let prices: Vec<_> = book
        .tiers()
        .iter()
        .map(|tier| tier.unit_price.to_string())
        .collect();
    assert_eq!(prices, (1..=12).map(|n| n.to_string()).collect::<Vec<_>>());
}

#[test]
fn every_fault_is_named_with_its_line_at_once() {
    let wrong = rejected_tiers(
        "[[billing.price_book.tiers]]\nunit_price = \"-1\"\n\
         [[billing.price_book.tiers]]\nup_to = 100\nunit_price = \"0.0000000000001\"\nflat_fee = \"0.005\"\n\
         [[billing.price_book.tiers]]\nup_to = 100\n\
         [[billing.price_book.tiers]]\nup_to = 50\nunit_price = \"1,5\"\nflat_fee = \"-2\"\n\
         [[billing.price_book.tiers]]\n\
         [[billing.price_book.tiers]]\nup_to = 9000000000000000000\nunit_price = \"1000000\"\nflat_fee = \"99999999999999999\"\n",
    );
    assert_places(
        &wrong,
        &[
            (
                5,
                "tier 1 has no up_to, so the tiers after it are never reached",
            ),
            (6, "unit_price of tier 1 is \"-1\", but it is negative"),
            (
                9,
                "unit_price of tier 2 is \"0.0000000000001\", but it has more than 12 decimal places",
            ),
            (
                10,
                "flat_fee of tier 2 is \"0.005\", but it has more than 2 decimal places",
            ),
            (11, "tier 3 has no unit_price"),
            (12, "tier 3 ends at 100, which is not after 100"),
            (14, "tier 4 ends at 50, which is not after 100"),
            (
                15,
                "unit_price of tier 4 is \"1,5\", but it is not a decimal number",
            ),
            (16, "flat_fee of tier 4 is \"-2\", but it is negative"),
            (17, "tier 5 has no up_to"),
            (17, "tier 5 has no unit_price"),
            (18, "tier 6 can cost more than can be counted"),
            (19, "the last tier has an up_to"),
            (
                21,
                "flat_fee of tier 6 is \"99999999999999999\", but it is too large",
            ),
        ],
    );
}

#[test]
fn price_book_is_complete_or_the_example() {
    let wrong = rejected("[billing.price_book]\nname = \"mine\"\n");
    let words = [(1, "no version"), (1, "no mode"), (1, "at least one tier")];
    assert_places(&wrong, &words);
    let wrong = rejected("[log]\njson = true\n[[billing.price_book.tiers]]\nunit_price = \"1\"\n");
    assert_places(
        &wrong,
        &[
            (3, "no version"),
            (3, "no mode"),
            (3, "the name of a price book has 1 to 64"),
        ],
    );
    assert_places(&rejected_tiers("tiers = []\n"), &[(5, "at least one tier")]);
}

#[test]
fn unknown_currency_is_rejected_with_a_reason() {
    for (code, words) in [
        ("usd", "capital letters"),
        ("ABC", "not a currency"),
        ("XAU", "no minor units"),
        ("", "not a currency"),
    ] {
        let wrong = rejected(&format!("[billing]\ncurrency = \"{code}\"\n"));
        assert_places(&wrong, &[(2, words)]);
    }
    let fee = "[[billing.price_book.tiers]]\nunit_price = \"1\"\nflat_fee = \"1.5\"\n";
    assert_places(
        &rejected(&format!("[billing]\ncurrency = \"JPY\"\n{HEAD}{fee}")),
        &[(9, "more than 0 decimal places")],
    );
}

#[test]
fn wrong_type_is_reported_with_the_line_of_its_tier() {
    let first = "[[billing.price_book.tiers]]\nup_to = 5\nunit_price = \"1\"\n";
    for (second, words) in [
        ("unit_price = 0.002", "cannot be 0.002: put it in quotes"),
        ("flat_fee = 1.50", "put it in quotes"),
        ("up_to = 1.5", "no key takes a fraction"),
        ("up_to = true", "a whole number of 1 or more was expected"),
        ("up_to = -5", "up_to cannot be \"-5\""),
        ("up_to = \"many\"", "up_to cannot be \"many\""),
        ("up_to = 1979-05-27", "up_to cannot be"),
        (
            "upto = 7",
            "tiers[].upto; did you mean billing.price_book.tiers[].up_to?",
        ),
    ] {
        let wrong = rejected_tiers(&format!("{first}[[billing.price_book.tiers]]\n{second}\n"));
        assert_places(&wrong, &[(9, words)]);
    }
}

#[test]
fn a_misspelt_key_of_one_tier_hides_no_fault_of_another() {
    let wrong = rejected_tiers(
        "[[billing.price_book.tiers]]\nup_to = 100\nunit_prise = \"1\"\n\
         [[billing.price_book.tiers]]\nup_to = 50\nunit_price = \"1,5\"\n\
         [[billing.price_book.tiers]]\nunit_price = 0.5\n",
    );
    assert_places(
        &wrong,
        &[
            (7, "did you mean billing.price_book.tiers[].unit_price?"),
            (9, "tier 2 ends at 50, which is not after 100"),
            (10, "unit_price of tier 2 is \"1,5\""),
            (12, "cannot be 0.5: put it in quotes"),
        ],
    );
}

#[test]
fn unknown_mode_is_rejected_with_the_list() {
    let wrong = rejected("[billing.price_book]\nmode = \"stairs\"\n");
    assert_places(
        &wrong,
        &[(
            2,
            "mode cannot be \"stairs\": `graduated` or `volume` was expected",
        )],
    );
}

#[test]
fn wrong_list_of_tables_is_reported() {
    for tiers in [
        "tiers = 3",
        "tiers = \"5\"",
        "tiers = [1, 2]",
        "tiers = [{ unit_price = \"1\" }, 3]",
    ] {
        let wrong = rejected_tiers(tiers);
        assert_places(&wrong, &[(5, "tables were expected")]);
    }
    let wrong = rejected("[billing.price_book]\n\"tiers[9]\" = 3\n");
    assert_places(
        &wrong,
        &[(
            2,
            "there is no configuration key billing.price_book.\"tiers[]\"",
        )],
    );
}

#[test]
fn a_variable_sets_no_tiers() {
    for name in [
        "VOIGHT__BILLING__PRICE_BOOK__TIERS",
        "VOIGHT__BILLING__PRICE_BOOK__TIERS[0]__UP_TO",
    ] {
        let environment = [(name.to_owned(), "5".to_owned())].into();
        let problems = load_text(
            ConfigSources {
                environment,
                ..ConfigSources::default()
            },
            None,
        )
        .unwrap_err();
        assert!(
            problems.0[0]
                .message
                .contains("a list of tables is set in a file only"),
            "{problems:?}"
        );
    }
}

#[test]
fn a_variable_wins_over_the_file_also_inside_a_book() {
    let text = format!("{HEAD}[[billing.price_book.tiers]]\nunit_price = \"1\"\n");
    let environment = [(
        "VOIGHT__BILLING__PRICE_BOOK__VERSION".to_owned(),
        "4".to_owned(),
    )]
    .into();
    let inputs = ConfigSources {
        file: Some("voight.toml".into()),
        environment,
        ..ConfigSources::default()
    };
    let book = load_text(inputs, Some(&text))
        .unwrap()
        .config
        .billing
        .price_book();
    assert_eq!((book.name(), book.version()), ("2026", 4));
}

#[test]
fn falling_volume_price_is_rejected_with_a_remedy() {
    let first = "[[billing.price_book.tiers]]\nup_to = 100\nunit_price = \"1\"\n";
    let last = "[[billing.price_book.tiers]]\nunit_price = \"0.5\"\n";
    let words = "tier 2 lowers the total of a period: 100 paid lookups cost 100.00 USD, 101 cost 50.50 USD; set mode = \
                 \"graduated\", or a flat_fee of tier 2 of at least 49.50 USD";
    assert_places(&rejected_tiers(&format!("{first}{last}")), &[(8, words)]);
    for corrected in [
        format!("{HEAD}{first}{last}").replace("volume", "graduated"),
        format!("{HEAD}{first}{last}flat_fee = \"49.50\"\n"),
        format!("{HEAD}{first}{last}").replace("0.5", "1.5"),
    ] {
        assert_eq!(loaded(&corrected).unwrap().notes, []);
    }
    let below = format!("{first}{last}flat_fee = \"49.49\"\n");
    assert_places(&rejected_tiers(&below), &[(8, "101 cost 99.99 USD")]);
}

//! Published table of prices: the total for a number of lookups of a new client, by the example price book.

use crate::billing::backdated;
use std::path::Path;
use tempfile::TempDir;
use voight_tests::server::Server;
use voight_tests::{command, tier};

const ADDRESS: &str = "0x52908400098527886E0F7030069857D2E4169EE7";

/// Account in a data directory in memory if possible: these stores are large and short-lived.
struct PriceFixture {
    folder: TempDir,
}

impl PriceFixture {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir_in("/dev/shm")
                .or_else(|_| tempfile::tempdir())
                .expect("a temporary folder"),
        }
    }

    fn server(&self) -> Server {
        Server::start_with(&self.folder.path().join("data"), |command| {
            command.env("VOIGHT__LIMITS__ENABLED", "false");
        })
    }
}

/// Asserts the total of the current period.
#[track_caller]
fn assert_comes_to(data_dir: &Path, billable: u64, total: &str) {
    let draft = command::json(data_dir, &["invoice", "preview", "--client", "acme"]);
    assert_eq!(
        (&draft["billable"], &draft["free"]),
        (&billable.into(), &1_000.into())
    );
    assert_eq!(
        (&draft["total"]["formatted"], &draft["due"]["formatted"]),
        (&total.into(), &total.into()),
        "{draft}"
    );
    let lines = draft["lines"].as_array().expect("a list of lines");
    let sum: i64 = lines
        .iter()
        .map(|line| line["amount"]["minor"].as_i64().expect("an amount"))
        .sum();
    assert_eq!(draft["total"]["minor"], sum);
}

#[test]
fn lookup_1003_is_the_first_billed_cent() {
    let stage = PriceFixture::new();
    let server = stage.server();
    let account = server.account("acme");
    let mut lookup_count = 0;
    for (billable, total) in [(1_000, "0.00"), (1_001, "0.00"), (1_003, "0.01")] {
        while lookup_count < billable {
            assert_eq!(server.look_up(&account, ADDRESS).status, 200);
            lookup_count += 1;
        }
        assert_comes_to(server.data_dir(), billable, total);
    }
}

#[test]
fn total_at_tier_limits_equals_the_price_list() {
    let stage = PriceFixture::new();
    let mut server = stage.server();
    let account = server.account("acme");
    let client = command::json(server.data_dir(), &["client", "show", "acme"]);
    let client = client["created_at"].as_str().expect("a time");
    let mut lookup_count = 0;
    let ends = [
        (101_000, "200.00"),
        (101_001, "200.00"),
        (1_001_010, "1100.01"),
    ];
    for (billable, total) in ends.into_iter().take(tier::volume(2, 3)) {
        assert_eq!(server.stop(), Some(0), "{}", server.log());
        // All but the last lookup, which uses the public API.
        backdated::look_up(
            server.data_dir(),
            &account,
            billable - 1 - lookup_count,
            client,
        );
        server = stage.server();
        assert_eq!(server.look_up(&account, ADDRESS).status, 200);
        assert_comes_to(server.data_dir(), billable, total);
        lookup_count = billable;
    }
}

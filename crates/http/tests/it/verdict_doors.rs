//! Doors through which a verdict can leave the service: what each reveals, and what it meters.
//!
//! Each cell of the table runs twice: the verdict of the address is a bot in one run, and a human in the other. A door reveals
//! the verdict exactly if the bytes of its responses differ, so a cell does not depend on the form of a response.

mod door;
mod quiet;
mod world;

use crate::common::App;
use Cell::{Hides, NotApplicable, Reveals};
use actix_web::test::TestRequest;
use door::{Door, Order};
use quiet::QUIET_OPERATIONS;
use std::collections::BTreeSet;
use voight_domain::verdict::OverrideTo;
use world::{Caller, World};

/// Situation in which a door is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    /// The client has not looked the address up.
    Unbilled,
    /// The client has looked the address up.
    Billed,
    /// The client has used the door before the verdict changed, and repeats its requests with the same idempotency keys.
    Replay,
    /// The client has reached its cap.
    Capped,
    /// The callers are another client and, for a lookup, a sandbox key of the same client that names the live context.
    Foreign,
    /// The context is archived.
    Archived,
    /// The caller is a sandbox key with a context of its own.
    Sandbox,
}

/// Cases in the order of the columns.
const CASES: [Case; 7] = [
    Case::Unbilled,
    Case::Billed,
    Case::Replay,
    Case::Capped,
    Case::Foreign,
    Case::Archived,
    Case::Sandbox,
];

/// Expected effect of a door in a case. The number is that of the metered lookups.
#[derive(Debug, Clone, Copy)]
enum Cell {
    /// The responses depend on the verdict.
    Reveals(usize),
    /// The responses do not depend on the verdict.
    Hides(usize),
    /// The case does not exist, for this reason.
    NotApplicable(&'static str),
}

/// Row of the table.
struct Row {
    door: Door,
    /// Operations of the OpenAPI document that are this door.
    operations: &'static [&'static str],
    /// Cells in the order of [`CASES`].
    cells: [Cell; 7],
}

const EVERY_USE_IS_A_LOOKUP: Cell = NotApplicable("every use is a lookup");

/// The columns are: unbilled, billed, replay, capped, foreign, archived, sandbox.
#[rustfmt::skip]
const TABLE: [Row; 10] = [
    Row {
        door: Door::Lookup,
        operations: &["lookUpAddress"],
        cells: [EVERY_USE_IS_A_LOOKUP, Reveals(1), Hides(0), Hides(0), Hides(0), Reveals(1), Hides(1)],
    },
    Row {
        door: Door::Detail,
        operations: &["lookUpAddressDetail"],
        cells: [EVERY_USE_IS_A_LOOKUP, Reveals(1), Hides(0), Hides(0), Hides(0), Reveals(1), Hides(1)],
    },
    Row {
        door: Door::Batch,
        operations: &["lookUpBatch"],
        cells: [EVERY_USE_IS_A_LOOKUP, Reveals(1), Hides(0), Hides(0), Hides(0), Reveals(1), Hides(1)],
    },
    Row {
        door: Door::Snapshot,
        operations: &[
            "createSnapshot", "uploadAddresses", "listSnapshots", "getSnapshot", "getSnapshotFile", "getSnapshotManifest",
        ],
        cells: [EVERY_USE_IS_A_LOOKUP, Reveals(1), Hides(0), Hides(0), Hides(0), Reveals(1), Hides(1)],
    },
    // The lookup is that of the snapshot. A snapshot is finalised once.
    Row {
        door: Door::FinalSnapshot,
        operations: &["finalizeSnapshot"],
        cells: [
            NotApplicable("a snapshot without lookups is not finalised"),
            Reveals(0), Hides(0), Hides(0), Hides(0), Reveals(0), Hides(0),
        ],
    },
    Row {
        door: Door::Feed,
        operations: &["listEvents"],
        cells: [Hides(0), Reveals(0), Reveals(0), Hides(0), Hides(0), Reveals(0), Hides(0)],
    },
    Row {
        door: Door::Webhook,
        operations: &["replayWebhook"],
        cells: [Hides(0), Reveals(0), Reveals(0), Hides(0), Hides(0), Reveals(0), Hides(0)],
    },
    // The stream is the feed of a client, read by an operator. The client's key is no admin token.
    Row {
        door: Door::EventStream,
        operations: &[],
        cells: [Hides(0), Reveals(0), Reveals(0), Hides(0), Hides(0), Reveals(0), Hides(0)],
    },
    // A replayed lookup has no row of its own, so the export has the answer of the first one.
    Row {
        door: Door::UsageExport,
        operations: &["exportUsage"],
        cells: [Hides(0), Reveals(0), Hides(0), Hides(0), Hides(0), Reveals(0), Hides(0)],
    },
    Row {
        door: Door::Receipt,
        operations: &["verifyReceipt"],
        cells: [Hides(0); 7],
    },
];

/// Effect of a door in one run.
#[derive(Debug, PartialEq, Eq)]
struct Effect {
    /// Responses of the door.
    responses: String,
    /// Number of metered lookups, live and in the sandbox.
    metered: [usize; 2],
}

/// Uses a door in a world in which an operator changes the verdict, and returns the effect of the last use.
async fn use_door(door: Door, case: Case, verdict: OverrideTo) -> Effect {
    let world = World::new().await;
    world.prepare(case).await;
    let order = door.order();
    let payer = match case {
        Case::Sandbox => Caller::Sandbox,
        _ => Caller::Owner,
    };
    let is_paid = case != Case::Unbilled;
    if is_paid && order == Order::AfterChange || case == Case::Replay {
        door.pay(&world, payer).await;
    }
    if case == Case::Replay || case == Case::Foreign && order == Order::AfterChange {
        door.enter(&world, Caller::Owner).await;
    }
    world.set_verdict(verdict).await;
    let metered_before_replay = world.metered().await;
    if is_paid && order == Order::Record || case == Case::Replay {
        door.pay(&world, payer).await;
    }
    if case == Case::Foreign && order == Order::Lookup {
        door.enter(&world, Caller::Owner).await;
    }
    let metered_before = match case {
        Case::Replay => metered_before_replay,
        _ => world.metered().await,
    };
    let mut responses = String::new();
    for caller in door.callers(case) {
        responses += &door.enter(&world, *caller).await;
    }
    let metered_after = world.metered().await;
    Effect {
        responses,
        metered: [0, 1].map(|ledger| metered_after[ledger] - metered_before[ledger]),
    }
}

/// Returns what differs from the expected effect of a door in both worlds.
async fn cell_differences(door: Door, case: Case, cell: Cell) -> Vec<String> {
    let (is_revealed, count) = match cell {
        Reveals(count) => (true, count),
        Hides(count) => (false, count),
        NotApplicable(reason) => {
            assert!(!reason.is_empty(), "{door:?}, {case:?}");
            return Vec::new();
        }
    };
    let bot = use_door(door, case, OverrideTo::Bot).await;
    let human = use_door(door, case, OverrideTo::Human).await;
    let mut differences = Vec::new();
    if (bot.responses != human.responses) != is_revealed {
        differences.push(format!(
            "{door:?}, {case:?}: expected {cell:?}\nbot: {}\nhuman: {}",
            bot.responses, human.responses
        ));
    }
    let expected_metered = match case {
        Case::Sandbox => [0, count],
        _ => [count, 0],
    };
    for metered in [bot.metered, human.metered] {
        if metered != expected_metered {
            differences.push(format!("{door:?}, {case:?}: {metered:?} lookups"));
        }
    }
    differences
}

#[actix_web::test]
async fn doors_reveal_what_was_metered() {
    let mut differences = Vec::new();
    for Row { door, cells, .. } in TABLE {
        for (case, cell) in CASES.into_iter().zip(cells) {
            differences.extend(Box::pin(cell_differences(door, case, cell)).await);
        }
    }
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

#[actix_web::test]
async fn other_operations_reveal_no_verdict() {
    let mut responses = Vec::new();
    for verdict in [OverrideTo::Bot, OverrideTo::Human] {
        let world = World::new().await;
        world.set_verdict(verdict).await;
        responses.push(Box::pin(quiet::call_all(&world)).await);
        assert_eq!(world.metered().await, [0, 0]);
    }
    for ((operation, bot), (_, human)) in responses[0].iter().zip(&responses[1]) {
        assert_eq!(bot, human, "{operation} reveals a verdict");
    }
}

#[actix_web::test]
async fn every_operation_is_a_door_or_quiet() {
    let app = App::new().await;
    let document = app.send(TestRequest::get().uri("/openapi.json")).await;
    let document = document.json();
    let paths = document["paths"].as_object().unwrap().values();
    let operations: Vec<_> = paths
        .flat_map(|path| path.as_object().unwrap().values())
        .map(|operation| operation["operationId"].as_str().unwrap())
        .collect();
    let doors = TABLE.iter().flat_map(|row| row.operations).copied();
    let quiet_operations = QUIET_OPERATIONS.iter().map(|operation| operation.id);
    let listed_operations: Vec<_> = doors.chain(quiet_operations).collect();
    let unique_operations: BTreeSet<_> = listed_operations.iter().copied().collect();
    assert_eq!(unique_operations.len(), listed_operations.len());
    let documented_operations: BTreeSet<_> = operations.into_iter().collect();
    assert_eq!(
        unique_operations, documented_operations,
        "add a row for a door, or a request that reveals no verdict"
    );
}

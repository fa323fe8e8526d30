//! Execution of families.

use crate::cli::CorpusCli;
use crate::table;
use anyhow::Result;
use std::path::Path;
use voight_bot_corpus::drive::{self, BotSession, SessionEnd, SessionIdentity};
use voight_bot_corpus::evaluated_session::EvaluatedSession;
use voight_bot_corpus::families::{all, selected};
use voight_bot_corpus::family::{Family, FamilyKind};
use voight_bot_corpus::installed;
use voight_bot_corpus::result::{BotCorpusResult, FamilyResult, RunInfo};
use voight_bot_corpus::test_service::TestService;
use voight_tests::results::{TriedSources, commit, source_digests, today};
use voight_tests::{collection, console};

/// Prints the name, kind and description of each family.
fn list_families() {
    for family in all() {
        console::line(format_args!(
            "{:<24} {:<10} {}",
            family.name, family.kind, family.about
        ));
    }
}

/// Executes the command line.
pub(crate) fn run(cli: &CorpusCli) -> Result<()> {
    if cli.list {
        list_families();
        return Ok(());
    }
    let families = selected(&cli.families)?;
    let mut result = load_or_create(&cli.out)?;
    let commit = commit()?;
    let sources = source_digests(&tried_sources())?;
    let collection = collection::digest()?;
    let service = TestService::start()?;
    let bar = console::bar("", families.len() * usize::from(cli.sessions), "sessions");
    for family in families {
        bar.set_message(family.name);
        if let Some(reason) = drive::missing(family) {
            result.skip(family.name, reason);
            bar.inc(cli.sessions.into());
            continue;
        }
        let context = service.context(family.name);
        let mut sessions = Vec::new();
        for number in 0..cli.sessions.into() {
            let (visitor, session, evaluated) = run_with_retry(family, &service, &context, number)?;
            let is_unexpected = evaluated.is_stopped() == (family.kind == FamilyKind::Population);
            if cli.explain && is_unexpected {
                let explanation = service.explain(&context, &visitor.address);
                bar.suspend(|| {
                    console::line(format_args!(
                        "{} {:?}\n{explanation:#}",
                        family.name, evaluated.ended
                    ));
                });
            }
            sessions.push((session, evaluated));
            bar.inc(1);
        }
        let run_info = RunInfo {
            date: &result.date,
            commit: &commit,
            sources: &sources,
            collection: &collection,
            load: load(),
        };
        result.replace(FamilyResult::from_sessions(family, run_info, &sessions));
        result.write(&cli.out)?;
    }
    bar.finish_and_clear();
    result.sort();
    result.write(&cli.out)?;
    console::line(if cli.json {
        serde_json::to_string_pretty(&result)?
    } else {
        table::table(&result)
    });
    Ok(())
}

/// Returns the sources that the results depend on: the window, its evaluation, and the bots.
fn tried_sources() -> TriedSources {
    let packages = ["voight-browser", "voight-detect"]
        .map(str::to_owned)
        .to_vec();
    let paths = [
        "crates/http/src/window",
        "tests/detection/bots/src/drive",
        "tests/detection/bots/src/families",
    ];
    TriedSources {
        packages,
        paths: paths.map(str::to_owned).to_vec(),
        ..TriedSources::default()
    }
}

/// Runs one session; repeats a broken one once, with another address.
fn run_with_retry(
    family: &Family,
    service: &TestService,
    context: &str,
    number: usize,
) -> Result<(SessionIdentity, BotSession, EvaluatedSession)> {
    let run_once = || {
        let visitor = SessionIdentity {
            context: context.to_owned(),
            address: address(),
            number,
        };
        let session = drive::run(family, service, &visitor);
        let is_flagged = service.is_bot(context, &visitor.address)?;
        let explanation = service.explain(context, &visitor.address);
        let session_result = EvaluatedSession::new(session.ended.clone(), is_flagged, &explanation);
        Ok((visitor, session, session_result))
    };
    let first = run_once()?;
    if matches!(first.2.ended, SessionEnd::Broken(_)) {
        run_once()
    } else {
        Ok(first)
    }
}

/// Returns the address of a new visitor.
fn address() -> String {
    format!("0x{:032x}{:08x}", fastrand::u128(..), fastrand::u32(..))
}

/// Returns the stored result, with the current date and versions.
fn load_or_create(out: &Path) -> Result<BotCorpusResult> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let result = BotCorpusResult::read(out)?;
    let date = today()?;
    Ok(BotCorpusResult {
        date,
        cores,
        versions: installed::versions(),
        ..result
    })
}

/// Returns the load average over one minute.
fn load() -> f64 {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ')
        .next()
        .and_then(|first| first.parse().ok())
        .unwrap_or_default()
}

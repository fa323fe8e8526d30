//! Checks of one family, person or tool.

use super::OutOfFoldModels;
use crate::corpus::pointer::RecordedMovement;
use crate::evidence::{PointerKind, check_from_movements};
use crate::parallel;
use anyhow::Result;
use std::collections::BTreeMap;
use voight_domain::verdict::Assessment;
use voight_tests::console::bar;

/// Checks of one family, person or tool, each evaluated separately.
#[derive(Debug, Clone)]
pub(super) struct CheckGroup {
    pub(super) name: String,
    pub(super) checks: Vec<Assessment>,
}

/// Returns the person or tool that made a segment.
pub(super) fn source_of(segment: &RecordedMovement) -> String {
    if segment.human {
        format!("{} {}", segment.source, segment.user)
    } else {
        segment.tool.clone()
    }
}

/// Returns the indices of each maker's segments, by session, in the order of the file.
pub(super) fn by_maker(segments: &[RecordedMovement]) -> BTreeMap<String, Vec<usize>> {
    let mut positions_by_maker: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (at, segment) in segments.iter().enumerate() {
        positions_by_maker
            .entry(source_of(segment))
            .or_default()
            .push(at);
    }
    for positions in positions_by_maker.values_mut() {
        positions.sort_by(|a, b| segments[*a].session.cmp(&segments[*b].session));
    }
    positions_by_maker
}

/// Returns pairs of consecutive segments of one maker and session.
pub(super) fn pairs(segments: &[RecordedMovement]) -> Vec<(String, [&RecordedMovement; 2])> {
    let pairs_of_maker = |(maker, positions): (String, Vec<usize>)| {
        let sessions = positions.chunk_by(|a, b| segments[*a].session == segments[*b].session);
        let pairs: Vec<_> = sessions
            .flat_map(|session| session.chunks_exact(2))
            .map(|pair| [pair[0], pair[1]])
            .collect();
        pairs
            .into_iter()
            .map(move |pair| (maker.clone(), pair.map(|at| &segments[at])))
    };
    by_maker(segments)
        .into_iter()
        .flat_map(pairs_of_maker)
        .collect()
}

/// Builds and evaluates checks of two segments each.
pub(super) fn of_segments(
    what: &str,
    segments: &[RecordedMovement],
    behaviour: &OutOfFoldModels,
) -> Result<Vec<CheckGroup>> {
    let pairs = pairs(segments);
    let evaluate_check =
        |(_, [first, second]): &(String, [&RecordedMovement; 2])| -> Result<Assessment> {
            let check = check_from_movements(first, Some(second), PointerKind::Mouse)?;
            Ok(behaviour.assessor(first).assess(&check.evidence())?)
        };
    let assessments = parallel::map(&pairs, &bar(what, pairs.len(), "checks"), evaluate_check);
    let mut groups: Vec<CheckGroup> = Vec::new();
    for ((maker, _), grouped) in pairs.iter().zip(assessments) {
        match groups.last_mut().filter(|group| group.name == *maker) {
            Some(group) => group.checks.push(grouped?),
            None => groups.push(CheckGroup {
                name: maker.clone(),
                checks: vec![grouped?],
            }),
        }
    }
    Ok(groups)
}

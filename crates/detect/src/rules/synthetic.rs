//! Events that a script created.

use crate::evidence_schema::PointerKind;
use crate::facts::CheckFacts;

/// Matches if a press is untrusted.
pub(super) fn untrusted_press(facts: &CheckFacts) -> Option<String> {
    let is_untrusted = |press: &crate::press::Press<'_>| {
        !press.event.trusted || press.down.is_some_and(|down| !down.trusted)
    };
    let press = facts.presses().find(is_untrusted)?;
    let with = if press.down.is_some() {
        "with"
    } else {
        "without"
    };
    Some(format!("a press {with} a pointer came from a script"))
}

/// Matches if the window counted fewer events than it sent.
///
/// The window counts from its load on, and sends only later events.
pub(super) fn miscounted(facts: &CheckFacts) -> Option<String> {
    let counts = facts.counts()?;
    let rows = |kind: PointerKind| {
        facts
            .pointer_streams()
            .flatten()
            .filter(|event| event.kind == kind)
            .count()
    };
    let event_counts = [
        ("moves", counts.moves, rows(PointerKind::Move)),
        ("presses", counts.down, rows(PointerKind::Down)),
        ("releases", counts.up, rows(PointerKind::Up)),
        ("clicks", counts.click, rows(PointerKind::Click)),
        ("keys", counts.key, facts.keys().map(<[_]>::len).sum()),
    ];
    let fewer = |(name, counted, event_counts): (&str, Option<i64>, usize)| {
        let count = counted.filter(|claimed_count| {
            usize::try_from(*claimed_count).map_or(*claimed_count < 0, |count| count < event_counts)
        })?;
        Some(format!(
            "{event_counts} {name} were sent, {count} were counted"
        ))
    };
    event_counts.into_iter().find_map(fewer)
}

#[cfg(test)]
mod tests {
    use crate::testing::CheckBuilder;

    #[test]
    fn press_by_script_is_reported() {
        assert_eq!(CheckBuilder::person().fires("untrusted_press"), None);
        assert_eq!(CheckBuilder::keyboard().fires("untrusted_press"), None);
        let mut pointer = CheckBuilder::person();
        pointer.all_rows(|_, row| row[11] &= !1);
        assert!(pointer.fires("untrusted_press").is_some());
        let mut click = CheckBuilder::keyboard();
        click.first["pointer"][0][11] = 0.into();
        assert!(click.fires("untrusted_press").is_some());
    }

    #[test]
    fn uncounted_events_are_detected() {
        assert_eq!(CheckBuilder::person().fires("miscounted"), None);
        assert_eq!(CheckBuilder::keyboard().fires("miscounted"), None);
        for (member, counted) in [("move", 61), ("down", 1), ("up", 1), ("click", -1)] {
            let mut draft = CheckBuilder::person();
            draft.second["counts"][member] = counted.into();
            assert!(draft.fires("miscounted").is_some(), "{member}");
        }
        let mut keys = CheckBuilder::keyboard();
        keys.second["counts"]["key"] = 1.into();
        assert!(keys.fires("miscounted").is_some());
        keys.second.as_object_mut().unwrap().remove("counts");
        assert_eq!(keys.fires("miscounted"), None);
    }
}

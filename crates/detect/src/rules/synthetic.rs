//! Events that a script made.

use crate::facts::Facts;

/// The browser does not vouch for a press.
pub(super) fn untrusted_press(facts: &Facts) -> Option<String> {
    let untrusted =
        |press: &crate::press::Press<'_>| !press.event.trusted || press.down.is_some_and(|down| !down.trusted);
    let press = facts.presses().find(untrusted)?;
    let with = if press.down.is_some() { "with" } else { "without" };
    Some(format!("a press {with} a pointer came from a script"))
}

#[cfg(test)]
mod tests {
    use crate::testing::Draft;

    #[test]
    fn a_press_by_script_is_seen_with_and_without_a_pointer() {
        assert_eq!(Draft::person().fires("untrusted_press"), None);
        assert_eq!(Draft::keyboard().fires("untrusted_press"), None);
        let mut pointer = Draft::person();
        pointer.all_rows(|_, row| row[11] &= !1);
        assert!(pointer.fires("untrusted_press").is_some());
        let mut click = Draft::keyboard();
        click.first["pointer"][0][11] = 0.into();
        assert!(click.fires("untrusted_press").is_some());
    }
}

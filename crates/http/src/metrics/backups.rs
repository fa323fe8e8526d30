//! Age of the newest backup.

use super::Metrics;
use super::label_sets::NoLabels;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;
use voight_domain::vocabulary::Timestamp;

/// Time of the newest backup, in milliseconds since 1970-01-01 UTC.
pub(super) struct NewestBackup(AtomicI64);

/// Value of [`NewestBackup`] before a backup is known.
const NONE: i64 = i64::MIN;

impl Default for NewestBackup {
    fn default() -> Self {
        Self(AtomicI64::new(NONE))
    }
}

impl Metrics {
    /// Records that a backup was complete at this time.
    pub fn note_backup(&self, completed_at: Timestamp) {
        let newest = &self.newest_backup.0;
        newest.fetch_max(completed_at.as_millis(), Ordering::Relaxed);
    }

    /// Sets the age of the newest backup, if one is known.
    pub fn set_backup_age(&self, now: Timestamp) {
        let completed_at = self.newest_backup.0.load(Ordering::Relaxed);
        if completed_at == NONE {
            return;
        }
        let age = now.as_millis().saturating_sub(completed_at);
        let age = Duration::from_millis(u64::try_from(age).unwrap_or_default());
        self.families
            .backup_age
            .get_or_create(&NoLabels {})
            .set(age.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::TextFormat;

    #[test]
    fn age_is_absent_until_a_backup_is_known() {
        let metrics = Metrics::default();
        let line = |now| {
            metrics.set_backup_age(Timestamp::from_millis(now));
            let text = metrics.render(TextFormat::Classic).unwrap();
            let mut lines = text.lines().map(str::to_owned);
            lines.find(|line| line.starts_with("voight_backup_age_seconds "))
        };
        assert_eq!(line(7_000), None);
        metrics.note_backup(Timestamp::from_millis(5_000));
        assert_eq!(
            line(7_500).as_deref(),
            Some("voight_backup_age_seconds 2.5")
        );
        metrics.note_backup(Timestamp::from_millis(1_000));
        assert_eq!(
            line(7_000).as_deref(),
            Some("voight_backup_age_seconds 2.0")
        );
        assert_eq!(
            line(4_000).as_deref(),
            Some("voight_backup_age_seconds 0.0")
        );
    }
}

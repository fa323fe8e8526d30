//! Background task: reads the time of the newest backup from the audit log, for the metrics.

use actix_web::web;
use std::time::Duration;
use tokio::time::sleep;
use voight_domain::services::NewestBackup;
use voight_http::AppState;

/// Pause between two reads. A backup that another node of the store has sent is known after it.
const READ_INTERVAL: Duration = Duration::from_mins(1);

/// Reads new audit entries at the start and once a minute for as long as the service runs.
pub(super) async fn run(state: web::Data<AppState>) {
    let mut newest_backup = NewestBackup::default();
    loop {
        match state.services.operator.newest_backup(newest_backup).await {
            Ok(backup) => newest_backup = backup,
            Err(error) => tracing::warn!(
                event = "backup_age_not_read",
                %error,
                "the time of the newest backup cannot be read now"
            ),
        }
        if let Some(completed_at) = newest_backup.completed_at {
            state.metrics.note_backup(completed_at);
        }
        sleep(READ_INTERVAL).await;
    }
}

//! Messages to the service manager: systemd, or another program that sets `NOTIFY_SOCKET`. Without one, nothing is sent.

use sd_notify::NotifyState;
use tokio::time::sleep;

/// Reports that all listeners accept connections.
pub(super) fn ready() {
    send(NotifyState::Ready);
}

/// Reports that the service shuts down, so that the manager applies the timeout of a stop.
pub(super) fn stopping() {
    send(NotifyState::Stopping);
}

/// Sends the watchdog message twice in each interval that the manager has requested; returns if it has requested none. The
/// messages stop when the runtime is blocked, and the manager then restarts the service.
pub(super) async fn watchdog() {
    let Some(interval) = sd_notify::watchdog_enabled() else {
        return;
    };
    loop {
        send(NotifyState::Watchdog);
        sleep(interval / 2).await;
    }
}

fn send(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(
            event = "service_manager_lost",
            %error,
            "the service manager cannot be notified; check NOTIFY_SOCKET"
        );
    }
}

//! Signal handling.

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Completes at the first SIGTERM or SIGINT. A second signal ends the process immediately.
pub(crate) async fn wait_for_signal() {
    let signals = signal(SignalKind::terminate())
        .and_then(|term| Ok((term, signal(SignalKind::interrupt())?)));
    match signals {
        Ok((mut terminate, mut interrupt)) => {
            either(&mut terminate, &mut interrupt).await;
            tokio::spawn(async move {
                either(&mut terminate, &mut interrupt).await;
                tracing::warn!(
                    event = "shutdown_forced",
                    "second signal: exiting immediately"
                );
                std::process::exit(1);
            });
        }
        Err(error) => without_signals(&error).await,
    }
}

async fn either(terminate: &mut Signal, interrupt: &mut Signal) {
    tokio::select! {
        _ = terminate.recv() => {}
        _ = interrupt.recv() => {}
    }
}

/// Waits forever without signal handlers.
///
/// Signals then end the process by default; every acknowledged change is on disk.
async fn without_signals(error: &io::Error) {
    tracing::error!(
        event = "signal_handling_failed",
        %error,
        "signals cannot be handled, so a signal ends the process without a shutdown"
    );
    std::future::pending::<()>().await;
}

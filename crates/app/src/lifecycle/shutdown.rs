//! Signals.

use std::io;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// Ready at the first SIGTERM or SIGINT. The second one ends the process at once.
pub(crate) async fn wait_for_signal() {
    let signals = signal(SignalKind::terminate()).and_then(|term| Ok((term, signal(SignalKind::interrupt())?)));
    match signals {
        Ok((mut terminate, mut interrupt)) => {
            either(&mut terminate, &mut interrupt).await;
            tokio::spawn(async move {
                either(&mut terminate, &mut interrupt).await;
                tracing::warn!("a second signal: ending at once");
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

/// Without handlers the signals end the process as they always do; every acknowledged change is on disk all the same.
async fn without_signals(error: &io::Error) {
    tracing::error!(%error, "signals cannot be handled, so there will be no orderly end");
    std::future::pending::<()>().await;
}

//! Commands of the page's section "As a bot": they drive the demo's window with another wallet.

use serde::Serialize;

/// Program that the commands run, served by the server of the demo page.
pub(super) const ROBOT: &str = include_str!("robot.mjs");

/// Command to copy from the page.
#[derive(Debug, Clone, Serialize)]
pub(super) struct BotCommand {
    title: String,
    command: String,
    address: String,
}

/// Returns the commands for a bot on the page at `page`.
///
/// The bot claims with `address`; the last command prints the reasons of its verdict.
pub(super) fn commands(page: &str, address: &str, explain: String) -> Vec<BotCommand> {
    let fetch = format!("npm install --silent playwright-core && curl -sO {page}/demo/robot.mjs");
    let robot_command = format!("node robot.mjs '{page}/?address={address}'");
    let command = |title: &str, command: String| BotCommand {
        title: title.to_owned(),
        command,
        address: address.to_owned(),
    };
    vec![
        command(
            "Once: a folder with Playwright (Node 20 or later, Chromium)",
            format!("mkdir -p voight-robot && cd voight-robot && {fetch}"),
        ),
        command("A robot in a headless Chromium", robot_command.clone()),
        command(
            "The same robot in a window that you can watch",
            format!("HEADED=1 {robot_command}"),
        ),
        command("Then ask why, as the operator of the service does", explain),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_names_the_wallet_that_its_panel_asks_for() {
        let commands = commands(
            "http://127.0.0.1:8090",
            "0x1234",
            "voight verdict explain 0x1234".to_owned(),
        );
        assert!(
            commands[1..3]
                .iter()
                .all(|c| c.command.contains("?address=0x1234"))
        );
        assert!(commands.iter().all(|c| c.address == "0x1234"));
    }
}

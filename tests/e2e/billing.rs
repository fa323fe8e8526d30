//! Billing of clients, from the public API to the invoice.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "billing/account_lifecycle.rs"]
mod account_lifecycle;
#[path = "billing/backdated.rs"]
mod backdated;
#[path = "billing/cap.rs"]
mod cap;
#[path = "billing/confirmation.rs"]
mod confirmation;
#[path = "billing/prices.rs"]
mod prices;
#[path = "cli/refusal.rs"]
mod refusal;
#[path = "billing/refused.rs"]
mod refused;

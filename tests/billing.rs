//! Billing of clients, from the public API to the invoice.
#![expect(clippy::expect_used, reason = "a test stops at the first thing that is wrong")]

#[path = "billing/asked.rs"]
mod asked;
#[path = "billing/cap.rs"]
mod cap;
#[path = "billing/life.rs"]
mod life;
#[path = "billing/past.rs"]
mod past;
#[path = "billing/prices.rs"]
mod prices;
#[path = "cli/refusal.rs"]
mod refusal;
#[path = "billing/refused.rs"]
mod refused;

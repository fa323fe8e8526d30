//! Billing of clients, from the public API to the invoice.

mod account_lifecycle;
mod backdated;
mod cap;
mod confirmation;
mod prices;
mod rejected;

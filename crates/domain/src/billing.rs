//! Prices of metered lookups: price books, money, charge lines. Integers only; no floating-point number is used for
//! money.

mod canonical;
mod currency;
mod decimal;
mod money;
mod price;
mod price_book;
mod rate;
mod unit_price;

pub use canonical::PriceBookDigest;
pub use currency::{Currency, CurrencyError};
pub use decimal::DecimalError;
pub use money::{AmountOverflow, Money};
pub use price::PriceDrop;
pub use price_book::{PriceBook, PriceBookError, PriceBookParts, PricingMode, Tier};
pub use rate::{ChargeKind, ChargeLine, charge_lines, sum_of_lines};
pub use unit_price::UnitPrice;

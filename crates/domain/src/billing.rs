//! What metered lookups cost: price books, money, lines. Integers only; no floating-point number touches money.

mod canonical;
mod currency;
mod decimal;
mod money;
mod price_book;
mod rate;
mod unit_price;

pub use canonical::BookDigest;
pub use currency::{Currency, CurrencyError};
pub use decimal::DecimalError;
pub use money::Money;
pub use price_book::{Cliff, Mode, PriceBook, PriceBookError, Tier};
pub use rate::{Line, LineKind, OutOfRange, rate, total};
pub use unit_price::UnitPrice;

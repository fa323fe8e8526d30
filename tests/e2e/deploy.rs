//! Deployment: probes, the service manager, reverse proxies, and the samples.

mod chart;
mod health;
mod proxies;
mod unit;

//! Deployment: probes, the service manager, reverse proxies, the samples, and the packages of a release.

mod chart;
mod health;
mod packages;
mod proxies;
mod unit;

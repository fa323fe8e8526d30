//! Lists: an array in a file, comma-separated text in the environment.

use ipnet::IpNet;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer};
use std::fmt::Display;
use std::str::FromStr;
use voight_domain::vocabulary::Network;

#[derive(Deserialize)]
#[serde(untagged)]
enum Form {
    Text(String),
    Array(Vec<String>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum PortsForm {
    Text(String),
    Array(Vec<u16>),
}

/// Deserialises a list of values that parse from text.
pub(super) fn deserialize<'de, D, T>(from: D) -> Result<Vec<T>, D::Error>
where
    D: Deserializer<'de>,
    T: FromStr<Err: Display> + DeserializeOwned,
{
    parse_each(items(from)?, str::parse)
}

/// Deserialises networks; the error names every invalid one.
pub(super) fn networks<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<IpNet>, D::Error> {
    parse_each(items(from)?, |text| {
        text.parse::<Network>().map(IpNet::from)
    })
}

/// Deserialises port numbers.
pub(super) fn ports<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<u16>, D::Error> {
    let ports: Option<Vec<u16>> = match PortsForm::deserialize(from) {
        Ok(PortsForm::Array(ports)) => Some(ports),
        Ok(PortsForm::Text(text)) => split(&text).map(|port| port.parse().ok()).collect(),
        Err(_) => None,
    };
    ports.filter(|ports| !ports.contains(&0)).ok_or_else(|| {
        D::Error::custom("a list of ports from 1 to 65535 was expected, for example [8443]")
    })
}

/// Returns the items of a comma-separated text.
fn split(text: &str) -> impl Iterator<Item = &str> {
    text.split(',')
        .map(str::trim)
        .filter(|item| !item.is_empty())
}

/// Deserialises the texts of a list.
fn items<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<String>, D::Error> {
    Ok(
        match Form::deserialize(from)
            .map_err(|_| D::Error::custom("a list of texts was expected"))?
        {
            Form::Text(text) => split(&text).map(str::to_owned).collect(),
            Form::Array(items) => items,
        },
    )
}

/// Parses each item; the error names every invalid item.
fn parse_each<T, E: Display, F: Error>(
    items: Vec<String>,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<Vec<T>, F> {
    let mut values = Vec::new();
    let mut wrong = Vec::new();
    for item in items {
        match parse(&item) {
            Ok(value) => values.push(value),
            Err(error) => wrong.push(format!("{item:?}: {error}")),
        }
    }
    if wrong.is_empty() {
        Ok(values)
    } else {
        Err(F::custom(wrong.join("; ")))
    }
}

//! Encoding of the counts of checks.

use crate::client::origin;
use crate::{Encode, VERSION};
use voight_domain::check::{CheckCounts, CountedSite, SiteCounts};
use voight_domain::codec::{DecodeError, Decoder, Encoder};

const ORIGIN: u8 = 0;
const UNKNOWN: u8 = 1;
const OTHERS: u8 = 2;

impl Encode for CheckCounts {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        encode_counts(&mut out, self);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let counts = decode_counts(&mut input)?;
        input.finish()?;
        Ok(counts)
    }
}

impl Encode for SiteCounts {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        let sites: Vec<_> = self.sites().collect();
        out.list(&sites, |out, (site, counts)| {
            encode_site(out, site);
            encode_counts(out, counts);
        });
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let sites = input.list(|input| Ok((decode_site(input)?, decode_counts(input)?)))?;
        input.finish()?;
        let mut site_counts = Self::default();
        site_counts.add_all(sites);
        Ok(site_counts)
    }
}

fn encode_site(out: &mut Encoder, site: &CountedSite) {
    match site {
        CountedSite::Origin(origin) => out.u8(ORIGIN).str(origin.as_str()),
        CountedSite::Unknown => out.u8(UNKNOWN),
        CountedSite::Others => out.u8(OTHERS),
    };
}

fn decode_site(input: &mut Decoder<'_>) -> Result<CountedSite, DecodeError> {
    match input.u8()? {
        ORIGIN => origin(input).map(CountedSite::Origin),
        UNKNOWN => Ok(CountedSite::Unknown),
        OTHERS => Ok(CountedSite::Others),
        _ => Err(DecodeError::OutOfRange("a site")),
    }
}

fn encode_counts(out: &mut Encoder, counts: &CheckCounts) {
    let CheckCounts {
        opened,
        started,
        completed,
        human,
        bot,
        unsure,
        owned,
    } = *counts;
    for number in [opened, started, completed, human, bot, unsure, owned] {
        out.uint(number);
    }
}

fn decode_counts(input: &mut Decoder<'_>) -> Result<CheckCounts, DecodeError> {
    Ok(CheckCounts {
        opened: input.uint()?,
        started: input.uint()?,
        completed: input.uint()?,
        human: input.uint()?,
        bot: input.uint()?,
        unsure: input.uint()?,
        owned: input.uint()?,
    })
}

//! Encoding of account linkage: movement fingerprints and clusters.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use std::collections::BTreeMap;
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::linkage::{
    ACROSS, ALONG, Cluster, ClusterKey, ClusterKind, FingerprintPage, FirstSeen, IndexedCheck,
    MovementFingerprint, PAGE_CHECKS, PathShape,
};
use voight_domain::secrets::{AddressDigest, NetworkHash};
use voight_domain::vocabulary::{CheckId, Timestamp};

const MEMBERS: u8 = 1;
const ASSIGNED: u8 = 2;

/// Cluster, or assignment of an address to a cluster by an operator. The keys of the two differ.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkRecord {
    /// Members of a cluster.
    Members(Cluster),
    /// Cluster that an operator assigned to an address.
    Assigned {
        /// Digest of the address.
        member: AddressDigest,
        /// Key of the cluster.
        cluster: ClusterKey,
    },
}

impl Encode for FingerprintPage {
    fn encode(&self) -> Vec<u8> {
        Encoder::versioned(VERSION)
            .list(&self.0, encode_check)
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let page = Self(input.list(decode_check)?);
        input.finish()?;
        if page.0.is_empty() || page.0.len() > PAGE_CHECKS {
            return Err(DecodeError::OutOfRange(
                "the size of a page of fingerprints",
            ));
        }
        Ok(page)
    }
}

fn encode_check(out: &mut Encoder, check: &IndexedCheck) {
    out.fixed(&check.check.to_bytes()).int(check.at.as_millis());
    out.fixed(&check.owner.0)
        .fixed(&check.network.0)
        .list(&check.traces, encode_trace);
}

fn decode_check(input: &mut Decoder<'_>) -> Result<IndexedCheck, DecodeError> {
    Ok(IndexedCheck {
        check: CheckId::from_bytes(input.fixed()?),
        at: Timestamp::from_millis(input.int()?),
        owner: AddressDigest(input.fixed()?),
        network: NetworkHash(input.fixed()?),
        traces: input.list(decode_trace)?,
    })
}

fn encode_trace(out: &mut Encoder, trace: &MovementFingerprint) {
    for shape in [&trace.by_time, &trace.by_length] {
        out.fixed(&shape.along.map(i8::cast_unsigned))
            .fixed(&shape.across.map(i8::cast_unsigned));
    }
}

fn decode_trace(input: &mut Decoder<'_>) -> Result<MovementFingerprint, DecodeError> {
    Ok(MovementFingerprint {
        by_time: decode_shape(input)?,
        by_length: decode_shape(input)?,
    })
}

fn decode_shape(input: &mut Decoder<'_>) -> Result<PathShape, DecodeError> {
    let along = input.fixed::<ALONG>()?.map(u8::cast_signed);
    Ok(PathShape {
        along,
        across: input.fixed::<ACROSS>()?.map(u8::cast_signed),
    })
}

impl Encode for LinkRecord {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        match self {
            Self::Members(cluster) => {
                let members: Vec<_> = cluster.members.iter().collect();
                out.u8(MEMBERS).list(&members, |out, (member, seen)| {
                    out.fixed(&member.0).int(seen.first.as_millis());
                    out.option(seen.owned, |out, at| {
                        out.int(at.as_millis());
                    });
                });
            }
            Self::Assigned { member, cluster } => {
                out.u8(ASSIGNED)
                    .fixed(&member.0)
                    .u8(cluster.kind.code())
                    .fixed(&cluster.digest);
            }
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let record = match input.u8()? {
            MEMBERS => Self::Members(decode_members(&mut input)?),
            ASSIGNED => Self::Assigned {
                member: AddressDigest(input.fixed()?),
                cluster: ClusterKey {
                    kind: ClusterKind::from_code(input.u8()?)?,
                    digest: input.fixed()?,
                },
            },
            _ => return Err(DecodeError::OutOfRange("the record of a cluster")),
        };
        input.finish()?;
        Ok(record)
    }
}

fn decode_members(input: &mut Decoder<'_>) -> Result<Cluster, DecodeError> {
    let members = input.list(|input| {
        let member = AddressDigest(input.fixed()?);
        let first = Timestamp::from_millis(input.int()?);
        let first_owned = input.option(Decoder::int)?.map(Timestamp::from_millis);
        Ok((
            member,
            FirstSeen {
                first,
                owned: first_owned,
            },
        ))
    })?;
    // Members must be sorted and unique, so that a cluster has one encoding.
    if members.is_empty() || !members.is_sorted_by(|(one, _), (next, _)| one < next) {
        return Err(DecodeError::OutOfRange("the members of a cluster"));
    }
    Ok(Cluster {
        members: BTreeMap::from_iter(members),
    })
}

//! Encoding of timeline events.

use super::check::{decode_rejection, encode_rejection};
use super::verdict::{
    decode_layer, decode_nats, decode_versions, encode_layer, encode_nats, encode_versions,
};
use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::linkage::{ClusterKind, ClusterLimitExceeded, RawLinkSignals};
use voight_domain::verdict::{
    Assessment, Event, EventKind, Finding, LayerKind, Observation, OverrideTo,
};
use voight_domain::vocabulary::{CheckId, Timestamp};

const JUDGED: u8 = 1;
const REFUSED: u8 = 2;
const OVERRIDDEN: u8 = 3;
const MOVED: u8 = 4;
const REPLAYED: u8 = 5;
const OVER_LIMIT: u8 = 6;

impl Encode for Event {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.int(self.at.as_millis());
        match &self.kind {
            EventKind::Judged {
                check,
                completed,
                layer,
                assessment,
                observation,
            } => {
                out.u8(JUDGED)
                    .fixed(&check.to_bytes())
                    .u8(u8::from(*completed))
                    .u8(layer.code());
                encode_assessment(&mut out, assessment);
                out.option(observation.as_ref(), encode_observation);
            }
            EventKind::Rejected { check, reason } => {
                out.u8(REFUSED).fixed(&check.to_bytes());
                encode_rejection(&mut out, *reason);
            }
            EventKind::ClusterLimitExceeded {
                check,
                layer,
                limit,
            } => {
                out.u8(OVER_LIMIT).fixed(&check.to_bytes()).u8(layer.code());
                encode_limit(&mut out, *limit);
            }
            EventKind::Overridden { epoch, to, reason } => {
                out.u8(OVERRIDDEN)
                    .uint((*epoch).into())
                    .u8(to.code())
                    .str(reason);
            }
            EventKind::LayerChanged {
                check,
                unverified_flagged,
                owned_flagged,
            } => {
                out.u8(MOVED)
                    .fixed(&check.to_bytes())
                    .u8(u8::from(*unverified_flagged))
                    .u8(u8::from(*owned_flagged));
            }
            EventKind::Replayed {
                epoch,
                policy,
                reason,
            } => {
                out.u8(REPLAYED)
                    .uint((*epoch).into())
                    .uint((*policy).into())
                    .str(reason);
            }
        }
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let at = Timestamp::from_millis(input.int()?);
        let kind = match input.u8()? {
            JUDGED => EventKind::Judged {
                check: CheckId::from_bytes(input.fixed()?),
                completed: input.bool()?,
                layer: LayerKind::from_code(input.u8()?)?,
                assessment: decode_assessment(&mut input)?,
                observation: input.option(decode_observation)?,
            },
            REFUSED => EventKind::Rejected {
                check: CheckId::from_bytes(input.fixed()?),
                reason: decode_rejection(&mut input)?,
            },
            OVER_LIMIT => EventKind::ClusterLimitExceeded {
                check: CheckId::from_bytes(input.fixed()?),
                layer: LayerKind::from_code(input.u8()?)?,
                limit: decode_limit(&mut input)?,
            },
            OVERRIDDEN => EventKind::Overridden {
                epoch: input.uint_as()?,
                to: OverrideTo::from_code(input.u8()?)?,
                reason: input.str()?.to_owned(),
            },
            REPLAYED => EventKind::Replayed {
                epoch: input.uint_as()?,
                policy: input.uint_as()?,
                reason: input.str()?.to_owned(),
            },
            MOVED => EventKind::LayerChanged {
                check: CheckId::from_bytes(input.fixed()?),
                unverified_flagged: input.bool()?,
                owned_flagged: input.bool()?,
            },
            _ => return Err(DecodeError::OutOfRange("the kind of an event")),
        };
        input.finish()?;
        Ok(Self { at, kind })
    }
}

fn encode_limit(out: &mut Encoder, limit: ClusterLimitExceeded) {
    out.u8(limit.cluster.code())
        .uint(limit.rank.into())
        .uint(limit.limit.into())
        .u8(u8::from(limit.flagged));
}

fn decode_limit(input: &mut Decoder<'_>) -> Result<ClusterLimitExceeded, DecodeError> {
    Ok(ClusterLimitExceeded {
        cluster: ClusterKind::from_code(input.u8()?)?,
        rank: input.uint_as()?,
        limit: input.uint_as()?,
        flagged: input.bool()?,
    })
}

fn encode_assessment(out: &mut Encoder, assessment: &Assessment) {
    encode_nats(out, assessment.bot);
    encode_nats(out, assessment.human);
    out.u8(u8::from(assessment.hard))
        .u8(assessment.groups)
        .u8(u8::from(assessment.conclusive));
    out.list(&assessment.findings, encode_finding);
    encode_versions(out, assessment.versions);
}

fn decode_assessment(input: &mut Decoder<'_>) -> Result<Assessment, DecodeError> {
    Ok(Assessment {
        bot: decode_nats(input)?,
        human: decode_nats(input)?,
        hard: input.bool()?,
        groups: input.u8()?,
        conclusive: input.bool()?,
        findings: input.list(decode_finding)?,
        versions: decode_versions(input)?,
        link_signals: RawLinkSignals::default(),
    })
}

fn encode_finding(out: &mut Encoder, finding: &Finding) {
    out.str(&finding.rule).str(&finding.group);
    encode_nats(out, finding.weight);
    out.u8(u8::from(finding.hard))
        .u8(u8::from(finding.counted))
        .str(&finding.reason);
}

fn decode_finding(input: &mut Decoder<'_>) -> Result<Finding, DecodeError> {
    Ok(Finding {
        rule: input.str()?.to_owned(),
        group: input.str()?.to_owned(),
        weight: decode_nats(input)?,
        hard: input.bool()?,
        counted: input.bool()?,
        reason: input.str()?.to_owned(),
    })
}

fn encode_observation(out: &mut Encoder, observation: &Observation) {
    out.uint(observation.epoch.into())
        .u8(observation.kind.code());
    encode_layer(out, &observation.layer);
}

fn decode_observation(input: &mut Decoder<'_>) -> Result<Observation, DecodeError> {
    Ok(Observation {
        epoch: input.uint_as()?,
        kind: LayerKind::from_code(input.u8()?)?,
        layer: decode_layer(input)?,
    })
}

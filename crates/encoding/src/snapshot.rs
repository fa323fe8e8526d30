//! Encoding of snapshots and their slices.

use crate::ledger::{answer_byte, answer_from_byte};
use crate::{ByteEnum, Encode, VERSION, decode_detail, encode_detail};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::metering::ChainHead;
use voight_domain::secrets::IdempotencyDigest;
use voight_domain::snapshot::{
    ListedAddress, RewardRule, Snapshot, SnapshotPause, SnapshotProgress, SnapshotRow,
    SnapshotSlice, TokenAmount,
};
use voight_domain::vocabulary::{ClientId, EoaAddress, KeyId, SnapshotId, Timestamp};

/// Value in the place of the quote that a snapshot of an earlier build could name.
const NO_QUOTE: u8 = 0;

impl Encode for Snapshot {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.id.to_bytes())
            .fixed(&self.client.to_bytes())
            .u8(self.environment.code());
        out.str(self.context.as_str())
            .fixed(&self.key.to_bytes())
            .fixed(&self.row_digest.0)
            .u8(self.source.code());
        encode_amount(&mut out, self.rewards.amount);
        out.u8(u8::from(self.rewards.includes_unknown))
            .u8(u8::from(self.rewards.includes_unsure));
        out.u8(NO_QUOTE).int(self.created_at.as_millis());
        encode_progress(&mut out, &self.progress);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let snapshot = Self {
            id: SnapshotId::from_bytes(input.fixed()?),
            client: ClientId::from_bytes(input.fixed()?),
            environment: ByteEnum::from_code(input.u8()?)?,
            context: input.parsed("a context id")?,
            key: KeyId::from_bytes(input.fixed()?),
            row_digest: IdempotencyDigest(input.fixed()?),
            source: ByteEnum::from_code(input.u8()?)?,
            rewards: RewardRule {
                amount: decode_amount(&mut input)?,
                includes_unknown: input.bool()?,
                includes_unsure: input.bool()?,
            },
            created_at: decode_created_at(&mut input)?,
            progress: decode_progress(&mut input)?,
        };
        input.finish()?;
        Ok(snapshot)
    }
}

impl Encode for SnapshotSlice {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.list(&self.rows, encode_row);
        out.list(&self.pending, |out, listed| {
            out.fixed(listed.address.as_bytes());
            encode_amount(out, listed.amount);
        });
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let rows = input.list(decode_row)?;
        let pending = input.list(|input| {
            let address = EoaAddress::from_bytes(input.fixed()?);
            Ok(ListedAddress {
                address,
                amount: decode_amount(input)?,
            })
        })?;
        input.finish()?;
        Ok(Self { rows, pending })
    }
}

fn decode_created_at(input: &mut Decoder<'_>) -> Result<Timestamp, DecodeError> {
    match input.u8()? {
        NO_QUOTE => Ok(Timestamp::from_millis(input.int()?)),
        _ => Err(DecodeError::OutOfRange("a quote of a snapshot")),
    }
}

fn encode_progress(out: &mut Encoder, progress: &SnapshotProgress) {
    out.u8(progress.state.code());
    out.option(progress.pause, encode_pause);
    for number in [
        progress.attempt,
        progress.slices,
        progress.stored_slices,
        progress.next_slice,
    ] {
        out.uint(number.into());
    }
    out.uint(progress.addresses).uint(progress.units);
    out.option(progress.last_row, |out, (seq, head)| {
        out.uint(seq).fixed(&head.0);
    });
    out.uint(progress.changed);
    for time in [progress.drafted_at, progress.finalized_at] {
        out.option(time, |out, at| {
            out.int(at.as_millis());
        });
    }
}

fn decode_progress(input: &mut Decoder<'_>) -> Result<SnapshotProgress, DecodeError> {
    let state = ByteEnum::from_code(input.u8()?)?;
    let pause = input.option(decode_pause)?;
    let [attempt, slices, stored_slices, next_slice] = [
        input.uint_as()?,
        input.uint_as()?,
        input.uint_as()?,
        input.uint_as()?,
    ];
    let addresses = input.uint()?;
    let units = input.uint()?;
    let last_row = input.option(|input| Ok((input.uint()?, ChainHead(input.fixed()?))))?;
    let changed_rows = input.uint()?;
    let mut time = || input.option(|input| input.int().map(Timestamp::from_millis));
    let drafted_at = time()?;
    let finalized_at = time()?;
    Ok(SnapshotProgress {
        state,
        pause,
        attempt,
        slices,
        stored_slices,
        addresses,
        next_slice,
        units,
        last_row,
        changed: changed_rows,
        drafted_at,
        finalized_at,
    })
}

fn encode_pause(out: &mut Encoder, pause: SnapshotPause) {
    match pause {
        SnapshotPause::KeyRejected => out.u8(0),
        SnapshotPause::ClientSuspended => out.u8(1),
        SnapshotPause::ContextRejected => out.u8(2),
        SnapshotPause::CapReached { resets_at } => out.u8(3).int(resets_at.as_millis()),
    };
}

fn decode_pause(input: &mut Decoder<'_>) -> Result<SnapshotPause, DecodeError> {
    match input.u8()? {
        0 => Ok(SnapshotPause::KeyRejected),
        1 => Ok(SnapshotPause::ClientSuspended),
        2 => Ok(SnapshotPause::ContextRejected),
        3 => Ok(SnapshotPause::CapReached {
            resets_at: Timestamp::from_millis(input.int()?),
        }),
        _ => Err(DecodeError::OutOfRange("the reason of a pause")),
    }
}

fn encode_row(out: &mut Encoder, row: &SnapshotRow) {
    out.fixed(row.address.as_bytes());
    out.u8(answer_byte(row.answer));
    encode_detail(out, &row.detail);
    encode_amount(out, row.amount);
    out.option(row.draft, |out, draft| {
        out.u8(answer_byte(draft));
    });
}

fn decode_row(input: &mut Decoder<'_>) -> Result<SnapshotRow, DecodeError> {
    Ok(SnapshotRow {
        address: EoaAddress::from_bytes(input.fixed()?),
        answer: answer_from_byte(input.u8()?)?,
        detail: decode_detail(input)?,
        amount: decode_amount(input)?,
        draft: input.option(|input| answer_from_byte(input.u8()?))?,
    })
}

fn encode_amount(out: &mut Encoder, amount: Option<TokenAmount>) {
    out.option(amount, |out, amount| {
        out.fixed(&amount.base_units().to_be_bytes());
    });
}

fn decode_amount(input: &mut Decoder<'_>) -> Result<Option<TokenAmount>, DecodeError> {
    input.option(|input| {
        Ok(TokenAmount::from_base_units(u128::from_be_bytes(
            input.fixed()?,
        )))
    })
}

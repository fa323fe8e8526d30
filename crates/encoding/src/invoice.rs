//! Encoding of invoices, statements, adjustments and accounts.

use crate::ByteEnum;
use crate::client::client_name;
use crate::{Encode, VERSION};
use voight_domain::billing::{ChargeKind, ChargeLine, Money, PriceBook, UnitPrice};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::invoicing::{Account, Adjustment, Invoice, InvoiceId, InvoiceState, Statement};
use voight_domain::metering::{ChainHead, Period};
use voight_domain::vocabulary::{ClientId, Timestamp};

const OPEN: u8 = 0;
const PAID: u8 = 1;
const VOID: u8 = 2;
const UNCOLLECTIBLE: u8 = 3;

const LOOKUPS: u8 = 0;
const FLAT_FEE: u8 = 1;

impl Encode for Invoice {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.id.client.to_bytes())
            .uint(self.id.number.into())
            .str(self.name.as_str());
        out.int(self.issued_at.as_millis());
        out.option(self.replaces, |out, number| {
            out.uint(number.into());
        });
        encode_state(&mut out, &self.state);
        encode_statement(&mut out, &self.statement);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let id = InvoiceId {
            client: ClientId::from_bytes(input.fixed()?),
            number: input.uint_as()?,
        };
        let name = client_name(&mut input)?;
        let issued_at = Timestamp::from_millis(input.int()?);
        let replaces = input.option(Decoder::uint_as)?;
        let state = decode_state(&mut input)?;
        let statement = decode_statement(&mut input)?;
        input.finish()?;
        Ok(Self {
            id,
            name,
            statement,
            issued_at,
            replaces,
            state,
        })
    }
}

fn encode_state(out: &mut Encoder, state: &InvoiceState) {
    match state {
        InvoiceState::Open => out.u8(OPEN),
        InvoiceState::Paid(at) => out.u8(PAID).int(at.as_millis()),
        InvoiceState::Void { at, reason } => out.u8(VOID).int(at.as_millis()).str(reason),
        InvoiceState::Uncollectible(at) => out.u8(UNCOLLECTIBLE).int(at.as_millis()),
    };
}

fn decode_state(input: &mut Decoder<'_>) -> Result<InvoiceState, DecodeError> {
    let code = input.u8()?;
    if code == OPEN {
        return Ok(InvoiceState::Open);
    }
    let at = Timestamp::from_millis(input.int()?);
    match code {
        PAID => Ok(InvoiceState::Paid(at)),
        VOID => Ok(InvoiceState::Void {
            at,
            reason: input.str()?.to_owned(),
        }),
        UNCOLLECTIBLE => Ok(InvoiceState::Uncollectible(at)),
        _ => Err(DecodeError::OutOfRange("the state of an invoice")),
    }
}

fn encode_statement(out: &mut Encoder, statement: &Statement) {
    statement.period.encode(out);
    out.uint(statement.first_seq)
        .uint(statement.last_seq)
        .fixed(&statement.head.0);
    out.uint(statement.billable)
        .uint(statement.charged)
        .bytes(&statement.price_book.to_bytes());
    out.list(&statement.lines, encode_line);
    out.list(&statement.adjustments, encode_adjustment);
    statement.carried_forward.encode(out);
    statement.total.encode(out);
}

fn decode_statement(input: &mut Decoder<'_>) -> Result<Statement, DecodeError> {
    Ok(Statement {
        period: Period::decode(input)?,
        first_seq: input.uint()?,
        last_seq: input.uint()?,
        head: ChainHead(input.fixed()?),
        billable: input.uint()?,
        charged: input.uint()?,
        price_book: PriceBook::from_bytes(input.bytes()?)?,
        lines: input.list(decode_line)?,
        adjustments: input.list(decode_adjustment)?,
        carried_forward: Money::decode(input)?,
        total: Money::decode(input)?,
    })
}

fn encode_line(out: &mut Encoder, line: &ChargeLine) {
    out.uint(line.tier as u64);
    match line.kind {
        ChargeKind::Lookups {
            first,
            last,
            unit_price,
        } => {
            out.u8(LOOKUPS)
                .uint(first)
                .uint(last)
                .uint(unit_price.as_pico());
        }
        ChargeKind::FlatFee => {
            out.u8(FLAT_FEE);
        }
    }
    line.amount.encode(out);
}

fn decode_line(input: &mut Decoder<'_>) -> Result<ChargeLine, DecodeError> {
    let tier = input.uint_as()?;
    let kind = match input.u8()? {
        LOOKUPS => ChargeKind::Lookups {
            first: input.uint()?,
            last: input.uint()?,
            unit_price: UnitPrice::from_pico(input.uint()?),
        },
        FLAT_FEE => ChargeKind::FlatFee,
        _ => return Err(DecodeError::OutOfRange("the kind of a line")),
    };
    Ok(ChargeLine {
        tier,
        kind,
        amount: Money::decode(input)?,
    })
}

impl Encode for Adjustment {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        encode_adjustment(&mut out, self);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let adjustment = decode_adjustment(&mut input)?;
        input.finish()?;
        Ok(adjustment)
    }
}

fn encode_adjustment(out: &mut Encoder, adjustment: &Adjustment) {
    out.uint(adjustment.number.into())
        .int(adjustment.at.as_millis())
        .u8(adjustment.kind.code());
    adjustment.amount.encode(out);
    out.str(&adjustment.reason)
        .option(adjustment.invoice, |out, number| {
            out.uint(number.into());
        });
}

fn decode_adjustment(input: &mut Decoder<'_>) -> Result<Adjustment, DecodeError> {
    Ok(Adjustment {
        number: input.uint_as()?,
        at: Timestamp::from_millis(input.int()?),
        kind: ByteEnum::from_code(input.u8()?)?,
        amount: Money::decode(input)?,
        reason: input.str()?.to_owned(),
        invoice: input.option(Decoder::uint_as)?,
    })
}

impl Encode for Account {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.uint(self.last_invoice_number.into())
            .uint(self.last_adjustment_number.into());
        out.list(self.balances(), |out, balance| balance.encode(out))
            .finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let account = Self::new(
            input.uint_as()?,
            input.uint_as()?,
            input.list(Money::decode)?,
        );
        input.finish()?;
        Ok(account)
    }
}

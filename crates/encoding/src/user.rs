//! Encoding of users.

use crate::ByteEnum;
use crate::{Encode, VERSION};
use voight_domain::codec::{DecodeError, Decoder, Encoder};
use voight_domain::registry::{Passkey, Role, SignInLink, User, UserSession, UserWallet};
use voight_domain::secrets::UserSecretDigest;
use voight_domain::vocabulary::{EoaAddress, Timestamp, UserId};

impl Encode for User {
    fn encode(&self) -> Vec<u8> {
        let mut out = Encoder::versioned(VERSION);
        out.fixed(&self.id.to_bytes())
            .str(self.name.as_str())
            .u8(self.role.code());
        encode_time(&mut out, self.created_at);
        out.option(self.removed_at, encode_time)
            .option(self.seen_at, encode_time)
            .option(self.link, encode_link)
            .list(&self.passkeys, encode_passkey)
            .list(&self.wallets, encode_wallet)
            .list(&self.sessions, encode_session);
        out.finish()
    }

    fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut input = Decoder::versioned(bytes, VERSION)?;
        let user = Self {
            id: UserId::from_bytes(input.fixed()?),
            name: input.parsed("the name of a user")?,
            role: Role::from_code(input.u8()?)?,
            created_at: decode_time(&mut input)?,
            removed_at: input.option(decode_time)?,
            seen_at: input.option(decode_time)?,
            link: input.option(decode_link)?,
            passkeys: input.list(decode_passkey)?,
            wallets: input.list(decode_wallet)?,
            sessions: input.list(decode_session)?,
        };
        input.finish()?;
        Ok(user)
    }
}

fn encode_link(out: &mut Encoder, link: SignInLink) {
    out.fixed(&link.digest.0);
    encode_time(out, link.expires_at);
    out.option(link.used_at, encode_time);
}

fn decode_link(input: &mut Decoder<'_>) -> Result<SignInLink, DecodeError> {
    Ok(SignInLink {
        digest: UserSecretDigest(input.fixed()?),
        expires_at: decode_time(input)?,
        used_at: input.option(decode_time)?,
    })
}

fn encode_passkey(out: &mut Encoder, passkey: &Passkey) {
    out.bytes(&passkey.credential_id)
        .str(passkey.label.as_str())
        .bytes(&passkey.state);
    encode_time(out, passkey.created_at);
    out.option(passkey.used_at, encode_time);
}

fn decode_passkey(input: &mut Decoder<'_>) -> Result<Passkey, DecodeError> {
    Ok(Passkey {
        credential_id: input.bytes()?.to_vec(),
        label: input.parsed("the label of a passkey")?,
        state: input.bytes()?.to_vec(),
        created_at: decode_time(input)?,
        used_at: input.option(decode_time)?,
    })
}

fn encode_wallet(out: &mut Encoder, wallet: &UserWallet) {
    out.fixed(wallet.address.as_bytes());
    encode_time(out, wallet.created_at);
    encode_time(out, wallet.last_proof);
}

fn decode_wallet(input: &mut Decoder<'_>) -> Result<UserWallet, DecodeError> {
    Ok(UserWallet {
        address: EoaAddress::from_bytes(input.fixed()?),
        created_at: decode_time(input)?,
        last_proof: decode_time(input)?,
    })
}

fn encode_session(out: &mut Encoder, session: &UserSession) {
    out.fixed(&session.digest.0);
    encode_time(out, session.created_at);
    encode_time(out, session.used_at);
    encode_time(out, session.proved_at);
    out.str(&session.device);
}

fn decode_session(input: &mut Decoder<'_>) -> Result<UserSession, DecodeError> {
    Ok(UserSession {
        digest: UserSecretDigest(input.fixed()?),
        created_at: decode_time(input)?,
        used_at: decode_time(input)?,
        proved_at: decode_time(input)?,
        device: input.str()?.to_owned(),
    })
}

fn encode_time(out: &mut Encoder, time: Timestamp) {
    out.int(time.as_millis());
}

fn decode_time(input: &mut Decoder<'_>) -> Result<Timestamp, DecodeError> {
    input.int().map(Timestamp::from_millis)
}

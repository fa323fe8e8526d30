//! Parser of a server's messages until the client is authenticated.

use super::{AuthMethod, AuthMethods};

/// Length of a message header in bytes: the type, and a length that includes itself.
const HEAD: usize = 5;
/// Length of a header with the kind of an authentication request, in bytes.
const REQUEST: usize = HEAD + 4;
/// Message type of authentication requests.
const AUTHENTICATION: u8 = b'R';

/// State of the parser and of the authentication.
#[derive(Debug)]
pub(super) struct AuthWatch {
    methods: AuthMethods,
    /// Header of the current message.
    head: [u8; REQUEST],
    /// Number of bytes of `head` read so far.
    filled: usize,
    /// Number of bytes to skip until the next message.
    left: usize,
    has_asked: bool,
}

impl AuthWatch {
    pub(super) const fn new(methods: AuthMethods) -> Self {
        Self {
            methods,
            head: [0; REQUEST],
            filled: 0,
            left: 0,
            has_asked: false,
        }
    }

    /// Parses bytes from the server; returns `true` when the authentication is complete.
    ///
    /// # Errors
    ///
    /// The method that the server uses and that is not allowed.
    pub(super) fn read(&mut self, mut bytes: &[u8]) -> Result<bool, AuthMethod> {
        while let Some((first, remaining_bytes)) = bytes.split_first() {
            if self.left > 0 {
                let skipped_bytes = self.left.min(bytes.len());
                self.left -= skipped_bytes;
                bytes = &bytes[skipped_bytes..];
                continue;
            }
            self.head[self.filled] = *first;
            self.filled += 1;
            bytes = remaining_bytes;
            if self.ends_head() && self.end_message()? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Returns the length of the message without its type.
    fn length(&self) -> usize {
        let length = u32::from_be_bytes([self.head[1], self.head[2], self.head[3], self.head[4]]);
        usize::try_from(length).unwrap_or(usize::MAX)
    }

    fn ends_head(&self) -> bool {
        let head_bytes = if self.head[0] == AUTHENTICATION && self.length() >= REQUEST - 1 {
            REQUEST
        } else {
            HEAD
        };
        self.filled >= HEAD && self.filled == head_bytes
    }

    fn end_message(&mut self) -> Result<bool, AuthMethod> {
        self.left = (self.length() + 1).saturating_sub(self.filled);
        let is_request = self.filled == REQUEST;
        self.filled = 0;
        if !is_request {
            return Ok(false);
        }
        let is_complete = self.head[HEAD..] == [0; 4];
        let requested_method = match self.head[HEAD..] {
            [0, 0, 0, 0] if self.has_asked => None,
            [0, 0, 0, 0] => Some(AuthMethod::None),
            [0, 0, 0, 3] => Some(AuthMethod::Password),
            [0, 0, 0, 5] => Some(AuthMethod::Md5),
            [0, 0, 0, 10] => Some(AuthMethod::ScramSha256),
            // Continuation messages of SCRAM, and methods that the driver does not support.
            _ => None,
        };
        self.has_asked = true;
        match requested_method.filter(|method| !self.methods.has(*method)) {
            Some(method) => Err(method),
            None => Ok(is_complete),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &[u8] = &[b'R', 0, 0, 0, 8, 0, 0, 0, 0];
    const PASSWORD: &[u8] = &[b'R', 0, 0, 0, 8, 0, 0, 0, 3];
    const MD5: &[u8] = &[b'R', 0, 0, 0, 12, 0, 0, 0, 5, 1, 2, 3, 4];
    const SASL: &[u8] = b"R\0\0\0\x17\0\0\0\x0aSCRAM-SHA-256\0\0";
    const NOTICE: &[u8] = b"N\0\0\0\x0dSNOTICE\0\0";

    /// Parses the messages in chunks of `size` bytes.
    fn read(methods: &str, messages: &[&[u8]], size: usize) -> Result<bool, AuthMethod> {
        let mut watch = AuthWatch::new(AuthMethods::parse(methods).unwrap());
        let bytes = messages.concat();
        let mut is_complete = false;
        for piece in bytes.chunks(size) {
            assert!(!is_complete, "nothing is read after the end");
            is_complete = watch.read(piece)?;
        }
        Ok(is_complete)
    }

    #[test]
    fn fragmented_request_is_detected() {
        for size in 1..80 {
            assert_eq!(
                read("scram-sha-256,none", &[PASSWORD], size),
                Err(AuthMethod::Password),
                "{size}"
            );
            assert_eq!(
                read("scram-sha-256,none", &[NOTICE, MD5], size),
                Err(AuthMethod::Md5),
                "{size}"
            );
            assert_eq!(
                read("scram-sha-256,none", &[NOTICE, SASL, MD5], size),
                Err(AuthMethod::Md5),
                "{size}"
            );
            assert_eq!(read("scram-sha-256", &[SASL, OK], size), Ok(true), "{size}");
            assert_eq!(
                read("scram-sha-256", &[OK], size),
                Err(AuthMethod::None),
                "{size}"
            );
            assert_eq!(read("none", &[NOTICE, OK], size), Ok(true), "{size}");
            assert_eq!(read("md5", &[MD5, OK], size), Ok(true), "{size}");
            assert_eq!(
                read("md5", &[SASL], size),
                Err(AuthMethod::ScramSha256),
                "{size}"
            );
        }
    }

    #[test]
    fn invalid_message_length_is_harmless() {
        for length in [0_u8, 1, 4, 7] {
            let short = [b'R', 0, 0, 0, length, 0, 0, 0, 3];
            assert_ne!(read("none", &[&short, &[0; 16]], 1), Ok(true), "{length}");
        }
        assert_eq!(
            read("none", &[&[b'E', 0xff, 0xff, 0xff, 0xff, 1, 2, 3]], 1),
            Ok(false)
        );
    }
}

//! Vectors of webhooks: requests that the domain signs, and changes of them.

mod request;

use crate::webhooks::fixture::{ID, endpoint, rotate, secrets, sign};
use request::{BODY, NOW, Request, now};
use std::fmt::Write as _;
use voight_domain::vocabulary::EndpointId;
use voight_domain::webhooks::SignatureKind;
use voight_support::assert_committed;

const FILE: &str = "crates/sdk/vectors.json";
/// Lines of cases.
#[derive(Default)]
struct Cases(Vec<String>);

impl Cases {
    fn add(&mut self, name: &str, request: &Request, expected: &str) {
        let arguments = serde_json::to_string(&request.arguments()).expect("JSON");
        self.0.push(format!(
            r#"    {{"name": "{name}", "call": "verify_webhook", "arguments": {arguments}, "expect": {expected}, "requests": 0}}"#
        ));
    }

    fn accept(&mut self, name: &str, request: &Request) {
        let expected = format!(
            r#"{{"ok": {{"id": "{ID}", "type": "verdict.flagged", "timestamp": "2025-11-22T08:26:39.5*", "data": {{"note": "é", "verdict_version": 3}}}}}}"#
        );
        self.add(name, request, &expected);
    }

    fn reject(&mut self, name: &str, request: &Request, code: &str) {
        let expected =
            format!(r#"{{"error": {{"code": "{code}", "status": 0, "retryable": false}}}}"#);
        self.add(name, request, &expected);
    }

    fn add_valid_requests(&mut self) {
        let hmac = Request::hmac();
        let ed25519 = Request::ed25519();
        self.accept("a webhook signed by HMAC is verified", &hmac);
        self.accept("a webhook signed by Ed25519 is verified", &ed25519);
        let both = format!("{} {}", ed25519.signature(), hmac.signature());
        let both = Request::hmac().with_header("signature", &both);
        self.accept("the secret verifies one of two signatures", &both);
        let by_public_key = both.clone().with_keys(&[ed25519.key()]);
        self.accept(
            "the public key verifies one of two signatures",
            &by_public_key,
        );
        let keys = [ed25519.key(), hmac.key()];
        self.accept(
            "a webhook is verified by one of several keys",
            &both.clone().with_keys(&keys),
        );
        let newer = format!("v2,AAAA v1b,AAAA v3 {}", hmac.signature());
        self.accept(
            "signatures of unknown versions are skipped",
            &Request::hmac().with_header("signature", &newer),
        );
        let mut capitals = hmac.clone();
        capitals.headers = hmac
            .headers
            .iter()
            .map(|(name, value)| (name.to_uppercase(), value.clone()))
            .collect();
        self.accept("headers are found in any case", &capitals);
    }

    fn add_rotations(&mut self) {
        for (kind, name) in [
            (SignatureKind::Hmac, "HMAC"),
            (SignatureKind::Ed25519, "Ed25519"),
        ] {
            let rotated_endpoint = rotate(endpoint(kind), now());
            let headers = sign(&rotated_endpoint, BODY, now());
            let former_key = endpoint(kind).receiver_key(&secrets());
            let key = rotated_endpoint.receiver_key(&secrets());
            let request = Request::signed(kind, BODY).with_header("signature", &headers.signature);
            let mut accept = |which: &str, keys: &[&str]| {
                let name = format!("during a rotation of {name}, {which} verifies");
                self.accept(&name, &request.clone().with_keys(keys));
            };
            accept("the former key", &[&former_key]);
            accept("the new key", &[&key]);
            accept("either key", &[&key, &former_key]);
            let (signature, _) = headers.signature.split_once(' ').expect("two signatures");
            let later = request
                .with_header("signature", signature)
                .with_keys(&[&former_key]);
            self.reject(
                &format!("after a rotation of {name}, the former key verifies nothing"),
                &later,
                "webhook_forged",
            );
        }
    }

    fn add_times(&mut self) {
        self.accept(
            "a webhook of five minutes ago is verified",
            &Request::hmac().at(NOW + 300),
        );
        self.accept(
            "a webhook of in five minutes is verified",
            &Request::hmac().at(NOW - 300),
        );
        for (name, request, code) in [
            (
                "an older webhook has expired",
                Request::hmac().at(NOW + 301),
                "webhook_expired",
            ),
            (
                "a webhook of the future is early",
                Request::hmac().at(NOW - 301),
                "webhook_early",
            ),
            (
                "an old webhook of Ed25519 has expired",
                Request::ed25519().at(NOW + 86_400),
                "webhook_expired",
            ),
            (
                "without a time, the clock of the system decides",
                Request {
                    now: None,
                    ..Request::hmac()
                },
                "webhook_expired",
            ),
            (
                "a shorter tolerance rejects a webhook of two seconds ago",
                Request {
                    tolerance_ms: Some(1_000),
                    ..Request::hmac().at(NOW + 2)
                },
                "webhook_expired",
            ),
        ] {
            self.reject(name, &request, code);
        }
        let patient = Request {
            tolerance_ms: Some(3_600_000),
            ..Request::hmac().at(NOW + 3_000)
        };
        self.accept("a longer tolerance accepts an older webhook", &patient);
    }

    fn add_forgeries(&mut self) {
        let stranger = EndpointId::from_bytes([9; 16]);
        let secret = secrets().webhook_secret(stranger, 0);
        let public_key = secrets()
            .webhook_key_pair(stranger, 0)
            .public_key()
            .to_string();
        let altered = |body: &str| Request {
            body: body.to_owned(),
            ..Request::hmac()
        };
        let pointed = secret.sign(format!("a.b.{NOW}.{BODY}").as_bytes());
        let pointed = Request::hmac()
            .with_header("id", "a.b")
            .with_header("signature", &pointed)
            .with_keys(&[&secret.expose()]);
        let swapped = Request::ed25519().signature().replacen("v1a,", "v1,", 1);
        for (name, request) in [
            (
                "another secret verifies nothing",
                Request::hmac().with_keys(&[&secret.expose()]),
            ),
            (
                "another public key verifies nothing",
                Request::ed25519().with_keys(&[&public_key]),
            ),
            (
                "a public key verifies no signature by HMAC",
                Request::hmac().with_keys(&[Request::ed25519().key()]),
            ),
            (
                "a secret verifies no signature by Ed25519",
                Request::hmac().with_header("signature", &swapped),
            ),
            (
                "an altered body is forged",
                altered(&BODY.replace('3', "4")),
            ),
            (
                "a body with another line end is forged",
                altered(&format!("{BODY}\n")),
            ),
            ("an empty body is forged", altered("")),
            (
                "an altered id is forged",
                Request::hmac().with_header("id", &ID.replace('x', "y")),
            ),
            (
                "an altered time is forged",
                Request::hmac().with_header("timestamp", &(NOW + 1).to_string()),
            ),
            ("a signed id with a point is forged", pointed),
        ] {
            self.reject(name, &request, "webhook_forged");
        }
    }

    fn add_malformed_headers(&mut self) {
        for name in ["id", "timestamp", "signature"] {
            let missing = Request::hmac().without_header(name);
            self.reject(
                &format!("without webhook-{name} nothing is verified"),
                &missing,
                "webhook_missing",
            );
            let empty = Request::hmac().with_header(name, "");
            self.reject(
                &format!("an empty webhook-{name} is missing"),
                &empty,
                "webhook_missing",
            );
        }
        let hmac = Request::hmac();
        let (_, encoded) = hmac.signature().split_once(',').expect("a version");
        for (index, signature) in [
            "v1",
            "v1,",
            "v1,!!!",
            "v1,AAAA",
            &encoded[..40],
            &format!("v1:{encoded}"),
            &format!("v1, {encoded}"),
            &format!("v2,{encoded}"),
            &format!("v1,{}", &encoded[4..]),
            " ",
        ]
        .into_iter()
        .enumerate()
        {
            let request = Request::hmac().with_header("signature", signature);
            self.reject(
                &format!("malformed signature {index} is forged"),
                &request,
                "webhook_forged",
            );
        }
        for signature in ["v1a,AAAA", "v1a,!!!", "v1a"] {
            let request = Request::ed25519().with_header("signature", signature);
            self.reject(
                &format!("signature {signature} is forged"),
                &request,
                "webhook_forged",
            );
        }
        for timestamp in [
            "now",
            "-5",
            "1e9",
            "1763800000.0",
            "17638000000000000000",
            "0x6921",
        ] {
            let request = Request::hmac().with_header("timestamp", timestamp);
            self.reject(
                &format!("time {timestamp} is forged"),
                &request,
                "webhook_forged",
            );
        }
    }

    fn add_malformed_bodies(&mut self) {
        for (index, body) in [
            "",
            "hello",
            "[]",
            "null",
            "7",
            r#"{"timestamp":"2025-11-22T08:26:39Z","data":{}}"#,
            r#"{"type":7,"timestamp":"2025-11-22T08:26:39Z","data":{}}"#,
            r#"{"type":"verdict.flagged","data":{}}"#,
            r#"{"type":"verdict.flagged","timestamp":"yesterday","data":{}}"#,
            r#"{"type":"verdict.flagged","timestamp":"2025-13-22T08:26:39Z","data":{}}"#,
            r#"{"type":"verdict.flagged","timestamp":1763800000,"data":{}}"#,
            r#"{"type":"verdict.flagged","timestamp":"2025-11-22T08:26:39Z"}"#,
        ]
        .into_iter()
        .enumerate()
        {
            let request = Request::signed(SignatureKind::Hmac, body);
            self.reject(
                &format!("signed body {index} is malformed"),
                &request,
                "webhook_malformed",
            );
        }
        // The example of the specification. Its body is no event of this service.
        let example = Request {
            body: r#"{"test": 2432232314}"#.to_owned(),
            ..Request::hmac().at(1_614_265_330)
        }
        .with_header("id", "msg_p5jXN8AQM9LWM0D4loKWxJek")
        .with_header("timestamp", "1614265330")
        .with_header(
            "signature",
            "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
        )
        .with_keys(&["whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"]);
        self.reject(
            "the signature of the specification is valid",
            &example,
            "webhook_malformed",
        );
    }

    fn add_malformed_keys(&mut self) {
        let short_secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILA==";
        let long_secret = format!("whsec_{}", "MfKQ9r8G".repeat(11));
        let short_public_key = "whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
        let valid_key = Request::hmac().key().to_owned();
        let renamed_key = valid_key.replacen("whsec_", "whsk_", 1);
        let unnamed_key = &valid_key["whsec_".len()..];
        let mut reject = |name: &str, keys: &[&str]| {
            let request = Request::hmac().with_keys(keys);
            self.reject(&format!("{name} is rejected"), &request, "invalid_argument");
        };
        reject("no key", &[]);
        reject("a short secret", &[short_secret]);
        reject("a long secret", &[&long_secret]);
        reject("a short public key", &[short_public_key]);
        reject("another prefix", &[&renamed_key]);
        reject("no prefix", &[unnamed_key]);
        reject("a key that is not base64", &["whsec_!!!!!!!!!!!!"]);
        reject("one malformed key of two", &[&valid_key, short_secret]);
    }
}

#[test]
fn webhook_vectors_are_signed_by_the_domain() {
    let mut cases = Cases::default();
    cases.add_valid_requests();
    cases.add_rotations();
    cases.add_times();
    cases.add_forgeries();
    cases.add_malformed_headers();
    cases.add_malformed_bodies();
    cases.add_malformed_keys();
    let mut text = super::read(FILE);
    let end = text.find(",\n  \"webhooks\": [").or(text.rfind("\n}"));
    text.truncate(end.expect("the end of the document"));
    let _ = write!(
        text,
        ",\n  \"webhooks\": [\n{}\n  ]\n}}\n",
        cases.0.join(",\n")
    );
    let remedy =
        "look at the change, then run VOIGHT_UPDATE=1 cargo test -p voight-tests webhook_vectors";
    assert_committed(FILE, text, remedy);
}

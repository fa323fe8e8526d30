//! Generator of lookups and of requests that are nearly lookups.

use super::world::World;
use crate::common::LOOKUP;
use fastrand::Rng;
use voight_domain::vocabulary::EoaAddress;

/// Number of requests that may be repeated.
const RECENT: usize = 24;

/// Request as raw bytes.
pub(super) struct Request {
    pub(super) bytes: Vec<u8>,
    /// `true` if its answer has no body.
    pub(super) is_head: bool,
}

/// Generator, with what it repeats.
#[derive(Default)]
pub(super) struct Generator {
    number: u32,
    /// Target, key and idempotency key of earlier requests.
    recent: Vec<(String, Headers, String)>,
}

type Headers = Vec<(String, Vec<u8>)>;

/// Returns one of the items.
fn pick<'a, T: ?Sized>(random: &mut Rng, items: &[&'a T]) -> &'a T {
    items[random.usize(..items.len())]
}

fn chance(random: &mut Rng, percent: u8) -> bool {
    random.u8(..100) < percent
}

impl Generator {
    /// Generates the next request.
    pub(super) fn request(&mut self, random: &mut Rng, world: &World) -> Request {
        self.number += 1;
        let method = if chance(random, 94) {
            "GET"
        } else {
            pick(random, &METHODS)
        };
        let version = if chance(random, 98) {
            "HTTP/1.1"
        } else {
            pick(random, &["HTTP/1.0", "HTTP/2.0", "http/1.1"])
        };
        let (mut target, mut keys) = if chance(random, 15) {
            // A key of another kind or client with its own context.
            let number = random.usize(1..world.contexts.len() - 1);
            let address = address(random, &world.addresses);
            let target = format!(
                "{LOOKUP}?eoa_address={address}&context_id={}",
                world.contexts[number + 1]
            );
            (
                target,
                vec![(
                    "x-api-key".to_owned(),
                    world.secrets[number].clone().into_bytes(),
                )],
            )
        } else {
            (target(random, world), api_keys(random, world))
        };
        let mut idempotency = self.idempotency_keys(random);
        if chance(random, 20) && !self.recent.is_empty() {
            let (earlier_target, earlier_key, earlier) =
                &self.recent[random.usize(..self.recent.len())];
            idempotency = vec![("idempotency-key".to_owned(), earlier.clone().into_bytes())];
            keys.clone_from(earlier_key);
            if chance(random, 70) {
                target.clone_from(earlier_target);
            }
        } else if let [(_, key)] = &idempotency[..] {
            let key = String::from_utf8_lossy(key).into_owned();
            self.recent.insert(0, (target.clone(), keys.clone(), key));
            self.recent.truncate(RECENT);
        }
        let mut headers = [keys, idempotency, extra_headers(random)].concat();
        if chance(random, 97) {
            headers.push(("host".to_owned(), b"voight.example".to_vec()));
        }
        random.shuffle(&mut headers);
        let (body_headers, body) = body(random, method);
        headers.extend(body_headers);
        let line_end = if chance(random, 99) {
            "\r\n"
        } else {
            pick(random, &["\r\n", "\n", "\r", " \r\n"])
        };
        let mut bytes = format!("{method} {target} {version}{line_end}").into_bytes();
        for (name, value) in headers {
            let name = if chance(random, 10) {
                name.to_ascii_uppercase()
            } else {
                name
            };
            let colon = if chance(random, 95) {
                ": "
            } else {
                pick(random, &[":", ":  ", ":\t"])
            };
            bytes.extend([name.as_bytes(), colon.as_bytes(), &value, b"\r\n"].concat());
        }
        bytes.extend(b"\r\n");
        bytes.extend(body);
        Request {
            bytes,
            is_head: method == "HEAD",
        }
    }

    fn idempotency_keys(&self, random: &mut Rng) -> Headers {
        let fresh = format!("claim-{}", self.number);
        let header = |value: Vec<u8>| ("idempotency-key".to_owned(), value);
        match random.u8(..100) {
            0..45 => vec![],
            45..80 => vec![header(fresh.into_bytes())],
            80..90 => vec![header(format!("\"{fresh} x\"").into_bytes())],
            90..92 => vec![
                header(fresh.clone().into_bytes()),
                header(fresh.into_bytes()),
            ],
            92..94 => vec![header(vec![b'k'; random.usize(250..260)])],
            94 => vec![header(vec![])],
            95 => vec![header(b"cl\xe9".to_vec())],
            96 => vec![header(b"\"open".to_vec())],
            97 => vec![header(b"a b".to_vec())],
            98 => vec![header(br#""a\"b\\c""#.to_vec())],
            _ => vec![header(format!("  {fresh}  ").into_bytes())],
        }
    }
}

const METHODS: [&str; 11] = [
    "HEAD",
    "HEAD",
    "OPTIONS",
    "POST",
    "POST",
    "PUT",
    "PATCH",
    "DELETE",
    "TRACE",
    "get",
    "VERYLONGMETHODNAME",
];

fn target(random: &mut Rng, world: &World) -> String {
    let detail = format!("{LOOKUP}/detail");
    let path = match random.u8(..100) {
        0..82 => LOOKUP.to_owned(),
        82..94 => detail,
        _ => pick(
            random,
            &[
                "/api/v1/users/eoa/",
                "/api/v1//users/eoa",
                "/api/v1/users/%65oa",
                "/api/v1/users/EOA",
                "/api/v1/users/eoa;a=b",
                "/api/v1/users",
                "/api/v1/usage",
                "/api/v1/usage/head",
                "/livez",
                "/",
                "/none",
                "http://voight.example/api/v1/users/eoa",
                "//api/v1/users/eoa",
                "*",
                "api",
            ],
        )
        .to_owned(),
    };
    let address = address(random, &world.addresses);
    let context = context(random, &world.contexts);
    let [address, context] = [address, context].map(|text| encoded(random, text));
    let mut pairs = vec![
        format!("eoa_address={address}"),
        format!("context_id={context}"),
    ];
    match random.u8(..100) {
        0..84 => {}
        84 => pairs.truncate(1),
        85 => drop(pairs.remove(0)),
        86 => pairs.clear(),
        87..89 => pairs.push(pairs[random.usize(..2)].clone()),
        89..91 => pairs.push(
            pick(
                random,
                &["x=1", "x", "=", "=1", "detail=true", "context_id", "%66=1"],
            )
            .to_owned(),
        ),
        91 => pairs.insert(1, String::new()),
        92 => {
            let pair = pick(
                random,
                &[
                    "eoa_address",
                    "eoa_address=",
                    "EOA_ADDRESS=0x",
                    "eoa%5faddress=0x",
                ],
            );
            pair.clone_into(&mut pairs[0]);
        }
        93 => {
            let pair = pick(
                random,
                &["context_id", "context_id=", "contextId=a", "context%5Fid=a"],
            );
            pair.clone_into(&mut pairs[1]);
        }
        94 => pairs[0].push_str(pick(
            random,
            &["%", "%z1", "%ff", "%c3%a9", "+", "%00", "=", "?", "%20"],
        )),
        95 => pairs[1].push_str(pick(
            random,
            &["%", "%z1", "%ff", "%c3%a9", "+", "%00", "=", "?", "%20"],
        )),
        96 => pairs.push(format!("x={}", "y".repeat(random.usize(0..2_100)))),
        97 => pairs.push("#fragment".to_owned()),
        98 if chance(random, 40) => pairs.push(pick(random, &["\u{e9}=1", "x= 1"]).to_owned()),
        _ => pairs.push(String::new()),
    }
    if chance(random, 25) {
        pairs.reverse();
    }
    let separator = if chance(random, 98) { "&" } else { ";" };
    format!("{path}?{}", pairs.join(separator))
}

/// Percent-encodes a character of the text in some cases.
fn encoded(random: &mut Rng, text: String) -> String {
    if !chance(random, 4) || !text.is_ascii() || text.is_empty() {
        return text;
    }
    let at = random.usize(..text.len());
    format!(
        "{}%{:02x}{}",
        &text[..at],
        text.as_bytes()[at],
        &text[at + 1..]
    )
}

fn address(random: &mut Rng, addresses: &[EoaAddress]) -> String {
    let address = addresses[random.usize(..addresses.len())];
    let lower = address.to_lower_hex();
    let checksummed = address.to_string();
    match random.u8(..100) {
        0..60 => lower,
        60..80 => checksummed,
        80..86 => format!("0x{}", lower[2..].to_ascii_uppercase()),
        86..92 => {
            let at = random.usize(2..42);
            let flip = |(place, c): (usize, char)| match (place == at, c.is_ascii_lowercase()) {
                (false, _) => c,
                (true, true) => c.to_ascii_uppercase(),
                (true, false) => c.to_ascii_lowercase(),
            };
            checksummed.char_indices().map(flip).collect()
        }
        92 => lower[2..].to_owned(),
        93 => format!("0X{}", &lower[2..]),
        94 => lower[..41].to_owned(),
        95 => format!("{lower}0"),
        96 => format!("{}g", &lower[..41]),
        97 => format!("0x{:040x}", random.u64(..)),
        98 => "vitalik.eth".to_owned(),
        _ => String::new(),
    }
}

fn context(random: &mut Rng, contexts: &[String]) -> String {
    match random.u8(..100) {
        0..70 => contexts[0].clone(),
        70..80 => contexts[1].clone(),
        80..92 => contexts[random.usize(..contexts.len())].clone(),
        92 => contexts[0].to_ascii_uppercase(),
        93 => contexts[0][1..].to_owned(),
        94 => format!("{}x", contexts[0]),
        95 => "quest.01k0ab3cdefghjkmnpqrstvwxy".to_owned(),
        96 => "quest".to_owned(),
        97 => "q".repeat(random.usize(80..120)),
        98 => ".".to_owned(),
        _ => String::new(),
    }
}

fn api_keys(random: &mut Rng, world: &World) -> Headers {
    let header = |value: Vec<u8>| ("x-api-key".to_owned(), value);
    let main = world.secrets[0].clone().into_bytes();
    let other_secret = world.secrets[random.usize(..world.secrets.len())]
        .clone()
        .into_bytes();
    match random.u8(..100) {
        0..65 => vec![header(main)],
        65..90 => vec![header(other_secret)],
        90 => vec![],
        91 => vec![header(main), header(other_secret)],
        92 => vec![(
            "authorization".to_owned(),
            [b"Bearer ".to_vec(), main].concat(),
        )],
        93 => vec![header([main, b"x".to_vec()].concat())],
        94 => {
            let mut wrong = main;
            let at = random.usize(..wrong.len());
            wrong[at] = if wrong[at] == b'a' { b'b' } else { b'a' };
            vec![header(wrong)]
        }
        95 => vec![header(vec![])],
        96 => vec![header([b"\xff".to_vec(), main].concat())],
        97 => vec![header([b" \t".to_vec(), main, b" ".to_vec()].concat())],
        98 => vec![header(main.to_ascii_uppercase())],
        _ => vec![header(vec![b'v'; random.usize(..300)])],
    }
}

/// Generates headers that browsers, proxies and libraries send.
fn extra_headers(random: &mut Rng) -> Headers {
    let mut headers = Vec::new();
    let mut add = |name: &str, value: &[u8]| headers.push((name.to_owned(), value.to_vec()));
    if chance(random, 60) {
        add("user-agent", b"platform/1.0");
        add("accept", b"application/json");
    }
    if chance(random, 25) {
        let ids: [&[u8]; 8] = [
            b"abc-1.2_X",
            b"0123456789abcdef0123456789abcdef",
            &[b'i'; 64],
            &[b'i'; 65],
            b"a b",
            b"a\"b",
            b"\xe4",
            b"",
        ];
        add("x-request-id", pick(random, &ids));
        if chance(random, 10) {
            add("x-request-id", b"second");
        }
    }
    if chance(random, 6) {
        let origin: &[u8] = pick(
            random,
            &[
                &b"https://quest.example"[..],
                b"null",
                b"http://voight.example",
            ],
        );
        add("origin", origin);
        add("access-control-request-method", b"GET");
        add("access-control-request-headers", b"x-api-key");
    }
    if chance(random, 2) {
        add(
            "sec-fetch-site",
            pick(random, &["cross-site", "none", ""]).as_bytes(),
        );
    }
    if chance(random, 8) {
        let hops = [
            "198.51.100.7",
            "203.0.113.9, 198.51.100.8",
            "unknown",
            "2001:db8::7",
            "198.51.100.7:80",
            "",
        ];
        add("x-forwarded-for", pick(random, &hops).as_bytes());
    }
    if chance(random, 3) {
        add(
            "forwarded",
            pick(
                random,
                &["for=198.51.100.7", "for=\"[2001:db8::9]:1\";proto=https"],
            )
            .as_bytes(),
        );
    }
    if chance(random, 6) {
        add(
            "connection",
            pick(random, &["close", "keep-alive", "Upgrade", "close, x", ""]).as_bytes(),
        );
    }
    if chance(random, 3) {
        add("accept-encoding", b"gzip, br");
        add("cookie", &vec![b'c'; random.usize(..900)]);
    }
    if chance(random, 2) {
        for number in 0..random.usize(..120) {
            add(&format!("x-{number}"), b"v");
        }
    }
    if chance(random, 1) {
        add("x-large", &vec![b'l'; random.usize(..20_000)]);
    }
    if chance(random, 1) {
        add(
            pick(random, &["x-od\u{e9}", "x odd", "", "x-ok"]),
            &[random.u8(..)],
        );
    }
    if chance(random, 1) {
        add(
            "expect",
            pick(random, &["100-continue", "200-ok"]).as_bytes(),
        );
    }
    if chance(random, 1) {
        add("upgrade", b"websocket");
    }
    headers
}

/// Generates a body, which is complete: an incomplete one is answered after a timeout only.
fn body(random: &mut Rng, method: &str) -> (Headers, Vec<u8>) {
    let percent = if method == "GET" || method == "HEAD" {
        1
    } else {
        50
    };
    if !chance(random, percent) {
        return (vec![], vec![]);
    }
    let content = br#"{"context_title":"a"}"#.to_vec();
    let kind = ("content-type".to_owned(), b"application/json".to_vec());
    if random.bool() {
        let length = content.len().to_string().into_bytes();
        (vec![kind, ("content-length".to_owned(), length)], content)
    } else {
        let body_parts = [
            format!("{:x}\r\n", content.len()).into_bytes(),
            content,
            b"\r\n0\r\n\r\n".to_vec(),
        ]
        .concat();
        (
            vec![kind, ("transfer-encoding".to_owned(), b"chunked".to_vec())],
            body_parts,
        )
    }
}

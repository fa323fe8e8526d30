use super::*;
use proptest::prelude::*;

const GET: &str = "GET / HTTP/1.1\r\nhost: x\r\n\r\n";

/// Returns the parts of `text` that the framing passes on one after the other, if it arrives in pieces of `piece` bytes and each
/// head announces the next of `bodies`.
fn parts(text: &str, piece: usize, bodies: &[AnnouncedBody]) -> Vec<String> {
    let mut framing = RequestFraming::default();
    let mut bodies = bodies.iter();
    let mut parts = vec![String::new()];
    for mut bytes in text.as_bytes().chunks(piece) {
        while !bytes.is_empty() {
            let byte_count = framing.take(bytes);
            parts
                .last_mut()
                .unwrap()
                .push_str(std::str::from_utf8(&bytes[..byte_count]).unwrap());
            bytes = &bytes[byte_count..];
            if matches!(framing, RequestFraming::HeadPassed) {
                framing.begin_body(bodies.next().copied().unwrap_or_default());
            }
            if matches!(framing, RequestFraming::Complete) {
                framing = RequestFraming::default();
                parts.push(String::new());
            }
        }
    }
    parts
}

fn assert_requests(requests: &[&str], bodies: &[AnnouncedBody]) {
    let text = requests.concat();
    for piece in 1..=text.len() {
        let parts = parts(&text, piece, bodies);
        let (unfinished, whole) = parts.split_last().unwrap();
        assert_eq!(whole, requests, "in pieces of {piece} bytes");
        assert_eq!(unfinished, "");
    }
}

#[test]
fn pipelined_requests_are_passed_one_by_one() {
    assert_requests(
        &[GET, GET, "HEAD / HTTP/1.1\n\n", "GET / HTTP/1.1\r\n\n", GET],
        &[],
    );
}

#[test]
fn empty_lines_before_a_head_belong_to_it() {
    assert_requests(&["\r\n\r\n\n\r\nGET / HTTP/1.1\r\n\r\n", GET], &[]);
}

#[test]
fn sized_body_with_empty_lines_ends_at_its_length() {
    let post = "POST / HTTP/1.1\r\n\r\n\r\n\r\n{\n\n}";
    assert_requests(
        &[post, GET, post],
        &[
            AnnouncedBody::Sized(8),
            AnnouncedBody::None,
            AnnouncedBody::Sized(8),
        ],
    );
}

#[test]
fn chunked_body_ends_behind_its_trailers() {
    let chunked_request = "POST / HTTP/1.1\r\n\r\n4;a=9\r\n\r\n\r\n\r\nA \r\n0123456789\r\n";
    let plain = format!("{chunked_request}0\r\n\r\n");
    let with_trailers = format!("{chunked_request}00\r\nx: y\r\nz: 0\r\n\r\n");
    assert_requests(
        &[&plain, GET, &with_trailers, GET],
        &[
            AnnouncedBody::Chunked,
            AnnouncedBody::None,
            AnnouncedBody::Chunked,
        ],
    );
}

#[test]
fn endless_body_takes_everything() {
    let text = [GET, GET, GET].concat();
    assert_eq!(parts(&text, 7, &[AnnouncedBody::Endless]), [text]);
}

#[test]
fn length_of_an_unfinished_head_is_counted() {
    let mut framing = RequestFraming::default();
    assert_eq!(framing.take(b"GET / HTTP/1.1\r\nx-slow: "), 24);
    assert_eq!((framing.take(b"a\r\n"), framing.head_bytes()), (3, 27));
    assert_eq!((framing.take(b"\r\nGET /"), framing.head_bytes()), (2, 0));
}

proptest! {
    #[test]
    fn any_bytes_are_taken_once_and_in_order(
        bytes in proptest::collection::vec(prop_oneof![any::<u8>(), Just(b'\r'), Just(b'\n'), Just(b'0')], 1..80),
        body in prop_oneof![
            (1..20_u64).prop_map(AnnouncedBody::Sized),
            Just(AnnouncedBody::Chunked),
            Just(AnnouncedBody::None),
        ],
    ) {
        let mut framing = RequestFraming::default();
        let mut unread = &bytes[..];
        while !unread.is_empty() {
            match framing {
                RequestFraming::HeadPassed => framing.begin_body(body),
                RequestFraming::Complete => framing = RequestFraming::default(),
                _ => {
                    let byte_count = framing.take(unread);
                    prop_assert!((1..=unread.len()).contains(&byte_count), "{byte_count} of {}", unread.len());
                    unread = &unread[byte_count..];
                }
            }
        }
    }
}

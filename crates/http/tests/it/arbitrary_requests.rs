//! Every response to arbitrary input has the envelope of the service, except for that of the liveness probe.

use crate::common::{App, LOOKUP, REGISTER};
use actix_web::http::Method;
use actix_web::rt::System;
use actix_web::test::TestRequest;
use proptest::prelude::*;

/// The paths that answer 200 without an API key.
const NEEDS_NO_KEY: [&str; 2] = ["/", "/livez"];

/// Generates paths that exist, nearly exist, and do not exist.
fn path() -> impl Strategy<Value = String> {
    prop_oneof![
        Just(LOOKUP.to_owned()),
        Just(REGISTER.to_owned()),
        Just("/api/v1/sessions".to_owned()),
        Just("/api/v1/receipts/verify".to_owned()),
        Just("/api/v1/usage".to_owned()),
        prop::sample::select(&NEEDS_NO_KEY[..]).prop_map(str::to_owned),
        "/api/v1/contexts/[!-~&&[^#?]]{1,40}",
        "/[a-z0-9/.%]{0,40}",
    ]
}

fn query() -> impl Strategy<Value = String> {
    prop_oneof![
        "[!-~&&[^#]]{0,80}",
        "eoa_address=[0-9a-fA-Fx]{0,44}&context_id=[a-z0-9.%+]{0,90}",
        "(from|to)=[0-9TZ:.-]{0,24}(&to=20[0-9]{2}-[01][0-9]-[0-3][0-9])?",
        "(eoa_address|context_id|x)(=[a-z%]{0,8})?(&(eoa_address|context_id)=[0-9a-f]{0,8}){0,3}",
    ]
}

fn method() -> impl Strategy<Value = Method> {
    prop_oneof![
        Just(Method::GET),
        Just(Method::POST),
        Just(Method::PATCH),
        Just(Method::DELETE)
    ]
}

fn body() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        proptest::collection::vec(any::<u8>(), 0..80),
        r#"\{"(context_title|context_id|eoa_address|receipt|mode|origins|presses)":("[ -~]{0,20}"|\[\]|[0-9.e-]{1,6}|null)\}"#
            .prop_map(String::into_bytes),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_answer_is_in_an_envelope(
        path in path(),
        query in query(),
        method in method(),
        body in body(),
        idempotency_key in "[ -~]{0,12}",
        with_key in any::<bool>(),
    ) {
        let uri = format!("{path}?{query}");
        prop_assume!(uri.parse::<actix_web::http::Uri>().is_ok());
        System::new().block_on(async {
            let app = App::new().await;
            let request = TestRequest::with_uri(&uri)
                .method(method)
                .insert_header(("content-type", "application/json"))
                .insert_header(("idempotency-key", idempotency_key.trim()))
                .set_payload(body);
            let key = ("x-api-key", &*app.secret);
            let answer = app.send(if with_key { request.insert_header(key) } else { request }).await;
            assert!(answer.status < 500, "{}", answer.body);
            assert!(answer.header("x-request-id").is_some());
            if answer.status == 200 {
                let is_envelope = answer.body.starts_with(r#"{"success":true,"data":{"#);
                assert!(is_envelope || (path == "/livez" && answer.body == "ok\n"), "{}", answer.body);
                assert!(with_key || NEEDS_NO_KEY.contains(&&*path), "{path}: {}", answer.body);
            } else {
                answer.error_id();
            }
        });
    }
}

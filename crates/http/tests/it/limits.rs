//! Rate limits of callers, and the headers that report them.

use crate::common::{ADDRESS, App, LOOKUP, look_up};
use actix_web::test::TestRequest;
use std::net::IpAddr;
use std::time::Duration;
use voight_domain::rate_limit::RateLimitPolicy;
use voight_domain::registry::ClientChange;
use voight_domain::vocabulary::{Environment, Scope};
use voight_http::{HttpSettings, Network};

fn tight() -> HttpSettings {
    let limits = RateLimitPolicy {
        lookups_per_second: 2,
        lookup_burst: 4,
        ..RateLimitPolicy::default()
    };
    HttpSettings {
        limits,
        ..HttpSettings::default()
    }
}

#[actix_web::test]
async fn keys_of_a_client_share_its_rate_limit() {
    let app = App::with_settings(tight()).await;
    let context = app.context().await;
    let first = app.send(app.look_up(&context, ADDRESS)).await;
    assert_eq!(
        first.header("ratelimit-policy"),
        Some(r#""lookup";q=4;w=2"#)
    );
    assert_eq!(first.header("ratelimit"), Some(r#""lookup";r=3;t=1"#));
    for _ in 0..3 {
        assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    }
    let other_key = app.issue(Environment::Live, &Scope::ALL, &[]).await;
    let rejection = app
        .send(look_up(other_key.secret.expose(), &context, ADDRESS))
        .await;
    rejection.is_error(429, "m_g_r_1");
    assert_eq!(rejection.header("retry-after"), Some("1"));
    assert_eq!(rejection.header("ratelimit"), Some(r#""lookup";r=0;t=1"#));
    app.wait(Duration::from_millis(500));
    assert_eq!(app.send(app.look_up(&context, ADDRESS)).await.status, 200);
    app.send(app.look_up(&context, ADDRESS))
        .await
        .is_error(429, "m_g_r_1");
}

#[actix_web::test]
async fn client_may_have_a_rate_of_its_own() {
    let app = App::with_settings(tight()).await;
    app.state
        .services
        .registry
        .change_client(app.client.id, ClientChange::LookupRate(Some(10)))
        .await
        .unwrap();
    let context = app.context().await;
    let answer = app.send(app.look_up(&context, ADDRESS)).await;
    assert_eq!(
        answer.header("ratelimit-policy"),
        Some(r#""lookup";q=20;w=2"#)
    );
}

#[actix_web::test]
async fn registrations_have_a_limit_of_their_own() {
    let app = App::new().await;
    let first = app.send(app.register("a")).await;
    assert_eq!(
        first.header("ratelimit-policy"),
        Some(r#""register";q=60;w=360"#)
    );
    for _ in 1..60 {
        assert_eq!(app.send(app.register("a")).await.status, 200);
    }
    let rejection = app.send(app.register("a")).await;
    rejection.is_error(429, "m_g_r_1");
    assert_eq!(rejection.header("retry-after"), Some("6"));
}

#[actix_web::test]
async fn only_invalid_keys_count_per_network() {
    let app = App::new().await;
    let context = app.context().await;
    let bad: IpAddr = "2001:db8:1:2::1".parse().unwrap();
    let near: IpAddr = "2001:db8:1:2::2".parse().unwrap();
    let far: IpAddr = "2001:db8:1:3::1".parse().unwrap();
    let keyless = || TestRequest::get().uri(LOOKUP);
    for _ in 0..20 {
        app.send_from(bad, keyless()).await.is_error(401, "m_a_k_1");
    }
    let rejection = app.send_from(near, keyless()).await;
    rejection.is_error(429, "m_g_r_1");
    assert_eq!(rejection.header("retry-after"), Some("3"));
    app.send_from(far, keyless()).await.is_error(401, "m_a_k_1");
    assert_eq!(
        app.send_from(near, app.look_up(&context, ADDRESS))
            .await
            .status,
        200
    );
    app.wait(Duration::from_secs(3));
    app.send_from(near, keyless())
        .await
        .is_error(401, "m_a_k_1");
}

#[actix_web::test]
async fn limits_can_be_turned_off() {
    let limits = RateLimitPolicy {
        enabled: false,
        lookup_burst: 1,
        invalid_keys_per_minute: 1,
        ..RateLimitPolicy::default()
    };
    let app = App::with_settings(HttpSettings {
        limits,
        ..HttpSettings::default()
    })
    .await;
    let context = app.context().await;
    for _ in 0..5 {
        let answer = app.send(app.look_up(&context, ADDRESS)).await;
        assert_eq!((answer.status, answer.header("ratelimit")), (200, None));
        app.send(TestRequest::get().uri(LOOKUP))
            .await
            .is_error(401, "m_a_k_1");
    }
}

#[actix_web::test]
async fn checks_of_a_network_grow_dear_and_are_rejected() {
    let app = App::new().await;
    let network: Network = "192.0.2.1".parse::<IpAddr>().unwrap().into();
    let excess_bits: Vec<_> = (0..301)
        .map(|_| app.state.limits.count_opened_check(network))
        .collect();
    assert!(excess_bits[..30].iter().all(|excess| *excess == Ok(0)));
    assert_eq!(excess_bits[30], Ok(1));
    assert_eq!(excess_bits[60], Ok(2));
    assert_eq!(excess_bits[120], Ok(4));
    assert_eq!(excess_bits[240], Ok(8));
    assert!(excess_bits[299].is_ok() && excess_bits[300].is_err());
}

#[actix_web::test]
async fn only_trusted_proxies_set_the_client_address() {
    let settings = HttpSettings {
        trusted_proxies: vec!["10.0.0.0/8".parse().unwrap()],
        ..HttpSettings::default()
    };
    let app = App::with_settings(settings).await;
    let context = app.context().await;
    let inside = app
        .issue(Environment::Live, &Scope::ALL, &["203.0.113.0/24"])
        .await;
    let ask = |forwarded_for| {
        look_up(inside.secret.expose(), &context, ADDRESS)
            .insert_header(("x-forwarded-for", forwarded_for))
    };
    let proxy: IpAddr = "10.0.0.1".parse().unwrap();
    // The network list is checked before the ownership of the context, which here belongs to another key.
    app.send_from(proxy, ask("198.51.100.1, 203.0.113.7"))
        .await
        .is_error(401, "m_a_c_1");
    app.send_from(proxy, ask("203.0.113.7, 198.51.100.1"))
        .await
        .is_error(403, "m_a_s_1");
    assert_eq!(app.state.untrusted_proxy(), None);
    let stranger: IpAddr = "192.0.2.9".parse().unwrap();
    app.send_from(stranger, ask("203.0.113.7"))
        .await
        .is_error(403, "m_a_s_1");
    assert_eq!(app.state.untrusted_proxy(), Some(stranger));
}

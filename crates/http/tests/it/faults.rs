//! Responses to a caller when a dependency fails, is slow, or panics.

use crate::common::{ADDRESS, App};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::Semaphore;
use voight_domain::metering::{
    BatchLookupRequest, LedgerId, LookupOutcome, LookupRequest, RecordedBatch,
};
use voight_domain::ports::{LookupStore, StoreError};
use voight_http::{HttpSettings, TextFormat};

/// Store that fails every lookup with one error.
struct Failing(StoreError);

#[async_trait]
impl LookupStore for Failing {
    async fn answer(&self, _: LookupRequest) -> Result<LookupOutcome, StoreError> {
        Err(self.0.clone())
    }

    async fn answer_batch(
        &self,
        _: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        Err(self.0.clone())
    }
}

/// Store that panics at every lookup.
struct Panicking;

#[async_trait]
impl LookupStore for Panicking {
    async fn answer(&self, _: LookupRequest) -> Result<LookupOutcome, StoreError> {
        panic!("a bug")
    }

    async fn answer_batch(
        &self,
        _: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        panic!("a bug")
    }
}

/// Store that answers one lookup for each permit.
struct GatedLookups(Arc<dyn LookupStore>, Arc<Semaphore>);

#[async_trait]
impl LookupStore for GatedLookups {
    async fn answer(&self, request: LookupRequest) -> Result<LookupOutcome, StoreError> {
        self.1.acquire().await.unwrap().forget();
        self.0.answer(request).await
    }

    async fn answer_batch(
        &self,
        request: BatchLookupRequest,
    ) -> Result<LookupOutcome<RecordedBatch>, StoreError> {
        self.1.acquire().await.unwrap().forget();
        self.0.answer_batch(request).await
    }
}

#[actix_web::test]
async fn store_that_fails_is_503_without_a_word_about_it() {
    for error in [
        StoreError::NotApplied("the secret reason".into()),
        StoreError::MaybeApplied("the secret reason".into()),
        StoreError::Conflict("the secret reason".into()),
        StoreError::Full("the secret reason".into()),
        StoreError::Corrupt("the secret reason".into()),
        StoreError::Fatal("the secret reason".into()),
    ] {
        let may_be_billed = matches!(error, StoreError::MaybeApplied(_));
        let app =
            App::with_lookup_store(HttpSettings::default(), |_| Arc::new(Failing(error))).await;
        let context = app.context().await;
        let answer = app.send(app.look_up(&context, ADDRESS)).await;
        answer.is_error(503, "m_g_x_2");
        assert_eq!(answer.header("retry-after"), Some("1"));
        assert!(!answer.body.contains("secret"));
        assert_ne!(answer.body.contains("nothing was billed"), may_be_billed);
    }
}

#[actix_web::test]
async fn panic_is_500_in_the_envelope() {
    let app = App::with_lookup_store(HttpSettings::default(), |_| Arc::new(Panicking)).await;
    let context = app.context().await;
    let answer = app
        .send(
            app.look_up(&context, ADDRESS)
                .insert_header(("x-request-id", "mine")),
        )
        .await;
    answer.is_error(500, "m_g_x_1");
    assert_eq!(answer.header("x-request-id"), Some("mine"));
    assert!(!answer.body.contains("a bug"));
    let text = app.state.metrics.render(TextFormat::Classic).unwrap();
    assert!(
        text.contains(r#"route="/api/v1/users/eoa",method="GET",status="500"} 1"#),
        "{text}"
    );
}

#[actix_web::test]
async fn concurrent_retry_waits_and_replays() {
    let gate = Arc::new(Semaphore::new(0));
    let gate_handle = Arc::clone(&gate);
    let app = App::with_lookup_store(HttpSettings::default(), |store| {
        Arc::new(GatedLookups(store, gate))
    })
    .await;
    let context = app.context().await;
    let ask = || {
        app.send(
            app.look_up(&context, ADDRESS)
                .insert_header(("idempotency-key", "one")),
        )
    };
    let open = async {
        tokio::time::sleep(Duration::from_millis(50)).await;
        gate_handle.add_permits(2);
    };
    let (first, second, ()) = tokio::join!(ask(), ask(), open);
    assert_eq!(
        (first.status, first.header("idempotency-replayed")),
        (200, None)
    );
    assert_eq!(
        (second.status, second.header("idempotency-replayed")),
        (200, Some("true"))
    );
    let rows = app
        .ports
        .store
        .rows(LedgerId::live(app.client.id), 0, 9)
        .await
        .unwrap();
    assert_eq!(rows.len(), 1);
}

#[actix_web::test]
async fn concurrent_retry_times_out_with_409() {
    let gate = Arc::new(Semaphore::new(0));
    let gate_handle = Arc::clone(&gate);
    let app = App::with_lookup_store(HttpSettings::default(), |store| {
        Arc::new(GatedLookups(store, gate))
    })
    .await;
    let context = app.context().await;
    let ask = |key| {
        app.send(
            app.look_up(&context, ADDRESS)
                .insert_header(("idempotency-key", key)),
        )
    };
    let concurrent = async {
        let answer = ask("one").await;
        gate_handle.add_permits(2);
        answer
    };
    let (first, second, other) = tokio::join!(ask("one"), concurrent, ask("two"));
    second.is_error(409, "m_g_i_1");
    assert_eq!((first.status, other.status), (200, 200));
}

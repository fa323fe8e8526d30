use super::*;
use actix_web::body::{BodyStream, to_bytes};
use std::future::poll_fn;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tokio::sync::oneshot;

const PATIENT: Duration = Duration::from_secs(20);

async fn next(body: &mut StreamedBody) -> Option<io::Result<Bytes>> {
    poll_fn(|context| Pin::new(&mut *body).poll_next(context)).await
}

#[actix_web::test]
async fn all_that_is_written_arrives_in_order() {
    let bytes: Vec<u8> = (0..BUFFERED_CHUNKS * CHUNK_BYTES * 3 + 7)
        .map(|index| u8::try_from(index % 251).unwrap())
        .collect();
    let content = bytes.clone();
    let body = StreamedBody::spawn(PATIENT, move |out| {
        for piece in bytes.chunks(999) {
            out.write_all(piece).map_err(|_| ErrorId::Internal)?;
        }
        Ok(())
    });
    let body_bytes = to_bytes(BodyStream::new(body.await.unwrap()))
        .await
        .unwrap();
    assert!(
        body_bytes == content,
        "{} of {} bytes",
        body_bytes.len(),
        content.len()
    );
}

#[actix_web::test]
async fn error_before_the_first_byte_is_the_answer_s() {
    let body = StreamedBody::spawn(PATIENT, |out| {
        // Less than a chunk, so no byte has been sent.
        out.write_all(b"some").map_err(|_| ErrorId::Internal)?;
        Err(ErrorId::Conflict.into())
    });
    assert_eq!(
        body.await.err().map(|error| error.id()),
        Some(ErrorId::Conflict)
    );
    let body = StreamedBody::spawn(PATIENT, |_| panic!("a bug"));
    assert_eq!(
        body.await.err().map(|error| error.id()),
        Some(ErrorId::Internal)
    );
}

#[actix_web::test]
async fn error_behind_it_cuts_the_answer_off() {
    let body = StreamedBody::spawn(PATIENT, |out| {
        out.write_all(&vec![7; 2 * CHUNK_BYTES])
            .map_err(|_| ErrorId::Internal)?;
        Err(ErrorId::Unavailable.into())
    });
    let mut body = body.await.unwrap();
    let mut byte_count = 0;
    let error = loop {
        match next(&mut body).await {
            Some(Ok(bytes)) => byte_count += bytes.len(),
            Some(Err(error)) => break error,
            None => panic!("the end looks like a success"),
        }
    };
    assert_eq!(
        (byte_count, error.kind()),
        (2 * CHUNK_BYTES, io::ErrorKind::Other)
    );
}

/// Writes endlessly; reports the number of written bytes and the final error.
fn endless(
    written: Arc<AtomicUsize>,
    ended: oneshot::Sender<io::ErrorKind>,
) -> impl FnOnce(&mut dyn Write) -> Result<(), ApiError> + Send + 'static {
    move |out| loop {
        if let Err(error) = out.write_all(&[7; 1000]) {
            let _ = ended.send(error.kind());
            return Err(ErrorId::Internal.into());
        }
        written.fetch_add(1000, Ordering::SeqCst);
    }
}

#[actix_web::test]
async fn disconnected_reader_stops_the_writer() {
    let (say, ended) = oneshot::channel();
    let mut body = StreamedBody::spawn(PATIENT, endless(Arc::default(), say))
        .await
        .unwrap();
    for _ in 0..20 {
        next(&mut body).await.unwrap().unwrap();
    }
    drop(body);
    assert_eq!(ended.await, Ok(io::ErrorKind::BrokenPipe));
}

#[actix_web::test]
async fn stalled_reader_times_out() {
    let written = Arc::<AtomicUsize>::default();
    let (say, ended) = oneshot::channel();
    let mut body = StreamedBody::spawn(
        Duration::from_millis(100),
        endless(Arc::clone(&written), say),
    )
    .await
    .unwrap();
    assert_eq!(ended.await, Ok(io::ErrorKind::TimedOut));
    let ahead = written.load(Ordering::SeqCst);
    assert!(
        ahead <= (BUFFERED_CHUNKS + 2) * CHUNK_BYTES,
        "{ahead} bytes wait for a reader"
    );
    // Buffered chunks are still delivered, and the end is an error.
    let mut outcome = next(&mut body).await;
    while let Some(Ok(_)) = outcome {
        outcome = next(&mut body).await;
    }
    assert!(matches!(outcome, Some(Err(_))));
}

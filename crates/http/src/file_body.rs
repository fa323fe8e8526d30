//! Streams a part of a file without a thread: a reader that does not read holds only one chunk.

use crate::background::spawn_background;
use actix_web::web::Bytes;
use futures_core::Stream;
use std::future::Future as _;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use tokio::task::JoinHandle;

/// Size of a chunk in bytes.
const CHUNK_BYTES: u64 = 64 << 10;

/// File that is read at any position.
pub(crate) trait ReadAt: Send + Sync + 'static {
    /// Reads exactly the bytes at `offset`. Blocks.
    fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()>;
}

/// Stream of a part of a file, read chunk by chunk as the response is sent.
pub(crate) struct FileBody<F, P> {
    file: Arc<F>,
    offset: u64,
    end: u64,
    chunk: Option<JoinHandle<io::Result<Bytes>>>,
    /// Held until the response is sent or its connection is closed.
    _permit: P,
}

impl<F, P> FileBody<F, P> {
    /// Creates a stream of the bytes from `offset` to `end`, which holds `permit`.
    pub(crate) const fn new(file: Arc<F>, offset: u64, end: u64, permit: P) -> Self {
        Self {
            file,
            offset,
            end,
            chunk: None,
            _permit: permit,
        }
    }
}

impl<F: ReadAt, P: Unpin> Stream for FileBody<F, P> {
    type Item = io::Result<Bytes>;

    fn poll_next(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let body = self.get_mut();
        if body.offset >= body.end {
            return Poll::Ready(None);
        }
        let length = (body.end - body.offset).min(CHUNK_BYTES);
        let chunk = body.chunk.get_or_insert_with(|| {
            let file = Arc::clone(&body.file);
            let offset = body.offset;
            spawn_background(move || {
                let mut bytes = vec![0; usize::try_from(length).map_err(io::Error::other)?];
                file.read_exact_at(&mut bytes, offset)
                    .map(|()| bytes.into())
            })
        });
        let read_result = ready!(Pin::new(chunk).poll(context));
        body.chunk = None;
        body.offset += length;
        Poll::Ready(Some(read_result.map_err(io::Error::other).flatten()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::future::poll_fn;

    struct Numbers;

    impl ReadAt for Numbers {
        fn read_exact_at(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
            for (position, byte) in (offset..).zip(bytes) {
                *byte = u8::try_from(position % 251).unwrap();
            }
            Ok(())
        }
    }

    #[actix_web::test]
    async fn part_of_a_file_is_streamed_in_chunks() {
        let file = Arc::new(Numbers);
        let end = 5 + 2 * CHUNK_BYTES;
        let mut body = FileBody::new(Arc::clone(&file), 3, end, ());
        let mut chunks = Vec::new();
        while let Some(chunk) = poll_fn(|context| Pin::new(&mut body).poll_next(context)).await {
            chunks.push(chunk.unwrap());
        }
        let lengths: Vec<_> = chunks.iter().map(|chunk| chunk.len() as u64).collect();
        assert_eq!(lengths, [CHUNK_BYTES, CHUNK_BYTES, 2]);
        let mut file_bytes = vec![0; usize::try_from(end - 3).unwrap()];
        file.read_exact_at(&mut file_bytes, 3).unwrap();
        assert_eq!(chunks.concat(), file_bytes);
    }
}

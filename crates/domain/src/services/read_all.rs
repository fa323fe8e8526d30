//! Complete lists of a store, read page by page.

use crate::ports::StoreError;

/// Page size, in records.
pub(super) const PAGE: usize = 500;

/// Reads all records of a list. `read` returns the page after a record, which is `None` for the first page, of at most the
/// given number of records.
pub(super) async fn read_all<T>(
    read: impl AsyncFn(Option<&T>, usize) -> Result<Vec<T>, StoreError>,
) -> Result<Vec<T>, StoreError> {
    let mut all: Vec<T> = Vec::new();
    loop {
        let page = read(all.last(), PAGE).await?;
        let is_last = page.len() < PAGE;
        all.extend(page);
        if is_last {
            return Ok(all);
        }
    }
}

//! Vector in chunks, which grows without moving its elements.

use std::ops::Index;

/// Number of elements of a chunk.
const CHUNK: usize = 256;

/// Append-only vector. Growing moves at most one chunk, and no memory is requested or freed for all elements at once: the
/// kernel clears and releases the pages of a large block in one step, which delays the writer for milliseconds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ChunkedVec<T> {
    /// All chunks except the last one are full.
    chunks: Vec<Vec<T>>,
}

impl<T> Default for ChunkedVec<T> {
    fn default() -> Self {
        Self { chunks: Vec::new() }
    }
}

impl<T> ChunkedVec<T> {
    /// Adds an element at the end.
    pub(crate) fn push(&mut self, element: T) {
        match self.chunks.last_mut() {
            Some(last) if last.len() < CHUNK => last.push(element),
            _ => self.chunks.push(vec![element]),
        }
    }

    /// Returns the number of elements.
    pub(crate) fn len(&self) -> usize {
        self.chunks
            .last()
            .map_or(0, |last| (self.chunks.len() - 1) * CHUNK + last.len())
    }

    /// Returns the element at an index, if there is one.
    pub(crate) fn get(&self, index: usize) -> Option<&T> {
        self.chunks.get(index / CHUNK)?.get(index % CHUNK)
    }

    /// Iterates over the elements.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &T> {
        self.chunks.iter().flatten()
    }
}

impl<T> Index<usize> for ChunkedVec<T> {
    type Output = T;

    fn index(&self, index: usize) -> &T {
        &self.chunks[index / CHUNK][index % CHUNK]
    }
}

impl<T> Extend<T> for ChunkedVec<T> {
    fn extend<I: IntoIterator<Item = T>>(&mut self, elements: I) {
        elements.into_iter().for_each(|element| self.push(element));
    }
}

impl<T> FromIterator<T> for ChunkedVec<T> {
    fn from_iter<I: IntoIterator<Item = T>>(elements: I) -> Self {
        let mut elements_vec = Self::default();
        elements_vec.extend(elements);
        elements_vec
    }
}

impl<T> IntoIterator for ChunkedVec<T> {
    type Item = T;
    type IntoIter = std::iter::Flatten<std::vec::IntoIter<Vec<T>>>;

    fn into_iter(self) -> Self::IntoIter {
        self.chunks.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_keep_order_across_chunks() {
        for size in [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK] {
            let mut vector: ChunkedVec<usize> = (0..size / 2).collect();
            vector.extend((size / 2..size).collect::<ChunkedVec<_>>());
            assert_eq!(vector.len(), size);
            assert!(vector.iter().copied().eq(0..size), "{size} elements");
            assert!(
                (0..size).all(|index| vector[index] == index && vector.get(index) == Some(&index)),
                "{size} elements"
            );
            assert_eq!(vector.get(size), None);
        }
    }
}

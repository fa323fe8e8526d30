//! Archives with the same bytes for the same content: sorted paths, one modification time, no names of users.

use std::path::Path;

use anyhow::Result;
use libdeflater::{CompressionLvl, Compressor};
use tar::{Builder, EntryType, Header};

/// Writer of a tar archive.
pub(super) struct Archive {
    tar: Builder<Vec<u8>>,
    /// Modification time of every entry, in seconds since 1970.
    modified: u64,
}

/// Owner and mode of an entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct Access {
    /// User id, which is also the group id.
    pub(super) owner: u64,
    /// Permission bits.
    pub(super) mode: u32,
}

impl Access {
    /// File of root that everyone may read.
    pub(super) const FILE: Self = Self {
        owner: 0,
        mode: 0o644,
    };
    /// Program or directory of root.
    pub(super) const PROGRAM: Self = Self {
        owner: 0,
        mode: 0o755,
    };
}

impl Archive {
    /// Creates an empty archive.
    pub(super) fn new(modified: u64) -> Self {
        Self {
            tar: Builder::new(Vec::new()),
            modified,
        }
    }

    /// Adds a file.
    pub(super) fn file(&mut self, path: &Path, access: Access, bytes: &[u8]) -> Result<()> {
        let mut header = self.header(EntryType::Regular, access, bytes.len() as u64);
        Ok(self.tar.append_data(&mut header, path, bytes)?)
    }

    /// Adds a directory.
    pub(super) fn dir(&mut self, path: &Path, access: Access) -> Result<()> {
        let mut header = self.header(EntryType::Directory, access, 0);
        Ok(self.tar.append_data(&mut header, path, std::io::empty())?)
    }

    /// Adds a symbolic link.
    pub(super) fn link(&mut self, path: &Path, target: &Path) -> Result<()> {
        let mut header = self.header(
            EntryType::Symlink,
            Access {
                owner: 0,
                mode: 0o777,
            },
            0,
        );
        Ok(self.tar.append_link(&mut header, path, target)?)
    }

    /// Returns the bytes of the archive.
    pub(super) fn finish(self) -> Result<Vec<u8>> {
        Ok(self.tar.into_inner()?)
    }

    fn header(&self, kind: EntryType, access: Access, size: u64) -> Header {
        let mut header = Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(access.mode);
        header.set_uid(access.owner);
        header.set_gid(access.owner);
        header.set_mtime(self.modified);
        header.set_size(size);
        header
    }
}

/// Compresses bytes; the result contains neither a name nor a time.
pub(super) fn gzip(bytes: &[u8]) -> Result<Vec<u8>> {
    let mut compressor = Compressor::new(CompressionLvl::best());
    let mut buffer = vec![0; compressor.gzip_compress_bound(bytes.len())];
    let length = compressor.gzip_compress(bytes, &mut buffer)?;
    buffer.truncate(length);
    Ok(buffer)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Access, Archive, gzip};

    #[test]
    fn the_same_content_has_the_same_bytes() {
        let archive = || {
            let mut archive = Archive::new(1);
            archive.dir(Path::new("bin"), Access::PROGRAM).unwrap();
            archive
                .file(Path::new("bin/voight"), Access::PROGRAM, b"program")
                .unwrap();
            archive
                .link(Path::new("voight"), Path::new("bin/voight"))
                .unwrap();
            gzip(&archive.finish().unwrap()).unwrap()
        };
        assert_eq!(archive(), archive());
    }

    #[test]
    fn an_entry_has_the_given_owner_mode_and_time() {
        let mut archive = Archive::new(7);
        archive
            .file(
                Path::new("a"),
                Access {
                    owner: 65_532,
                    mode: 0o600,
                },
                b"xyz",
            )
            .unwrap();
        let bytes = archive.finish().unwrap();
        let mut archive_reader = tar::Archive::new(bytes.as_slice());
        let entry = archive_reader.entries().unwrap().next().unwrap().unwrap();
        let header = entry.header();
        assert_eq!(
            (
                header.uid().unwrap(),
                header.mode().unwrap(),
                header.mtime().unwrap()
            ),
            (65_532, 0o600, 7)
        );
    }
}

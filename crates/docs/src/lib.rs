#![doc = include_str!("../README.md")]

use flate2::read::GzDecoder;
use std::borrow::Cow;
use std::io::{self, Read as _};

/// File of the site, as it is embedded.
#[derive(Debug)]
pub struct File {
    /// Path below the site's root, without a leading slash: `guides/configure.html`.
    pub path: &'static str,
    /// Embedded bytes.
    pub stored: &'static [u8],
    /// `true` if the embedded bytes are compressed with gzip.
    pub is_gzip: bool,
    /// Strong entity tag of the file without compression, with its quotes.
    pub etag: &'static str,
}

/// All files, sorted by path.
static FILES: &[File] = include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// Returns all files, sorted by path.
pub fn files() -> &'static [File] {
    FILES
}

/// Returns the file at a path, or `None` if there is no such file. A directory is its `index.html`.
pub fn file(path: &str) -> Option<&'static File> {
    let find = |path: &str| Some(&FILES[FILES.binary_search_by(|file| file.path.cmp(path)).ok()?]);
    if path.is_empty() || path.ends_with('/') {
        find(&format!("{path}index.html"))
    } else {
        find(path)
    }
}

impl File {
    /// Returns the contents without compression.
    ///
    /// # Errors
    ///
    /// Fails if the embedded bytes are corrupt, which is a bug of the build.
    pub fn contents(&self) -> io::Result<Cow<'static, [u8]>> {
        if !self.is_gzip {
            return Ok(Cow::Borrowed(self.stored));
        }
        let mut contents = Vec::new();
        GzDecoder::new(self.stored).read_to_end(&mut contents)?;
        Ok(Cow::Owned(contents))
    }

    /// Returns the value of the header `content-type`.
    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit('.').next().unwrap_or_default() {
            "html" => "text/html; charset=utf-8",
            "css" => "text/css; charset=utf-8",
            // Scripts of examples are text to read.
            "js" if self.path.starts_with("assets/") => "text/javascript; charset=utf-8",
            "json" => "application/json",
            "svg" => "image/svg+xml",
            "png" => "image/png",
            _ => "text/plain; charset=utf-8",
        }
    }
}

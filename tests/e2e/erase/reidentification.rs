//! Attack with the files of a store and a list of addresses, but without the pepper.

use crate::store::dump;
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Table of the ledger's rows.
const ROWS: u8 = 16;

/// Returns an address in all encodings that a file may contain.
pub(crate) fn spellings(address: &str) -> Vec<Vec<u8>> {
    let digits = address.trim_start_matches("0x");
    let texts = [
        digits.to_owned(),
        digits.to_lowercase(),
        digits.to_uppercase(),
    ];
    texts
        .into_iter()
        .map(String::into_bytes)
        .chain([raw(address)])
        .collect()
}

/// Returns the files below `folder` that contain one of the encodings, except for those named `but`.
pub(crate) fn files_with(folder: &Path, spellings: &[Vec<u8>], but: &str) -> Vec<PathBuf> {
    let mut matches = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            matches.extend(files_with(&path, spellings, but));
        } else if path.is_file() && path.file_name().is_none_or(|name| name != but) {
            let bytes = fs::read(&path).expect("a file");
            if spellings.iter().any(|spelling| holds(&bytes, spelling)) {
                matches.push(path);
            }
        }
    }
    matches
}

/// Returns `true` if the backup confirms that `address` was looked up in `context`.
///
/// The confirmation is a row's commitment with any 16 bytes of the backup as its nonce, or a digest without a secret.
pub(crate) fn is_confirmed(backup: &Path, address: &str, context: &str) -> bool {
    let records = dump::records(backup);
    let rows: HashSet<_> =
        windows::<32>(records.iter().filter(|(key, _)| key[0] == ROWS)).collect();
    let nonces: HashSet<_> = windows::<16>(records.iter()).collect();
    let opens = |nonce: &[u8; 16]| {
        let mut hasher = blake3::Hasher::new();
        hasher
            .update(nonce)
            .update(&raw(address))
            .update(context.as_bytes());
        rows.contains(hasher.finalize().as_bytes())
    };
    plain_digests(address, context)
        .iter()
        .any(|digest| nonces.contains(digest))
        || nonces.iter().any(opens)
}

/// Returns the first half of each digest of the address that needs no secret.
fn plain_digests(address: &str, context: &str) -> Vec<[u8; 16]> {
    let subjects = spellings(address).into_iter().flat_map(|spelling| {
        let input = [context.as_bytes(), &spelling].concat();
        [spelling, input]
    });
    let digests = subjects.flat_map(|subject| {
        let blake3 = *blake3::hash(&subject).as_bytes();
        let sha256 = Sha256::digest(&subject);
        [blake3.first_chunk().copied(), sha256.first_chunk().copied()]
    });
    digests.flatten().collect()
}

fn windows<'a, const N: usize>(
    records: impl Iterator<Item = (&'a Vec<u8>, &'a Vec<u8>)>,
) -> impl Iterator<Item = [u8; N]> {
    records
        .flat_map(|(key, value)| [key, value])
        .flat_map(|bytes| bytes.windows(N))
        .filter_map(|bytes| bytes.try_into().ok())
}

fn raw(address: &str) -> Vec<u8> {
    let digits = address.trim_start_matches("0x");
    let byte =
        |place: usize| u8::from_str_radix(&digits[place..place + 2], 16).expect("hex digits");
    (0..digits.len()).step_by(2).map(byte).collect()
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|window| window == wanted)
}

/// Returns the number of records in a backup, by table.
pub(crate) fn counts(backup: &Path) -> BTreeMap<u8, usize> {
    dump::records(backup)
        .keys()
        .fold(BTreeMap::new(), |mut counts, key| {
            *counts.entry(key[0]).or_default() += 1;
            counts
        })
}

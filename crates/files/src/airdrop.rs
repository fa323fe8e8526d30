//! Files for airdrop contracts.

use crate::rows::{WriteError, write_lines};
use data_encoding::HEXLOWER;
use std::io::{self, BufWriter, Write};
use voight_domain::EoaAddress;
use voight_domain::snapshot::{MerkleTree, TokenAmount};

/// Writes a Merkle tree in the JSON format of `StandardMerkleTree.dump()` of the npm package `@openzeppelin/merkle-tree`.
///
/// `StandardMerkleTree.load()` reads it. The bytes are those of `JSON.stringify` for addresses with an EIP-55 checksum.
pub fn write_merkle_dump(output: impl Write, tree: &MerkleTree) -> io::Result<()> {
    let mut out = BufWriter::new(output);
    out.write_all(br#"{"format":"standard-v1","leafEncoding":["address","uint256"],"tree":["#)?;
    let mut digits = [0; 64];
    for (index, node) in tree.nodes().iter().enumerate() {
        HEXLOWER.encode_mut(node, &mut digits);
        out.write_all(if index == 0 { b"\"0x" } else { b",\"0x" })?;
        out.write_all(&digits)?;
        out.write_all(b"\"")?;
    }
    out.write_all(br#"],"values":["#)?;
    for (index, leaf) in tree.leaves().iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        let address = leaf.address;
        let amount = leaf.amount;
        let tree_index = leaf.tree_index;
        write!(
            out,
            r#"{separator}{{"value":["{address}","{amount}"],"treeIndex":{tree_index}}}"#
        )?;
    }
    out.write_all(b"]}")?;
    out.flush()
}

/// Writes the columns `address` and `amount` as CSV, as the airdrop form of Sablier accepts them.
///
/// That form expects amounts in whole tokens: 1500000 base units of a token with 6 `decimals` are written as `1.5`. It
/// rejects the amount 0 and repeated addresses, which are written as they are given.
pub fn write_amounts<E>(
    output: impl Write,
    decimals: u8,
    rows: impl IntoIterator<Item = Result<(EoaAddress, TokenAmount), E>>,
) -> Result<(), WriteError<E>> {
    write_lines(
        output,
        "address,amount\r\n",
        rows,
        |out, (address, amount)| write!(out, "{address},{}\r\n", amount.to_tokens(decimals)),
    )
}

//! Merkle tree of the rewards of a snapshot.

use super::TokenAmount;
use crate::vocabulary::EoaAddress;
use sha3::{Digest, Keccak256};

/// Keccak-256 hash.
type Hash = [u8; 32];

/// Merkle tree of pairs of address and amount, in the format `standard-v1` of `OpenZeppelin`.
///
/// A leaf is `keccak256(keccak256(abi.encode(address, uint256)))`, an inner node `keccak256` of its children, the smaller
/// one first. The array of nodes begins with the root; the children of node `i` are the nodes `2i + 1` and `2i + 2`. The
/// leaves are at its end, in descending order.
///
/// A tree of n pairs has 2n - 1 nodes of 32 bytes. Two pairs with the same address are two leaves: the caller
/// removes repeated addresses.
///
/// ```
/// use voight_domain::EoaAddress;
/// use voight_domain::snapshot::{MerkleTree, TokenAmount};
///
/// let reward = TokenAmount::from_base_units(100);
/// let pairs = [1, 2, 3].map(|byte| (EoaAddress::from_bytes([byte; 20]), reward));
/// let tree = MerkleTree::new(pairs)?;
/// assert_eq!(tree.nodes().len(), 5);
/// assert_eq!(tree.nodes()[0], *tree.root());
/// assert!(tree.proof(2).is_some());
/// assert!(tree.proof(3).is_none());
/// # Ok::<(), voight_domain::snapshot::EmptyTreeError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerkleTree {
    nodes: Vec<Hash>,
    leaves: Vec<MerkleLeaf>,
}

/// Pair of a Merkle tree, with the position of its leaf.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MerkleLeaf {
    /// Receiver of the reward.
    pub address: EoaAddress,
    /// The reward.
    pub amount: TokenAmount,
    /// Index of the leaf in the array of nodes.
    pub tree_index: usize,
}

/// Error of a tree without leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a Merkle tree needs at least one address with an amount")]
pub struct EmptyTreeError;

impl MerkleTree {
    /// Builds the tree of these pairs.
    pub fn new(
        pairs: impl IntoIterator<Item = (EoaAddress, TokenAmount)>,
    ) -> Result<Self, EmptyTreeError> {
        let mut leaves: Vec<_> = pairs
            .into_iter()
            .map(|(address, amount)| MerkleLeaf {
                address,
                amount,
                tree_index: 0,
            })
            .collect();
        let count = leaves.len();
        let last = (2 * count).checked_sub(2).ok_or(EmptyTreeError)?;
        // Hashes are computed at the front of the array and then copied to their sorted positions at its end. Only the
        // position count - 1 is in both parts; it is the last one to be written.
        let mut nodes = Vec::with_capacity(last + 1);
        nodes.extend(leaves.iter().map(hash_leaf));
        nodes.resize(last + 1, Hash::default());
        let mut order: Vec<usize> = (0..count).collect();
        order.sort_unstable_by(|a, b| nodes[*a].cmp(&nodes[*b]).then(a.cmp(b)));
        for (rank, leaf) in order.into_iter().enumerate() {
            nodes[last - rank] = nodes[leaf];
            leaves[leaf].tree_index = last - rank;
        }
        for index in (0..count - 1).rev() {
            nodes[index] = hash_children(nodes[2 * index + 1], nodes[2 * index + 2]);
        }
        Ok(Self { nodes, leaves })
    }

    /// Returns the root.
    pub fn root(&self) -> &[u8; 32] {
        &self.nodes[0]
    }

    /// Returns all nodes; the first one is the root.
    pub fn nodes(&self) -> &[[u8; 32]] {
        &self.nodes
    }

    /// Returns the pairs in the order in which they were given.
    pub fn leaves(&self) -> &[MerkleLeaf] {
        &self.leaves
    }

    /// Returns the proof of the pair with this index in [`Self::leaves`]: the siblings of its path to the root.
    pub fn proof(&self, leaf: usize) -> Option<Vec<[u8; 32]>> {
        let mut index = self.leaves.get(leaf)?.tree_index;
        let mut proof = Vec::new();
        while index > 0 {
            let sibling = if index % 2 == 0 { index - 1 } else { index + 1 };
            proof.push(self.nodes[sibling]);
            index = (index - 1) / 2;
        }
        Some(proof)
    }
}

/// Returns the hash of a leaf.
fn hash_leaf(leaf: &MerkleLeaf) -> Hash {
    // ABI encoding: each value is right-aligned in 32 bytes.
    let mut abi_bytes = [0; 64];
    abi_bytes[12..32].copy_from_slice(leaf.address.as_bytes());
    abi_bytes[48..].copy_from_slice(&leaf.amount.base_units().to_be_bytes());
    Keccak256::digest(Keccak256::digest(abi_bytes)).into()
}

/// Returns the hash of an inner node.
fn hash_children(a: Hash, b: Hash) -> Hash {
    let mut hasher = Keccak256::new();
    hasher.update(a.min(b));
    hasher.update(a.max(b));
    hasher.finalize().into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER;
    use proptest::prelude::*;

    const VECTORS: &str = include_str!("merkle_tree/vectors.txt");

    fn hash(text: &str) -> Hash {
        HEXLOWER
            .decode(&text.as_bytes()[2..])
            .unwrap()
            .try_into()
            .unwrap()
    }

    fn pairs(count: usize) -> Vec<(EoaAddress, TokenAmount)> {
        let pair = |index: usize| {
            let digest = Keccak256::digest(index.to_be_bytes());
            let address = EoaAddress::from_bytes(digest[..20].try_into().unwrap());
            (
                address,
                TokenAmount::from_base_units(u128::try_from(index).unwrap() * 1_000_000_007),
            )
        };
        (0..count).map(pair).collect()
    }

    /// Computes the root to which a proof leads, as an airdrop contract does.
    fn proven_root(leaf: &MerkleLeaf, proof: &[Hash]) -> Hash {
        proof.iter().fold(hash_leaf(leaf), |node, sibling| {
            let mut children = [node, *sibling];
            children.sort_unstable();
            Keccak256::digest(children.concat()).into()
        })
    }

    #[test]
    fn merkle_tree_matches_the_npm_package() {
        let mut sizes = Vec::new();
        for tree in VECTORS.split("root ").skip(1) {
            let (root, leaves) = tree.split_once('\n').unwrap();
            let leaves: Vec<Vec<_>> = leaves
                .lines()
                .map(|line| line.split(' ').skip(1).collect())
                .collect();
            let pairs = leaves
                .iter()
                .map(|leaf| (leaf[0].parse().unwrap(), leaf[1].parse().unwrap()));
            let tree = MerkleTree::new(pairs).unwrap();
            assert_eq!(*tree.root(), hash(root));
            for (index, leaf) in leaves.iter().enumerate() {
                assert_eq!(tree.leaves()[index].tree_index.to_string(), leaf[2]);
                assert_eq!(
                    tree.proof(index).unwrap(),
                    leaf[3..].iter().map(|node| hash(node)).collect::<Vec<_>>()
                );
            }
            sizes.push(leaves.len());
        }
        assert_eq!(sizes, [1, 2, 3, 7]);
    }

    #[test]
    fn tree_without_leaves_is_an_error() {
        assert_eq!(MerkleTree::new([]), Err(EmptyTreeError));
    }

    #[test]
    fn index_past_the_last_leaf_has_no_proof() {
        let tree = MerkleTree::new(pairs(3)).unwrap();
        assert!(tree.proof(2).is_some());
        assert_eq!(tree.proof(3), None);
    }

    #[test]
    fn equal_pairs_have_separate_leaves() {
        let [pair] = pairs(1)[..] else { unreachable!() };
        let tree = MerkleTree::new([pair; 3]).unwrap();
        let indices: Vec<_> = tree.leaves().iter().map(|leaf| leaf.tree_index).collect();
        assert_eq!(
            indices,
            [4, 3, 2],
            "the sort is stable, as in the npm package"
        );
        assert_eq!(
            proven_root(&tree.leaves()[2], &tree.proof(2).unwrap()),
            *tree.root()
        );
    }

    #[test]
    fn proof_fails_for_another_amount() {
        let tree = MerkleTree::new(pairs(10)).unwrap();
        let forged_leaf = MerkleLeaf {
            amount: TokenAmount::from_base_units(1),
            ..tree.leaves()[4]
        };
        assert_ne!(
            proven_root(&forged_leaf, &tree.proof(4).unwrap()),
            *tree.root()
        );
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        #[test]
        fn proofs_lead_to_the_root(count in 1_usize..100) {
            let tree = MerkleTree::new(pairs(count)).unwrap();
            prop_assert_eq!(tree.nodes().len(), 2 * count - 1);
            for (index, leaf) in tree.leaves().iter().enumerate() {
                prop_assert_eq!(tree.nodes()[leaf.tree_index], hash_leaf(leaf));
                prop_assert_eq!(proven_root(leaf, &tree.proof(index).unwrap()), *tree.root());
            }
        }

        #[test]
        fn root_does_not_depend_on_pair_order(shuffled in Just(pairs(20)).prop_shuffle()) {
            let root = |pairs: Vec<_>| *MerkleTree::new(pairs).unwrap().root();
            prop_assert_eq!(root(shuffled), root(pairs(20)));
        }
    }
}

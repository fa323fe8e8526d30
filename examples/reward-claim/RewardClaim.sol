// SPDX-License-Identifier: Apache-2.0
pragma solidity ^0.8.24;

import {MerkleProof} from "@openzeppelin/contracts/utils/cryptography/MerkleProof.sol";

/// Pays each reward of a Merkle tree once. The tree has the format `standard-v1` with the leaf `address, uint256`.
contract RewardClaim {
    bytes32 public immutable root;
    mapping(address => uint256) public paid;

    error InvalidProof();
    error AlreadyPaid();

    event Paid(address indexed account, uint256 amount);

    constructor(bytes32 root_) payable {
        root = root_;
    }

    /// Pays the reward of `account`. Any account may send the transaction.
    function claim(address payable account, uint256 amount, bytes32[] calldata proof) external {
        bytes32 leaf = keccak256(bytes.concat(keccak256(abi.encode(account, amount))));
        require(MerkleProof.verifyCalldata(proof, root, leaf), InvalidProof());
        require(paid[account] == 0, AlreadyPaid());
        paid[account] = amount;
        emit Paid(account, amount);
        (bool sent,) = account.call{value: amount}("");
        require(sent);
    }
}

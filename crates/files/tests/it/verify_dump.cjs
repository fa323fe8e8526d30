// Loads a dump from the standard input, verifies proofs, and prints the root.
"use strict";

const { readFileSync } = require("node:fs");
const { StandardMerkleTree } = require("@openzeppelin/merkle-tree");

const dump = JSON.parse(readFileSync(0, "utf8"));
// Validates all hashes.
const tree = StandardMerkleTree.load(dump);
const rebuilt = StandardMerkleTree.of(
  dump.values.map(({ value }) => value),
  ["address", "uint256"],
);
if (JSON.stringify(rebuilt.dump()) !== JSON.stringify(dump)) {
  throw new Error("the package builds another tree");
}
const step = Math.max(1, Math.floor(tree.length / 1000));
for (let index = 0; index < tree.length; index += step) {
  const value = tree.at(index);
  if (!StandardMerkleTree.verify(tree.root, ["address", "uint256"], value, tree.getProof(index))) {
    throw new Error(`the proof of value ${index} is wrong`);
  }
}
console.log(tree.root);

// Prints the titles of the cases of suites, one per line.
//
//   node titles.mjs SUITE…
for (const name of process.argv.slice(2)) {
  const { cases, full } = await import(`./suites/${name}.mjs`);
  for (const title of Object.keys({ ...cases, ...full })) console.log(title);
}

//! Table of invalid inputs. KEY, CONTEXT and ADDRESS are replaced by ids of the installation, DIR by its parent directory.

/// Arguments, words that the message must contain, exit code.
pub(super) type Wrong = (&'static [&'static str], &'static [&'static str], i32);

pub(super) const ARGUMENTS: [Wrong; 19] = [
    (
        &["nonsense"],
        &["\"nonsense\"", "not a command", "serve"],
        2,
    ),
    (
        &["start"],
        &["\"start\"", "not a command", "did you mean `voight serve`?"],
        2,
    ),
    (&["backup"], &["did you mean `voight store backup`?"], 2),
    (
        &["serve", "--port", "8080"],
        &["--port", "use --listen <ADDR>", "127.0.0.1:8080"],
        2,
    ),
    (&["--jsn", "usage"], &["--jsn", "did you mean --json?"], 2),
    (&["usage", "extra"], &["\"extra\"", "export"], 2),
    (&["usage", "--client"], &["--client", "needs a value"], 2),
    (
        &["usage", "--json=yes"],
        &["--json", "takes no value", "yes"],
        2,
    ),
    (
        &["usage", "--log", "nonsense"],
        &["nonsense", "not a level", "info"],
        2,
    ),
    (
        &["usage", "--log", "voight=loud"],
        &["loud", "not a level", "debug"],
        2,
    ),
    (
        &["usage", "--log", "[request]=debug"],
        &["targets", "voight_http=debug"],
        2,
    ),
    (
        &["usage", "--store", "mysql://x"],
        &["--store", "no known kind", "redb:PATH"],
        2,
    ),
    (
        &["usage", "--store", "redb:"],
        &["not complete", "redb:./voight.redb"],
        2,
    ),
    (
        &["usage", "--store", "redb:DIR/no.redb"],
        &["no store", "no.redb", "voight store init"],
        4,
    ),
    (
        &["usage", "--server", "localhost"],
        &["--server", "http://127.0.0.1:8081"],
        2,
    ),
    (
        &["usage", "--server", "http://127.0.0.1:1"],
        &["no answer", "127.0.0.1:1", "--server"],
        5,
    ),
    (
        &["usage", "--config", "DIR/no.toml"],
        &["no.toml", "cannot be read"],
        3,
    ),
    (
        &["usage", "--config", "DIR/wrong.toml"],
        &["wrong.toml:2", "server.lisen", "server.listen"],
        3,
    ),
    (
        &["usage", "--config", "DIR/text.csv"],
        &["text.csv:1", "not TOML"],
        3,
    ),
];

pub(super) const CLIENTS_AND_KEYS: [Wrong; 29] = [
    (&["client"], &["no command was given", "create", "close"], 2),
    (&["client", "crate", "other"], &["\"crate\"", "create"], 2),
    (
        &["client", "create"],
        &["`voight client create` needs <NAME>"],
        2,
    ),
    (
        &["client", "create", ""],
        &["1 to 64 printable characters"],
        2,
    ),
    (
        &["client", "create", "no\nname"],
        &["U+000A", "leave it out"],
        2,
    ),
    (
        &["client", "create", "acme"],
        &["\"acme\"", "another name"],
        1,
    ),
    (
        &["client", "show", "missing-client"],
        &["no client \"missing-client\"; `voight client list`"],
        4,
    ),
    (
        &["client", "suspend", "missing-client"],
        &["no client \"missing-client\""],
        4,
    ),
    (
        &["client", "origins", "acme", "--set", "quest.example"],
        &["quest.example", "http:// or https://"],
        2,
    ),
    (
        &["client", "origins", "acme", "--set", "https://a.example/x"],
        &["scheme, host and port only"],
        2,
    ),
    (
        &["client", "contexts", "acme", "any-key"],
        &["any-key", "registering-key or client"],
        2,
    ),
    (
        &["client", "cap", "acme", "1.5"],
        &["1.5", "whole number"],
        2,
    ),
    (
        &["client", "cap", "acme", "-1"],
        &["-1", "whole number", "without a sign"],
        2,
    ),
    (
        &["client", "cap", "acme", "5", "--clear"],
        &["--clear", "together"],
        2,
    ),
    (
        &["client", "budget", "acme"],
        &["needs <AMOUNT>", "200.00"],
        2,
    ),
    (
        &["client", "budget", "acme", "10,5"],
        &["\"10,5\"", "a decimal point", "\"1.25\""],
        2,
    ),
    (
        &["client", "cap", "acme", "--money", "$10"],
        &["\"$10\"", "without a currency sign", "\"1.25 USD\""],
        2,
    ),
    (
        &["client", "credit", "acme", "1,000.00", "--reason", "x"],
        &["separator of thousands", "\"1.25\""],
        2,
    ),
    (&["client", "credit", "acme", "5"], &["needs --reason"], 2),
    (
        &["client", "close", "acme"],
        &["cannot be undone", "--yes"],
        2,
    ),
    (
        &["key", "create"],
        &["needs --client <CLIENT>", "`voight client list`"],
        2,
    ),
    (
        &[
            "key",
            "create",
            "--client",
            "acme",
            "--scope",
            "lookup:read,everything",
        ],
        &["everything", "context:register"],
        2,
    ),
    (
        &[
            "key",
            "create",
            "--client",
            "acme",
            "--network",
            "1.2.3.4/40",
        ],
        &["1.2.3.4/40", "0 to 32", "192.0.2.0/24"],
        2,
    ),
    (
        &["key", "create", "--client", "acme", "--network", "1.2.3.4"],
        &["1.2.3.4/32"],
        2,
    ),
    (
        &["key", "create", "--client", "acme", "--expires", "tomorrow"],
        &["tomorrow", "2027-01-01"],
        2,
    ),
    (
        &[
            "key",
            "create",
            "--client",
            "acme",
            "--expires",
            "2020-01-01",
        ],
        &["expired", "in the future"],
        2,
    ),
    (
        &["key", "rotate", "KEY", "--overlap", "1y"],
        &["\"1y\"", "24h", "30d"],
        2,
    ),
    (
        &["key", "rotate", "KEY", "--overlap", "1h", "--now"],
        &["--overlap", "--now", "together"],
        2,
    ),
    (
        &["key", "revoke", "01k0ab3cdefghjkmnpqrstvwxy"],
        &["no key 01k0ab3cdefghjkmnpqrstvwxy"],
        4,
    ),
];

pub(super) const CONTEXTS_AND_VERDICTS: [Wrong; 25] = [
    (
        &["context", "create", "--key", "KEY", "my quest"],
        &["my quest", "letters"],
        2,
    ),
    (
        &["context", "create", "--key", "x", "spring"],
        &["no key \"x\""],
        4,
    ),
    (
        &["context", "set", "CONTEXT"],
        &["at least one of --origins"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--min-confidence", "95%"],
        &["95%", "from 50 to 99", "unit"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--min-confidence", "100"],
        &["100", "from 50 to 99"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--press-count", "3"],
        &["from 1 to 2"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--mode", "guess"],
        &["guess", "enforce or observe"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--device-limit", "0"],
        &["from 1 to 1000000"],
        2,
    ),
    (
        &["context", "set", "CONTEXT", "--retention-days", "-1"],
        &["-1", "from 1 to 3650"],
        2,
    ),
    (
        &[
            "context",
            "set",
            "spring.01k0ab3cdefghjkmnpqrstvwxy",
            "--press-count",
            "2",
        ],
        &["no context"],
        4,
    ),
    (
        &["context", "archive", "CONTEXT"],
        &["cannot be undone", "--yes"],
        2,
    ),
    (&["context", "move", "CONTEXT"], &["needs --to-key"], 2),
    (
        &["verdict", "get", "--context", "CONTEXT", "0x12"],
        &["0x12", "40 hexadecimal digits"],
        2,
    ),
    (
        &["verdict", "get", "--context", "CONTEXT", "vitalik.eth"],
        &["40 hexadecimal digits"],
        2,
    ),
    (&["verdict", "get", "ADDRESS"], &["needs --context"], 2),
    (
        &[
            "verdict",
            "override",
            "--context",
            "CONTEXT",
            "ADDRESS",
            "--to",
            "maybe",
            "--reason",
            "x",
        ],
        &["human or bot"],
        2,
    ),
    (
        &[
            "verdict",
            "override",
            "--context",
            "CONTEXT",
            "ADDRESS",
            "--to",
            "bot",
            "--reason",
            "",
        ],
        &["needs a reason"],
        2,
    ),
    (
        &[
            "verdict",
            "label",
            "--context",
            "CONTEXT",
            "ADDRESS",
            "robot",
            "--reason",
            "x",
        ],
        &["robot", "human or bot"],
        2,
    ),
    (
        &[
            "verdict",
            "label",
            "--context",
            "CONTEXT",
            "--csv",
            "DIR/no.csv",
            "--reason",
            "x",
        ],
        &["no.csv", "--csv"],
        2,
    ),
    (
        &[
            "verdict",
            "label",
            "--context",
            "CONTEXT",
            "--csv",
            "DIR/text.csv",
            "--reason",
            "x",
        ],
        &["line 1", "40 hex"],
        2,
    ),
    (
        &[
            "verdict",
            "replay",
            "--context",
            "CONTEXT",
            "--policy",
            "DIR/no.json",
        ],
        &["no.json", "JSON file"],
        2,
    ),
    (
        &[
            "verdict",
            "replay",
            "--context",
            "CONTEXT",
            "--policy",
            "DIR/broken.json",
        ],
        &["policy", "JSON"],
        2,
    ),
    (
        &["cluster", "import", "DIR/text.csv", "--context", "CONTEXT"],
        &["line 1", "nothing was imported"],
        2,
    ),
    (
        &[
            "recording",
            "export",
            "--context",
            "CONTEXT",
            "--label",
            "robot",
            "--out",
            "DIR/r",
        ],
        &["human or bot"],
        2,
    ),
    (
        &[
            "recording",
            "export",
            "--context",
            "CONTEXT",
            "--label",
            "human",
            "--tool",
            "x",
            "--out",
            "DIR/r",
        ],
        &["--tool"],
        2,
    ),
];

pub(super) const BILLING_AND_AUDIT: [Wrong; 25] = [
    (
        &["usage", "--from", "yesterday"],
        &["from", "2026-11-01"],
        2,
    ),
    (
        &["usage", "--from", "2026-02-01", "--to", "2026-01-01"],
        &["to is not after from"],
        2,
    ),
    (
        &["usage", "--client", "missing-client"],
        &["no client \"missing-client\""],
        4,
    ),
    (
        &["usage", "export", "--client", "acme", "--format", "xml"],
        &["xml", "csv, cloudevents, lago"],
        2,
    ),
    (
        &[
            "usage",
            "export",
            "--client",
            "acme",
            "--out",
            "DIR/text.csv",
        ],
        &["already exists", "--out"],
        1,
    ),
    (
        &[
            "usage",
            "export",
            "--client",
            "acme",
            "--out",
            "DIR/none/a.csv",
        ],
        &["none/a.csv", "mkdir -p"],
        1,
    ),
    (
        &[
            "audit",
            "export",
            "--client",
            "acme",
            "--out",
            "DIR/none/a.jsonl",
        ],
        &["none/a.jsonl", "mkdir -p"],
        1,
    ),
    (
        &["erase", "--address", "0x12", "--reason", "x", "--yes"],
        &["0x12", "40 hexadecimal digits"],
        2,
    ),
    (
        &["erase", "--address", "ADDRESS", "--yes"],
        &["needs --reason"],
        2,
    ),
    (
        &["erase", "--address", "ADDRESS", "--reason", "x"],
        &["cannot be undone", "--yes"],
        2,
    ),
    (
        &[
            "audit",
            "export",
            "--client",
            "acme",
            "--environment",
            "sandbox",
        ],
        &["sandbox", "live or test"],
        2,
    ),
    (
        &["audit", "verify-export", "DIR/no.jsonl"],
        &["no.jsonl", "cannot be read"],
        4,
    ),
    (
        &["audit", "verify-export", "DIR/text.csv"],
        &["line 1", "not a line of an export"],
        1,
    ),
    (
        &["audit", "log", "--limit", "-1"],
        &["-1", "whole number of 1 or more"],
        2,
    ),
    (
        &["audit", "verify", "--client", "missing-client"],
        &["no client \"missing-client\""],
        4,
    ),
    (
        &[
            "invoice", "preview", "--client", "acme", "--period", "2026-13",
        ],
        &["2026-13", "2026-11"],
        2,
    ),
    (
        &["invoice", "close", "--period", "november"],
        &["november", "2026-11"],
        2,
    ),
    (
        &["invoice", "mark-paid", "acme-1"],
        &["cannot be undone", "--yes"],
        2,
    ),
    (
        &["invoice", "mark-paid", "acme-1", "--yes"],
        &["no invoice"],
        4,
    ),
    (
        &["invoice", "void", "acme", "--reason", "x", "--yes"],
        &["<client>-<number>"],
        4,
    ),
    (
        &["invoice", "show", "acme-1", "--out", "x"],
        &["needs --html"],
        2,
    ),
    (
        &[
            "invoice", "adjust", "--client", "acme", "x", "--reason", "y",
        ],
        &["\"x\"", "1.25"],
        2,
    ),
    (
        &["admin", "token", "create", "--name", "x", "--role", "boss"],
        &["boss", "owner, operator, analyst or billing"],
        2,
    ),
    (
        &["admin", "token", "revoke", "missing-token", "--yes"],
        &["no admin token \"missing-token\""],
        4,
    ),
    (&["signing-key", "rotat"], &["rotat", "rotate"], 2),
];

pub(super) const STORE_AND_OTHERS: [Wrong; 24] = [
    (
        &["store", "info", "mysql://x"],
        &["no known kind", "redb:PATH"],
        2,
    ),
    (&["store", "info", "memory:"], &["memory:", "redb:PATH"], 2),
    (
        &["store", "verify", "DIR/no.dump"],
        &["no.dump", "an existing backup"],
        2,
    ),
    (
        &["store", "verify", "DIR/text.csv"],
        &["text.csv", "voight store backup"],
        1,
    ),
    (
        &["store", "backup", "--out", "DIR/text.csv"],
        &["already exists", "--out"],
        1,
    ),
    (
        &["store", "backup", "--out", "DIR/none/a.dump"],
        &["none/a.dump", "does not exist", "mkdir -p"],
        1,
    ),
    (&["store", "restore"], &["needs <FILE>"], 2),
    (
        &["store", "restore", "DIR/no.dump"],
        &["no.dump", "name a backup"],
        4,
    ),
    (
        &["store", "restore", "DIR/text.csv"],
        &["text.csv", "voight store backup"],
        1,
    ),
    (
        &["store", "copy", "--from", "redb:x"],
        &["needs --to <URL>"],
        2,
    ),
    (
        &[
            "store",
            "copy",
            "--from",
            "redb:DIR/no.redb",
            "--to",
            "redb:DIR/new.redb",
        ],
        &["no store", "no.redb"],
        4,
    ),
    (
        &["store", "migrate"],
        &["in no database", "no command is needed"],
        2,
    ),
    (
        &["store", "init", "redb:DIR/new.redb"],
        &["in no database", "--store"],
        2,
    ),
    (
        &["store", "compact", "redb:DIR/no.redb"],
        &["no store", "--data-dir"],
        4,
    ),
    (&["config", "chek"], &["chek", "check"], 2),
    (
        &["config", "init", "--out", "DIR/none/a.toml"],
        &["none/a.toml", "does not exist", "mkdir -p"],
        1,
    ),
    (
        &["man", "--out", "DIR/text.csv/man"],
        &["text.csv/man", "is a file", "--out"],
        1,
    ),
    (
        &["doctor", "--reason", "x"],
        &["needs --acknowledge-clock"],
        2,
    ),
    (&["completions", "tcsh"], &["tcsh", "bash", "zsh"], 2),
    (
        &["man", "--out", "DIR/text.csv"],
        &["text.csv", "directory"],
        1,
    ),
    (
        &["serve", "--listen", "8080"],
        &["8080", "127.0.0.1:8080"],
        2,
    ),
    (
        &["serve", "--log-format", "xml"],
        &["xml", "text or json"],
        2,
    ),
    (&["demo", "--port", "x"], &["from 0 to 65535"], 2),
    (&["demo", "--page-port", "70000"], &["from 0 to 65535"], 2),
];

use super::*;

fn environment(pairs: &[(&str, &str)]) -> HashMap<String, String> {
    pairs
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("voight.toml");
    std::fs::write(&path, text).unwrap();
    (dir, path)
}

fn sentences(inputs: ConfigSources) -> Vec<String> {
    load(inputs)
        .unwrap_err()
        .0
        .iter()
        .map(ToString::to_string)
        .collect()
}

#[test]
fn empty_configuration_is_the_defaults() {
    let loaded_config = load(ConfigSources::default()).unwrap();
    assert_eq!(loaded_config.config, Config::default());
    assert!(
        loaded_config
            .entries
            .iter()
            .all(|entry| entry.source == Source::Default)
    );
}

#[test]
fn flags_win_over_the_environment_over_the_file_over_the_defaults() {
    let (_dir, path) =
        file("[server]\nlisten = \"127.0.0.1:1\"\nadmin_listen = \"127.0.0.1:2\"\nworkers = 3\n");
    let loaded_config = load(ConfigSources {
        file: Some(path.clone()),
        environment: environment(&[
            ("VOIGHT__SERVER__LISTEN", "127.0.0.1:11"),
            ("VOIGHT__SERVER__ADMIN_LISTEN", "127.0.0.1:12"),
            ("VOIGHT_PEPPER", "is not configuration"),
        ]),
        flags: vec![Flag {
            key: "server.listen",
            value: "127.0.0.1:21".into(),
        }],
    })
    .unwrap();
    let server = &loaded_config.config.server;
    assert_eq!(
        (
            server.listen.port(),
            server.admin_listen.port(),
            server.workers
        ),
        (21, 12, 3)
    );
    let source = |key| {
        loaded_config
            .entries
            .iter()
            .find(|entry| entry.key == key)
            .unwrap()
            .source
            .clone()
    };
    assert_eq!(source("server.listen"), Source::Flags);
    assert_eq!(source("server.admin_listen"), Source::Environment);
    assert_eq!(source("server.workers"), Source::File(path));
    assert_eq!(source("server.max_concurrent_requests"), Source::Default);
}

#[test]
fn an_unknown_key_in_a_file_is_named_with_its_line_and_the_nearest_key() {
    let (_dir, path) = file("[server]\n\nlisen = \"127.0.0.1:1\"\n[limts]\nenabled = false\n");
    let wrong = sentences(ConfigSources {
        file: Some(path.clone()),
        ..ConfigSources::default()
    });
    let at = |line| format!("{}:{line}: ", path.display());
    assert!(
        wrong
            .iter()
            .any(|text| text.starts_with(&at(3)) && text.contains("did you mean server.listen?")),
        "{wrong:?}"
    );
    assert!(
        wrong
            .iter()
            .any(|text| text.starts_with(&at(5)) && text.contains("limits.enabled")),
        "{wrong:?}"
    );
}

#[test]
fn an_unknown_variable_is_named_as_it_was_written() {
    let wrong = sentences(ConfigSources {
        environment: environment(&[("VOIGHT__LOG__FILTR", "info")]),
        ..ConfigSources::default()
    });
    assert_eq!(wrong.len(), 1);
    assert!(
        wrong[0].contains("VOIGHT__LOG__FILTR")
            && wrong[0].contains("did you mean VOIGHT__LOG__FILTER (log.filter)?"),
        "{wrong:?}"
    );
}

#[test]
fn every_value_that_does_not_fit_is_named() {
    let (_dir, path) =
        file("[server]\nlisten = \"8080\"\nworkers = \"many\"\n[limits]\nenabled = \"perhaps\"\n");
    let wrong = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    for (line, key) in [
        (2, "server.listen"),
        (3, "server.workers"),
        (5, "limits.enabled"),
    ] {
        let place = format!(":{line}: {key} ");
        assert!(
            wrong.iter().any(|text| text.contains(&place)),
            "{key}: {wrong:?}"
        );
    }
    assert_eq!(wrong.len(), 3);
}

#[test]
fn a_fraction_is_rejected_rather_than_rounded() {
    let (_dir, path) = file("[limits]\nlookups_per_second = 0.5\n");
    let wrong = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    assert!(
        wrong[0].contains("limits.lookups_per_second") && wrong[0].contains("0.5"),
        "{wrong:?}"
    );
}

#[test]
fn a_number_is_no_truth_and_a_truth_no_number() {
    let (_dir, path) = file("[log]\njson = 3\n[server]\nworkers = true\n");
    let wrong = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    assert!(
        wrong[0].contains(":2: log.json cannot be 3: true or false was expected"),
        "{wrong:?}"
    );
    assert!(
        wrong[1].contains(
            ":4: server.workers cannot be true: a whole number of 0 or more was expected"
        ),
        "{wrong:?}"
    );
    assert_eq!(wrong.len(), 2);
}

#[test]
fn a_problem_of_one_section_hides_none_of_another() {
    let (_dir, path) = file(
        "[evidence]\nmax_size_mib = 0\n[server]\nworkers = \"many\"\n[limits]\nenabeld = false\n[log]\njson = 3\n",
    );
    let wrong = sentences(ConfigSources {
        file: Some(path.clone()),
        ..ConfigSources::default()
    });
    let places: Vec<_> = wrong
        .iter()
        .map(|text| text.split(": ").next().unwrap_or_default().to_owned())
        .collect();
    assert_eq!(
        places,
        [2, 4, 6, 8].map(|line| format!("{}:{line}", path.display())),
        "{wrong:?}"
    );
}

#[test]
fn lists_are_arrays_in_files_and_commas_in_the_environment() {
    let (_dir, path) = file("[server]\ntrusted_proxies = [\"10.0.0.0/8\", \"::1/128\"]\n");
    let from_file = load(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    })
    .unwrap();
    let variables = environment(&[("VOIGHT__SERVER__TRUSTED_PROXIES", "10.0.0.0/8, ::1/128")]);
    let from_environment = load(ConfigSources {
        environment: variables,
        ..ConfigSources::default()
    })
    .unwrap();
    assert_eq!(from_file.config, from_environment.config);
    assert_eq!(from_file.config.server.trusted_proxies.len(), 2);
}

#[test]
fn mapped_network_is_compared_as_ipv4() {
    let variables = environment(&[("VOIGHT__SERVER__TRUSTED_PROXIES", "::ffff:10.0.0.0/104")]);
    let loaded_config = load(ConfigSources {
        environment: variables,
        ..ConfigSources::default()
    })
    .unwrap();
    assert!(
        loaded_config.config.server.trusted_proxies[0]
            .contains(&std::net::IpAddr::from([10, 1, 2, 3]))
    );
}

#[test]
fn unread_variable_fails_with_the_other_problems() {
    let variables = environment(&[
        ("VOIGHT_SERVER_LISTEN", "127.0.0.1:1"),
        ("VOIGHT__LOG__FILTR", "info"),
    ]);
    let wrong = sentences(ConfigSources {
        environment: variables,
        ..ConfigSources::default()
    });
    assert!(
        wrong
            .iter()
            .any(|text| text.contains("did you mean VOIGHT__SERVER__LISTEN?")),
        "{wrong:?}"
    );
    assert_eq!(wrong.len(), 2);
}

#[test]
fn invalid_network_is_quoted() {
    let variables = environment(&[("VOIGHT__SERVER__TRUSTED_PROXIES", "10.0.0.0/33")]);
    let wrong = sentences(ConfigSources {
        environment: variables,
        ..ConfigSources::default()
    });
    assert!(wrong[0].contains("10.0.0.0/33"), "{wrong:?}");
}

#[test]
fn contradictions_are_found() {
    let variables = environment(&[
        ("VOIGHT__SERVER__ADMIN_LISTEN", "127.0.0.1:8080"),
        ("VOIGHT__BILLING__PERIOD_START_DAY", "32"),
    ]);
    let wrong = sentences(ConfigSources {
        environment: variables,
        ..ConfigSources::default()
    });
    assert!(
        wrong.iter().any(|text| text.contains("port 8080")),
        "{wrong:?}"
    );
    assert!(
        wrong.iter().any(|text| text.contains("period_start_day")),
        "{wrong:?}"
    );
}

#[test]
fn a_missing_or_broken_file_is_named() {
    let missing = sentences(ConfigSources {
        file: Some("/nonexistent/voight.toml".into()),
        ..ConfigSources::default()
    });
    assert!(missing[0].contains("/nonexistent/voight.toml"));
    let (_dir, path) = file("[server\n");
    let broken = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    assert!(broken[0].contains("not TOML"), "{broken:?}");
}

#[test]
fn every_problem_of_one_section_is_named_at_once() {
    let (_dir, path) = file(
        "[server]\nlisen = \"127.0.0.1:1\"\nworkers = \"many\"\npublic_url = \"voight\"\ntrusted_proxies = [\"1.2.3.4/40\", \"office\"]\n\
         [limits]\nenabled = \"perhaps\"\nlookups_per_second = 0\nlookup_burst = 5000000000\n\
         [log]\njson = \"x\"\nfilter = \"nonsense\"\n\
         [sever]\n[store]\nurl = \"mysql:\"\ncache_mib = \"1GB\"\n",
    );
    let wrong = sentences(ConfigSources {
        file: Some(path.clone()),
        ..ConfigSources::default()
    });
    for (line, words) in [
        (2, "server.lisen"),
        (
            3,
            "server.workers cannot be \"many\": a whole number of 0 or more was expected",
        ),
        (4, "server.public_url is \"voight\""),
        (
            5,
            "\"1.2.3.4/40\": the prefix length of an IPv4 network is 0 to 32",
        ),
        (
            5,
            "\"office\": a network is an IP address and a prefix length",
        ),
        (
            7,
            "limits.enabled cannot be \"perhaps\": true or false was expected",
        ),
        (
            8,
            "limits.lookups_per_second cannot be 0: a whole number from 1 to 4294967295 was expected; limits.enabled = false disables",
        ),
        (
            9,
            "limits.lookup_burst cannot be \"5000000000\": a whole number from 1 to 4294967295 was expected",
        ),
        (11, "log.json"),
        (12, "\"nonsense\" is not a level"),
        (
            13,
            "there is no configuration table sever; did you mean server?",
        ),
        (15, "mysql:"),
        (16, "store.cache_mib"),
    ] {
        let place = format!("{}:{line}: ", path.display());
        assert!(
            wrong
                .iter()
                .any(|text| text.starts_with(&place) && text.contains(words)),
            "{words}: {wrong:#?}"
        );
    }
    assert_eq!(wrong.len(), 12, "{wrong:#?}");
}

#[test]
fn a_problem_that_follows_from_another_is_not_named() {
    let (_dir, path) = file("[limits]\nmax_checks_per_minut = 900\nchecks_per_minute = 400\n");
    let wrong = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    assert!(
        wrong.len() == 1 && wrong[0].contains("max_checks_per_minut;"),
        "{wrong:?}"
    );
}

#[test]
fn every_place_that_is_not_toml_is_named_with_its_line() {
    let (_dir, path) = file(
        "[server\nlisten = \"a\"\n[limits]\nenabled = fals\n[checks]\nproof_of_work_bits = 99999999999999999999\n",
    );
    let wrong = sentences(ConfigSources {
        file: Some(path.clone()),
        ..ConfigSources::default()
    });
    for line in [1, 4, 6] {
        let place = format!("{}:{line}: the file is not TOML: ", path.display());
        assert!(
            wrong.iter().any(|text| text.starts_with(&place)),
            "{line}: {wrong:#?}"
        );
    }
}

#[test]
fn table_in_place_of_a_value_is_rejected() {
    let (_dir, path) = file("limits = 5\n[server.listen]\n[log]\njson = true\n");
    let wrong = sentences(ConfigSources {
        file: Some(path),
        ..ConfigSources::default()
    });
    assert!(
        wrong[0].contains(
            ":1: there is no configuration key limits; limits is a table: write [limits]"
        ),
        "{wrong:?}"
    );
    assert!(
        wrong[1].contains(":2: server.listen cannot be a table"),
        "{wrong:?}"
    );
    assert_eq!(wrong.len(), 2);
}

//! Examples that run, one folder for each integration.

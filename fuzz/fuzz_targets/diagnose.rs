//! The target `diagnose` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(diagnose);

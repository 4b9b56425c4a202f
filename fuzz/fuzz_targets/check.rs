//! The target `check` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(check);

//! The target `profile` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(profile);

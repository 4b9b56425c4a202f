//! The target `parse` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(parse);

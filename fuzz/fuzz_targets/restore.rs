//! The target `restore` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(restore);

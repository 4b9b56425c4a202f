//! The target `tools` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(tools);

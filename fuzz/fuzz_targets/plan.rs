//! The target `plan` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(plan);

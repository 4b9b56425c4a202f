//! The target `adapt` under libFuzzer.
#![no_main]

schemalect_fuzz::fuzz!(adapt);

//! What must hold of any input whatever: one plain function a target. libFuzzer calls them with `--features libfuzzer`
//! (`fuzz/run`), `tests/smoke.rs` on a stable compiler.
//!
//! An input is text in parts that a blank line divides; each function says what its parts are.

mod calls;
mod mutate;
// One file, and none of the crates that its own crate needs.
#[path = "../../conformance/src/rng.rs"]
mod rng;
mod schemas;
mod surfaces;
mod texts;

pub use calls::{plan, restore};
#[cfg(feature = "libfuzzer")]
pub use libfuzzer_sys;
pub use mutate::{dictionary, mutate};
pub use rng::Rng;
pub use schemas::{adapt, check, parse};
pub use surfaces::DAY;
pub use texts::{diagnose, profile, tools};

/// Runs one input; panics where something does not hold.
pub type Target = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Target); 8] = [
    ("parse", parse),
    ("check", check),
    ("adapt", adapt),
    ("restore", restore),
    ("plan", plan),
    ("diagnose", diagnose),
    ("profile", profile),
    ("tools", tools),
];

/// The entry points that libFuzzer calls; half of the inputs are changed as JSON or line by line, half as libFuzzer would.
#[cfg(feature = "libfuzzer")]
#[macro_export]
macro_rules! fuzz {
    ($target:ident) => {
        $crate::libfuzzer_sys::fuzz_target!(|data: &[u8]| schemalect_fuzz::$target(data));

        $crate::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            if seed % 2 == 0 {
                return $crate::libfuzzer_sys::fuzzer_mutate(data, size, max_size);
            }
            let mut rng = $crate::Rng::new(u64::from(seed));
            let before = data[..size].to_vec();
            let after = $crate::mutate(&mut rng, &before, &before);
            let len = after.len().min(max_size);
            data[..len].copy_from_slice(&after[..len]);
            len
        });
    };
}

/// The part of this number, and nothing where there is none; the last part has what is left.
fn part(text: &str, number: usize, of: usize) -> &str {
    text.splitn(of, "\n\n").nth(number).unwrap_or_default()
}

/// The input as text, which most inputs are.
fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

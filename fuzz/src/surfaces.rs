//! The built-in profiles as they hold on a day, and the first part of an input, which names one.

use std::sync::OnceLock;

use schemalect::engine::adapt::Options;
use schemalect::{Effects, Profiles, Selection, Surface};

/// The day for which profiles are resolved.
pub const DAY: &str = "2026-11-29";

pub(crate) fn selection() -> Selection {
    Selection::on(DAY.parse().expect("a day"))
}

pub(crate) fn profiles() -> &'static Profiles {
    static PROFILES: OnceLock<Profiles> = OnceLock::new();
    PROFILES.get_or_init(|| Profiles::builtin().expect("the built-in profiles are read"))
}

fn surfaces() -> &'static [Surface] {
    static SURFACES: OnceLock<Vec<Surface>> = OnceLock::new();
    SURFACES.get_or_init(|| {
        let names = profiles().rule_library().profile_names();
        names.map(|name| profiles().resolve(name, &selection()).expect(name)).collect()
    })
}

/// The profile whose name stands first in a line, and any one where there is none of that name; and what the words after it ask for.
pub(crate) fn asked(line: &str) -> (&'static Surface, Options) {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or_default();
    let all = surfaces();
    let any = name.bytes().fold(0_usize, |sum, b| sum.wrapping_mul(31).wrapping_add(usize::from(b))) % all.len();
    let surface = all.iter().find(|s| s.name() == name).unwrap_or(&all[any]);
    let mut options = Options::default();
    for word in words {
        match word {
            "audit" => options.audit = true,
            "types" => options.types = true,
            "all" => options.allow = Effects::ALL,
            "none" => options.allow = Effects::NONE,
            _ => {}
        }
    }
    (surface, options)
}

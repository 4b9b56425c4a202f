//! What holds of the built-in profiles as families: groups, prose, and what stands apart.
#![allow(missing_docs)]

use schemalect::Profiles;
use schemalect::rules::{GroupInfo, ProfileInfo};

fn builtin() -> (Profiles, Vec<ProfileInfo>) {
    let profiles = Profiles::builtin().expect("the built-in profiles load");
    let infos = profiles.rule_library().profiles().collect();
    (profiles, infos)
}

#[test]
fn every_profile_has_a_group() {
    let (profiles, infos) = builtin();
    let without: Vec<&str> = infos.iter().filter(|info| info.group == GroupInfo::OWN).map(|info| info.name.as_str()).collect();
    assert_eq!(without, [""; 0], "a folder below providers needs a group.yaml");
    assert!(profiles.rule_library().groups().len() > 15);
}

#[test]
fn conventions_of_libraries_and_advice_are_no_surfaces() {
    let (profiles, infos) = builtin();
    let common: Vec<&str> = profiles.rule_library().common_names().collect();
    for info in &infos {
        let apart = info.path.contains("compat/") || info.path.contains("hygiene/");
        assert_eq!(common.contains(&info.name.as_str()), !apart, "{}", info.path);
    }
}

/// The root of a family says what the surface is, how its checker works, and what nobody knows.
#[test]
fn roots_of_families_say_what_is_unknown() {
    let (_, infos) = builtin();
    let roots: Vec<&ProfileInfo> = infos.iter().filter(|info| info.extends.is_none() || info.name == info.group).collect();
    assert!(roots.len() > 15);
    for root in roots.iter().filter(|info| !info.path.contains("compat/")) {
        assert!(root.about.len() > 200 && root.about.contains("Unknown"), "{}: `about` says what is unknown", root.path);
    }
    for info in &infos {
        assert!(!info.about.trim().is_empty(), "{}: `about` says what this surface is", info.path);
    }
}

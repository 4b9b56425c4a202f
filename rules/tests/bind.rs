//! What a profile becomes: inheritance, dates, switches, facts.

mod common;

use schemalect_rules::engine::op::{Op, Step};
use schemalect_rules::engine::plan::{Certainty, Level, Test};
use schemalect_rules::{Bound, LeftOut, Library, PathForm, ProfileError, Reason, Reports, Selection};

fn bind(name: &str, day: &str, switches: &[(&str, &str)]) -> Result<Bound, Vec<ProfileError>> {
    let switches = switches.iter().map(|(k, v)| ((*k).to_owned(), (*v).to_owned())).collect();
    common::library().bind(name, &Selection { as_of: day.parse().expect(day), switches })
}

fn rules(bound: &Bound) -> Vec<(&str, &str, &str)> {
    let rule = |rule| {
        let rule: &schemalect_rules::engine::plan::Rule = rule;
        (&*rule.id, rule.certainty.word(), rule.level.word())
    };
    bound.plan.rules.iter().map(rule).collect()
}

#[test]
fn a_day_after_everything() {
    let bound = bind("parent", "2026-01-01", &[]).expect("binds");
    assert_eq!(
        rules(&bound),
        [
            ("parent/keyword-refused", "certain", "error"),
            ("parent/depth-over", "certain", "error"),
            ("parent/object-open", "undecided", "warning"),
        ]
    );
    assert_eq!(bound.switches["model"], "any");
    assert_eq!(bound.stages, ["parse", "check"]);
    assert_eq!((bound.speaks.reports, bound.speaks.paths.as_slice()), (Reports::First, [PathForm::Pointer].as_slice()));
    assert_eq!(bound.says.len(), 1);
    let regex = bound.says[0].regex().expect("compiles");
    assert!(regex.is_match("'oneOf' is not permitted"));
}

#[test]
fn groups_are_folders_with_a_file() {
    let profile = |path: &str, name: &str| (path.to_owned(), format!("profile: {name}\ntitle: t\nwire: {{ schema: /s }}\nstages: [s]\n"));
    let group = |path: &str, text: &str| (path.to_owned(), text.to_owned());
    let files = [profile("a/one.yaml", "one"), profile("b/two.yaml", "two"), profile("c/three.yaml", "three")];
    let groups =
        [group("a/group.yaml", "# of us\ngroup: first\ntitle: The first\n"), group("b/group.yaml", "group: b\ntitle: B\napart: true\n")];
    let library = Library::new([], files.into_iter().chain(groups)).expect("they read");
    let told: Vec<_> = library.groups().into_iter().map(|g| (g.name, g.title, g.apart)).collect();
    let told: Vec<_> = told.iter().map(|(name, title, apart)| (name.as_str(), title.as_str(), *apart)).collect();
    assert_eq!(told, [("b", "B", true), ("first", "The first", false), ("own", "Profiles of your own", false)]);
    assert_eq!(library.profile("one").map(|p| p.group).as_deref(), Some("first"));
    assert_eq!(library.common_names().collect::<Vec<_>>(), ["one", "three"]);
    // A user's folder may be called like one that is built in.
    let own = Library::over(
        [],
        [profile("a/one.yaml", "one"), group("a/group.yaml", "group: a\ntitle: A\n")],
        [],
        [profile("a/two.yaml", "two")],
    );
    assert_eq!(own.expect("they read").group("two").map(|g| g.name).as_deref(), Some("own"));

    for (text, message) in [
        ("group: A\ntitle: t\n", "a/group.yaml:1:8: `A` is not kebab-case; write lower-case words with hyphens between them"),
        ("group: own\ntitle: t\n", "a/group.yaml:1:8: `own` is the group of profiles that have no group file; give it another name"),
        ("group: a\ntitle: ' '\n", "a/group.yaml:2:8: `title` is empty"),
        ("group: a\ntitel: t\n", "a/group.yaml:2:1: unknown field `titel`; did you mean `title`?"),
    ] {
        let errors = Library::new([], [group("a/group.yaml", text)]).expect_err(text);
        assert!(errors.iter().any(|error| error.to_string() == message), "{errors:?}");
    }
}

#[test]
fn dates() {
    for (day, depth) in [("2025-03-01", None), ("2025-03-02", Some("undecided")), ("2025-06-01", Some("certain"))] {
        let bound = bind("parent", day, &[]).expect("binds");
        let rule = rules(&bound).into_iter().find(|(id, ..)| *id == "parent/depth-over");
        assert_eq!(rule.map(|(_, certainty, _)| certainty), depth, "{day}");
        let left = LeftOut { rule: "depth-over".into(), reason: Reason::Date };
        assert_eq!(bound.left_out.contains(&left), depth.is_none());
    }
}

#[test]
fn a_message_shows_that_a_rule_holds() {
    let selection = Selection::on("2025-03-01".parse().expect("a day"));
    let bound = common::library().bind_every("parent", &selection).expect("binds");
    assert_eq!(rules(&bound)[1], ("parent/depth-over", "undecided", "error"));
    assert_eq!(bound.left_out, [LeftOut { rule: "depth-over".into(), reason: Reason::Date }]);

    let speech = common::library().speech("child").expect("is known");
    assert_eq!((speech.ancestors, speech.speaks.paths), (vec!["parent".to_owned()], vec![PathForm::Pointer]));
    let says: Vec<_> = speech.says.iter().map(|says| (&*says.rule, says.paths.clone())).collect();
    assert_eq!(says, [("child/keyword-refused", vec![PathForm::JsonPath])]);
    assert!(common::library().speech("nobody").is_err());
}

#[test]
fn switches() {
    let open = |model: &str| {
        let bound = bind("parent", "2026-01-01", &[("model", model)]).expect("binds");
        let rule = bound.plan.rules.iter().find(|rule| &*rule.id == "parent/object-open");
        rule.map(|rule| rule.certainty)
    };
    assert_eq!(open("any"), Some(Certainty::Undecided));
    assert_eq!(open("small-1"), Some(Certainty::Certain));
    assert_eq!(open("small-7-mini"), Some(Certainty::Certain));
    assert_eq!(open("large-2"), None);
}

#[test]
fn wrong_selections() {
    let messages = |switches| {
        let errors = bind("parent", "2026-01-01", switches).expect_err("does not bind");
        errors.iter().map(ToString::to_string).collect::<Vec<_>>()
    };
    assert_eq!(messages(&[("modle", "small-1")]), ["parent has no switch `modle`; did you mean `model`?"]);
    assert_eq!(messages(&[("mode", "force")]), ["`force` is no value of the switch `mode`; did you mean `forced`?"]);
    let errors = bind("parnt", "2026-01-01", &[]).expect_err("does not exist");
    assert_eq!(errors[0].to_string(), "unknown profile `parnt`; did you mean `parent`?");
}

#[test]
fn a_child_inherits() {
    let bound = bind("child", "2026-01-01", &[]).expect("binds");
    assert_eq!(
        rules(&bound),
        [
            ("child/keyword-refused", "certain", "error"),
            ("child/object-open", "certain", "error"),
            ("child/depth-far-over", "certain", "error"),
        ]
    );
    let depth = &bound.plan.rules[2];
    assert!(matches!(depth.when.tests[..], [Test::Measure { above: 3, .. }]), "{:?}", depth.when);
    assert!(matches!(depth.rewrite[..], [Step::Do(Op::Refuse)]));
    assert_eq!(bound.lenient.as_deref(), Some("parent"));
    let wire = bound.wire.expect("inherited");
    assert_eq!((wire.schema.as_str(), wire.list(), wire.text), ("/parameters", None, false));
    assert_eq!(wire.constants, [("/type".to_owned(), "tool".into())]);
}

#[test]
fn facts_of_binding_and_profile() {
    let bound = bind("parent", "2026-01-01", &[]).expect("binds");
    let rule = &bound.plan.rules[0];
    let keys = rule.when.has.as_ref().expect("has");
    assert!(["not", "oneOf"].iter().all(|key| keys.has(schemalect_rules::engine::Kw::of(key), key)));
    let Step::Do(Op::Drop { note, .. }) = &rule.rewrite[0] else { panic!("{:?}", rule.rewrite) };
    assert!(note.has(schemalect_rules::engine::Kw::of("not"), "not"));
    assert_eq!(rule.level, Level::Error);
}

#[test]
fn nothing_is_wrong_with_the_base() {
    let errors = common::library().check_all();
    assert!(errors.is_empty(), "{}", errors.iter().map(ProfileError::render).collect::<String>());
}

#[test]
fn what_there_is_to_say() {
    let library = common::library();
    let child = library.profile("child").expect("exists");
    assert_eq!(child.extends.as_deref(), Some("parent"));
    assert_eq!(child.facts["limit"], 3);
    let homes: Vec<_> = child.bindings.iter().map(|b| (b.id.as_str(), b.home.as_str(), b.line)).collect();
    assert_eq!(homes, [("keyword-refused", "parent", 12), ("object-open", "child", 9), ("depth-far-over", "child", 12)]);
    assert_eq!(child.bindings[1].rewrite.as_deref(), Some("[ close ]"));
    let rule = library.rule_info("keyword-refused").expect("exists");
    assert_eq!(rule.when, "{ has: facts.keywords }");
    assert_eq!(rule.bad[0].facts["keywords"], serde_json::json!(["not"]));
    assert_eq!(rule.bad[0].tools[0].schema, Some(serde_json::json!({"not": {}})));
}

#[test]
fn a_rule_alone() {
    let library = common::library();
    for rule in library.rules() {
        for example in rule.bad.iter().chain(&rule.good) {
            let plan = library.compile_rule_alone(&rule.id, &example.facts).expect("compiles");
            assert_eq!(plan.rules.len(), 1);
        }
    }
    assert!(library.compile_rule_alone("depth-ovr", &Default::default()).is_err());
}

#[test]
fn a_circle_of_profiles_is_shown() {
    let profile = |name: &str, parent: &str| (name.to_owned(), format!("profile: {name}\ntitle: x\nextends: {parent}\n"));
    let errors = Library::new([], [profile("a", "b"), profile("b", "c"), profile("c", "b")]).expect_err("a circle");
    let messages: Vec<&str> = errors.iter().map(ProfileError::message).collect();
    assert!(messages.contains(&"`b` extends itself: b -> c -> b"), "{messages:?}");
}

#[test]
fn bindings_are_taken_from_other_profiles_as_well() {
    let binding = |rule: &str, level: &str| {
        format!("  - {{ rule: {rule}, stage: check, level: {level}, sources: [ {{ inferred: x, seen: 2025-01-01 }} ] }}\n")
    };
    let profile = |name: &str, text: &str| (name.to_owned(), format!("profile: {name}\ntitle: x\n{text}"));
    let rules_of = |text: &str, own: &[String]| format!("{text}rules:\n{}", own.concat());
    let files = [
        profile(
            "root",
            &rules_of("wire: { name: /n, description: /d, schema: /root }\nstages: [check]\n", &[binding("object-open", "style")]),
        ),
        profile("host", &rules_of("extends: root\nwire: { schema: /host }\n", &[binding("depth-over", "warning")])),
        profile(
            "closed",
            &rules_of(
                "extends: root\nwire: { schema: /closed }\nstages: [other, check]\nfacts: { limit: 2 }\n",
                &[binding("object-open", "error"), binding("depth-over", "error")],
            ),
        ),
        profile("strict", "extends: host\nalso: [closed]\n"),
    ];
    let mut library = common::library();
    for (path, text) in files {
        library.add_profile(path, text).expect("is read");
    }
    assert!(library.check("strict").is_empty(), "{:?}", library.check("strict"));
    let bound = library.bind("strict", &Selection::on("2026-01-01".parse().expect("a day"))).expect("binds");
    // What `extends` says goes before what `also` brings, and only the line of `extends` says how the surface is spoken to.
    assert_eq!(rules(&bound), [("strict/object-open", "certain", "error"), ("strict/depth-over", "certain", "warning")]);
    assert_eq!((bound.wire.map(|wire| wire.schema), bound.stages), (Some("/host".to_owned()), vec!["check".to_owned()]));
    let info = library.profile("strict").expect("exists");
    assert_eq!(info.bindings.iter().map(|b| b.home.as_str()).collect::<Vec<_>>(), ["closed", "host"]);
    assert_eq!((info.extends.as_deref(), info.also.as_slice()), (Some("host"), ["closed".to_owned()].as_slice()));
}

#[test]
fn profiles_build_on_each_other_up_to_a_depth() {
    let profile = |n: usize| {
        (format!("p{n}"), format!("profile: p{n}\ntitle: x\n{}", if n == 0 { String::new() } else { format!("also: [p{}]\n", n - 1) }))
    };
    assert!(Library::new([], (0..32).map(profile)).is_ok());
    let errors = Library::new([], (0..2_000).map(profile)).expect_err("too many");
    assert_eq!(errors[0].message(), "more than 32 profiles build on each other in a row");
}

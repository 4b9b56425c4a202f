//! Text.

use proptest::strategy::{BoxedStrategy, Strategy, ValueTree};
use proptest::string::string_regex;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use serde_json::Value;

use super::Generator;

const WORDS: [&str; 9] = ["a", "text", "two words", "größe", "日本語", "x\"y\\z", "line\nbreak", "", "🙂 ok"];

/// What makes text for a pattern; `None` where nothing can.
pub(super) struct Pattern(Option<(BoxedStrategy<String>, TestRunner)>);

impl Generator<'_> {
    pub(super) fn text(&mut self, parts: &[&Value]) -> String {
        let least = parts.iter().filter_map(|p| p["minLength"].as_u64()).max().unwrap_or(0).min(4_000) as usize;
        let most = parts.iter().filter_map(|p| p["maxLength"].as_u64()).min().unwrap_or(4_000) as usize;
        if let Some(pattern) = parts.iter().find_map(|p| p["pattern"].as_str()) {
            for _ in 0..4 {
                let Some(text) = self.matching(pattern) else { break };
                if (least..=most).contains(&text.chars().count()) {
                    return text;
                }
            }
        }
        if let Some(example) = parts.iter().find_map(|p| p["format"].as_str()).and_then(|f| self.formatted(f)) {
            return example.to_owned();
        }
        let mut text = self.rng.pick(&WORDS).copied().unwrap_or_default().to_owned();
        while text.chars().count() < least {
            text.push(if self.rng.chance(10) { 'é' } else { 'b' });
        }
        text.chars().take(most).collect()
    }

    /// Text that a pattern finds something in.
    pub(super) fn matching(&mut self, pattern: &str) -> Option<String> {
        if !self.patterns.contains_key(pattern) {
            let anchored = pattern.trim_start_matches('^');
            let anchored = anchored.strip_suffix('$').filter(|p| !p.ends_with('\\')).unwrap_or(anchored);
            // Classes that mean letters of all languages make text that other dialects refuse.
            let plain = anchored.replace("\\d", "[0-9]").replace("\\w", "[A-Za-z0-9_]").replace("\\s", " ");
            let plain = plain.replace("[[0-9]", "[0-9").replace("[[A-Za-z0-9_]", "[A-Za-z0-9_");
            let made = string_regex(&plain).ok().or_else(|| string_regex(anchored).ok()).map(|strategy| {
                let mut seed = [0u8; 32];
                seed[..8].copy_from_slice(&self.rng.number().to_le_bytes());
                let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &seed);
                (strategy.boxed(), TestRunner::new_with_rng(Config::default(), rng))
            });
            self.patterns.insert(pattern.to_owned(), Pattern(made));
        }
        let (strategy, runner) = self.patterns.get_mut(pattern)?.0.as_mut()?;
        strategy.new_tree(runner).ok().map(|tree| tree.current())
    }

    fn formatted(&mut self, format: &str) -> Option<&'static str> {
        let list: &[&'static str] = match format {
            "date-time" => &["2026-11-29T08:30:00Z", "1999-12-31T23:59:59.5+02:00"],
            "date" => &["2026-11-29", "2024-02-29"],
            "time" => &["08:30:00Z", "23:59:59+02:00"],
            "duration" => &["P3D", "PT1H30M"],
            "email" | "idn-email" => &["a@example.com", "first.last@example.org"],
            "hostname" | "idn-hostname" => &["example.com", "a-b.example"],
            "ipv4" => &["127.0.0.1", "10.0.255.1"],
            "ipv6" => &["::1", "2001:db8::ff00:42:8329"],
            "uri" | "url" | "iri" => &["https://example.com/a?b=c#d", "urn:isbn:0451450523"],
            "uri-reference" | "iri-reference" => &["/a/b", "https://example.com/"],
            "uri-template" => &["/items/{id}"],
            "uuid" => &["123e4567-e89b-12d3-a456-426614174000", "00000000-0000-4000-8000-000000000000"],
            "json-pointer" => &["/a/b", ""],
            "relative-json-pointer" => &["1/a"],
            "regex" => &["^a+$"],
            "byte" | "base64" => &["aGVsbG8="],
            _ => return None,
        };
        self.rng.pick(list).copied()
    }
}

//! Which features a regular expression uses, found by scanning; the expression is never run.

/// Features, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses(pub u32);

impl Uses {
    /// Every feature with its word in rule files.
    pub const WORDS: [(&'static str, Uses); 14] = [
        ("lookahead", Uses(1)),
        ("lookbehind", Uses(1 << 1)),
        ("backreference", Uses(1 << 2)),
        ("named-group", Uses(1 << 3)),
        ("unicode-property", Uses(1 << 4)),
        ("unicode-brace", Uses(1 << 5)),
        ("word-boundary", Uses(1 << 6)),
        ("absolute-anchor", Uses(1 << 7)),
        ("lazy", Uses(1 << 8)),
        ("possessive", Uses(1 << 9)),
        ("atomic", Uses(1 << 10)),
        ("inline-flags", Uses(1 << 11)),
        ("large-repeat", Uses(1 << 12)),
        ("syntax-error", Uses(1 << 13)),
    ];
}

//! Which features a regular expression uses, found by scanning; the expression is never run.
//!
//! The text is read as ECMA-262 reads it without the `v` flag. Where another dialect reads the same text
//! otherwise (`[a[b]]`, `[]a]`, `(?x)`), a syntax error is not reported: it is one of this reading only.

/// Features, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uses(pub u32);

impl Uses {
    /// `(?=` and `(?!`.
    pub const LOOKAHEAD: Uses = Uses(1);
    /// `(?<=` and `(?<!`.
    pub const LOOKBEHIND: Uses = Uses(1 << 1);
    /// `\1` to `\9`, `\k<n>`, `(?P=n)`.
    pub const BACKREFERENCE: Uses = Uses(1 << 2);
    /// `(?<n>`; not `(?P<n>`.
    pub const NAMED_GROUP: Uses = Uses(1 << 3);
    /// `\p{..}` and `\P{..}`.
    pub const UNICODE_PROPERTY: Uses = Uses(1 << 4);
    /// `\u{..}`.
    pub const UNICODE_BRACE: Uses = Uses(1 << 5);
    /// `\b` and `\B` outside of classes.
    pub const WORD_BOUNDARY: Uses = Uses(1 << 6);
    /// `\A`, `\z` and `\Z` outside of classes.
    pub const ABSOLUTE_ANCHOR: Uses = Uses(1 << 7);
    /// A quantifier with `?` behind it.
    pub const LAZY: Uses = Uses(1 << 8);
    /// A quantifier with `+` behind it.
    pub const POSSESSIVE: Uses = Uses(1 << 9);
    /// `(?>`.
    pub const ATOMIC: Uses = Uses(1 << 10);
    /// `(?i)` and `(?i:`.
    pub const INLINE_FLAGS: Uses = Uses(1 << 11);
    /// A counted repetition with a number above [`LARGE_REPEAT`].
    pub const LARGE_REPEAT: Uses = Uses(1 << 12);
    /// No regular expression at all.
    pub const SYNTAX_ERROR: Uses = Uses(1 << 13);

    /// Every feature with its word in rule files.
    pub const WORDS: [(&'static str, Uses); 14] = [
        ("lookahead", Uses::LOOKAHEAD),
        ("lookbehind", Uses::LOOKBEHIND),
        ("backreference", Uses::BACKREFERENCE),
        ("named-group", Uses::NAMED_GROUP),
        ("unicode-property", Uses::UNICODE_PROPERTY),
        ("unicode-brace", Uses::UNICODE_BRACE),
        ("word-boundary", Uses::WORD_BOUNDARY),
        ("absolute-anchor", Uses::ABSOLUTE_ANCHOR),
        ("lazy", Uses::LAZY),
        ("possessive", Uses::POSSESSIVE),
        ("atomic", Uses::ATOMIC),
        ("inline-flags", Uses::INLINE_FLAGS),
        ("large-repeat", Uses::LARGE_REPEAT),
        ("syntax-error", Uses::SYNTAX_ERROR),
    ];

    /// The feature of this word.
    #[must_use]
    pub fn of(word: &str) -> Option<Uses> {
        Self::WORDS.iter().find(|(w, _)| *w == word).map(|(_, u)| *u)
    }

    /// Whether all of the other set are used.
    #[must_use]
    pub const fn has(self, other: Uses) -> bool {
        self.0 & other.0 == other.0
    }

    /// Whether the sets share a feature.
    #[must_use]
    pub const fn meets(self, other: Uses) -> bool {
        self.0 & other.0 != 0
    }

    /// Adds the other set.
    pub fn insert(&mut self, other: Uses) {
        self.0 |= other.0;
    }
}

/// Repetition counts above this are large.
pub const LARGE_REPEAT: u64 = 1000;

/// The features that a pattern uses, in one pass over its text.
#[must_use]
pub fn scan(pattern: &str) -> Uses {
    Scanner { rest: pattern, uses: Uses::default(), before: Before::Nothing, groups: 0, doubtful: false }.run()
}

/// What a quantifier would apply to.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Nothing,
    Atom,
    Quantifier,
}

struct Scanner<'p> {
    rest: &'p str,
    uses: Uses,
    before: Before,
    groups: usize,
    /// Whether dialects disagree on where classes or comments end.
    doubtful: bool,
}

impl<'p> Scanner<'p> {
    fn run(mut self) -> Uses {
        while let Some(c) = self.next() {
            match c {
                '\\' => {
                    self.escape(false);
                    self.before = Before::Atom;
                }
                '[' => {
                    self.class();
                    self.before = Before::Atom;
                }
                '(' => self.open(),
                ')' => {
                    match self.groups.checked_sub(1) {
                        Some(groups) => self.groups = groups,
                        None => self.fail(),
                    }
                    self.before = Before::Atom;
                }
                '|' => self.before = Before::Nothing,
                '*' | '+' | '?' => self.quantifier(),
                '{' => match self.counts() {
                    Some((low, high)) => {
                        if high.is_some_and(|h| h < low) {
                            self.fail();
                        }
                        if low.max(high.unwrap_or(0)) > LARGE_REPEAT {
                            self.uses.insert(Uses::LARGE_REPEAT);
                        }
                        self.quantifier();
                    }
                    None => self.before = Before::Atom,
                },
                _ => self.before = Before::Atom,
            }
        }
        if self.groups > 0 {
            self.fail();
        }
        if self.doubtful {
            self.uses.0 &= !Uses::SYNTAX_ERROR.0;
        }
        self.uses
    }

    fn open(&mut self) {
        self.before = Before::Nothing;
        self.groups = self.groups.saturating_add(1);
        if !self.eat("?") || self.eat(":") {
            return;
        }
        if self.eat("=") || self.eat("!") {
            self.uses.insert(Uses::LOOKAHEAD);
        } else if self.eat("<=") || self.eat("<!") {
            self.uses.insert(Uses::LOOKBEHIND);
        } else if self.eat(">") {
            self.uses.insert(Uses::ATOMIC);
        } else if self.eat("<") {
            self.uses.insert(Uses::NAMED_GROUP);
            self.name('>');
        } else if self.eat("P<") {
            self.name('>');
        } else if self.eat("P=") {
            self.uses.insert(Uses::BACKREFERENCE);
            self.name(')');
            self.groups = self.groups.saturating_sub(1);
            self.before = Before::Atom;
        } else {
            self.flags();
        }
    }

    fn flags(&mut self) {
        let flags = self.eat_while(usize::MAX, |c| c.is_ascii_alphabetic() || c == '-');
        if !flags.contains(|c: char| c != '-') {
            self.fail();
            return;
        }
        self.doubtful |= flags.contains('x');
        if self.eat(")") {
            self.groups = self.groups.saturating_sub(1);
        } else if !self.eat(":") {
            self.fail();
            return;
        }
        self.uses.insert(Uses::INLINE_FLAGS);
    }

    fn name(&mut self, end: char) {
        let name = self.eat_while(usize::MAX, |c| c.is_alphanumeric() || "_$.[]".contains(c));
        if name.is_empty() || name.starts_with(|c: char| c.is_numeric()) || self.next_if(|c| c == end).is_none() {
            self.fail();
        }
    }

    /// The mark behind a quantifier, and whether it had something to repeat.
    fn quantifier(&mut self) {
        if self.before != Before::Atom {
            self.fail();
        }
        if self.eat("?") {
            self.uses.insert(Uses::LAZY);
        } else if self.eat("+") {
            self.uses.insert(Uses::POSSESSIVE);
        }
        self.before = Before::Quantifier;
    }

    /// `n}`, `n,}` or `n,m}`; what looks otherwise is literal text.
    fn counts(&mut self) -> Option<(u64, Option<u64>)> {
        let (low, rest) = number(self.rest)?;
        let (high, rest) = match rest.strip_prefix(',') {
            None => (None, rest),
            Some(rest) => number(rest).map_or((None, rest), |(high, rest)| (Some(high), rest)),
        };
        self.rest = rest.strip_prefix('}')?;
        Some((low, high))
    }

    fn class(&mut self) {
        self.eat("^");
        self.doubtful |= self.rest.starts_with(']');
        loop {
            if self.eat("]") {
                return;
            }
            let Some(low) = self.class_atom() else { break };
            if self.rest.starts_with("-]") || !self.eat("-") {
                continue;
            }
            let Some(high) = self.class_atom() else { break };
            if let (Some(low), Some(high)) = (low, high)
                && low > high
            {
                self.fail();
            }
        }
        self.fail();
    }

    /// One member of a class: its code if it surely has one, `None` at the end of the text.
    ///
    /// A bare `-` has none: other dialects read it as an operator where this one reads a range.
    fn class_atom(&mut self) -> Option<Option<u32>> {
        if self.eat("&&") || self.eat("~~") {
            return Some(None);
        }
        Some(match self.next()? {
            '\\' => self.escape(true),
            '-' => None,
            c => {
                self.doubtful |= c == '[';
                Some(u32::from(c))
            }
        })
    }

    /// What follows a backslash: the code of the character it stands for, where all dialects agree.
    fn escape(&mut self, in_class: bool) -> Option<u32> {
        let Some(c) = self.next() else {
            self.fail();
            return None;
        };
        match c {
            'b' | 'B' if !in_class => self.uses.insert(Uses::WORD_BOUNDARY),
            'A' | 'z' | 'Z' if !in_class => self.uses.insert(Uses::ABSOLUTE_ANCHOR),
            '1'..='9' if !in_class => {
                self.uses.insert(Uses::BACKREFERENCE);
                self.eat_while(usize::MAX, |c| c.is_ascii_digit());
            }
            'k' if !in_class && self.eat("<") => {
                self.uses.insert(Uses::BACKREFERENCE);
                self.name('>');
            }
            'p' | 'P' if self.braced(|c| c.is_ascii_alphanumeric() || "_=:!^ -&".contains(c)).is_some() => {
                self.uses.insert(Uses::UNICODE_PROPERTY);
            }
            'x' => return self.hex(2),
            'u' => {
                let before = self.rest;
                let code = self.hex(4);
                if before.starts_with('{') && self.rest.len() < before.len() {
                    self.uses.insert(Uses::UNICODE_BRACE);
                }
                return code;
            }
            'U' => return self.hex(8),
            '0'..='7' => {
                self.eat_while(2, |c| c.is_digit(8));
            }
            'c' => {
                self.next_if(|c| c.is_ascii_alphabetic());
            }
            't' => return Some(9),
            'n' => return Some(10),
            'v' => return Some(11),
            'f' => return Some(12),
            'r' => return Some(13),
            c if !c.is_alphanumeric() => return Some(u32::from(c)),
            _ => {}
        }
        None
    }

    /// So many hexadecimal digits, or any number of them in braces. Halves of a surrogate pair have no code.
    fn hex(&mut self, digits: usize) -> Option<u32> {
        let text = match self.braced(|c| c.is_ascii_hexdigit()) {
            Some(text) => text,
            None => {
                let found = self.rest.bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
                if found < digits {
                    return None;
                }
                self.take(digits)
            }
        };
        u32::from_str_radix(text, 16).ok().and_then(char::from_u32).map(u32::from)
    }

    /// The inside of `{..}` if it stands here and is made of such characters only.
    fn braced(&mut self, allowed: impl Fn(char) -> bool) -> Option<&'p str> {
        let inside = self.rest.strip_prefix('{')?;
        let end = inside.find(|c| !allowed(c))?;
        let (inside, rest) = inside.split_at(end);
        let rest = rest.strip_prefix('}')?;
        if end == 0 {
            return None;
        }
        self.rest = rest;
        Some(inside)
    }

    fn fail(&mut self) {
        self.uses.insert(Uses::SYNTAX_ERROR);
    }

    fn next(&mut self) -> Option<char> {
        self.next_if(|_| true)
    }

    fn next_if(&mut self, wanted: impl Fn(char) -> bool) -> Option<char> {
        let c = self.rest.chars().next().filter(|&c| wanted(c))?;
        self.take(c.len_utf8());
        Some(c)
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn eat_while(&mut self, most: usize, wanted: impl Fn(char) -> bool) -> &'p str {
        let end = self.rest.char_indices().take(most).take_while(|&(_, c)| wanted(c)).map(|(i, c)| i.saturating_add(c.len_utf8())).last();
        self.take(end.unwrap_or(0))
    }

    fn take(&mut self, bytes: usize) -> &'p str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        taken
    }
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let (digits, rest) = text.split_at(end);
    if digits.is_empty() { None } else { Some((digits.parse().unwrap_or(u64::MAX), rest)) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use regex::Regex;

    use super::*;

    fn check(pattern: &str, uses: &str) {
        let found: Vec<&str> = Uses::WORDS.iter().filter(|(_, u)| scan(pattern).has(*u)).map(|(w, _)| *w).collect();
        assert_eq!(found.join(" "), uses, "{pattern}");
    }

    #[test]
    fn features() {
        for (pattern, uses) in [
            ("", ""),
            (r"^[a-z_]\w*(\.\d+)?$", ""),
            ("^(?:a|b|)$", ""),
            ("a(?=b)", "lookahead"),
            ("(?!a)b", "lookahead"),
            ("(?<=a)b(?<!c)", "lookbehind"),
            (r"(a)\1", "backreference"),
            (r"(a)\12*", "backreference"),
            (r"(?<n>a)\k<n>", "backreference named-group"),
            ("(?P<n>a)", ""),
            ("(?P<n>a)(?P=n)+", "backreference"),
            (r"\k", ""),
            (r"\p{L}[\P{Script=Greek}]", "unicode-property"),
            (r"\p{", ""),
            (r"\pL", ""),
            (r"\u{1F600}+", "unicode-brace"),
            (r"\u{61}{2}", "unicode-brace"),
            (r"[\u{61}-\u{7a}]", "unicode-brace"),
            (r"\u0041\u{", ""),
            (r"\bword\B", "word-boundary"),
            (r"\Aa\z|\Z", "absolute-anchor"),
            ("a*?b+?c??d{2,3}?", "lazy"),
            ("a*+b++c?+d{2}+", "possessive"),
            ("(?>a)", "atomic"),
            ("(?i)a", "inline-flags"),
            ("(?i-s:a)+", "inline-flags"),
            ("a{1001}", "large-repeat"),
            ("a{0,1001}", "large-repeat"),
            ("a{99999999999999999999999,}", "large-repeat"),
            ("a{1000}b{1000,}", ""),
        ] {
            check(pattern, uses);
        }
    }

    #[test]
    fn escapes_and_classes_hide() {
        let patterns = r"\(?= [(?=] [(?<=a)] [^(] [\](?!] \\ [\\] \[(?:\]|a) [\b] [\1] [\A\z] [*+?{2,1}] [a*?] \{2,1\} \x{1001}
            [a-z&&[^x(]] a{ a{,2000} a{b} a{1 } ] x{}*";
        for pattern in patterns.split_whitespace() {
            check(pattern, "");
        }
    }

    #[test]
    fn syntax_errors() {
        let patterns = r"( ) a)( ((a) [ [a [^ [\] [a\ \ a\ * *a a|* (+) (?:?) ^a** a{2}{3} a{2}* a*?+ {2} a{2,1} [z-a] [\x62-a] [b-\u0061] [a-
            (? (?) (?#a) (?<>a) (?<1>a) (?P<n (?i";
        for pattern in patterns.split_whitespace() {
            assert!(scan(pattern).has(Uses::SYNTAX_ERROR), "{pattern}");
        }
        check("(?i)*", "inline-flags syntax-error");
        check("a{1001,1}", "large-repeat syntax-error");
    }

    #[test]
    fn no_syntax_errors() {
        let patterns = r"^* ()* [] [^] []a] [[] [^[(] [a-] [-a] [+--] [--!] [z--a] [a&&-!] [\w-a] [\a-\n] [\ud83d\ude00-\ud83d\ude4f]
            [\U0000000F-A] \c [\c] (?x)a# (|a) é+ \é* { {,2}";
        for pattern in patterns.split_whitespace() {
            assert!(!scan(pattern).has(Uses::SYNTAX_ERROR), "{pattern}");
        }
    }

    #[test]
    fn words_are_found_again() {
        for (word, uses) in Uses::WORDS {
            assert_eq!(Uses::of(word), Some(uses));
        }
        assert_eq!(Uses::of("greedy"), None);
        assert!(Uses(6).has(Uses::LOOKBEHIND) && !Uses(2).has(Uses(6)) && Uses(2).meets(Uses(6)));
    }

    const ATOMS: &str = r"a z A 0 é . ^ $ | ( ) (?: (?i: (?i) (?x) (?<n> (?P<m> [ [^ ] - && ~~ ! # , } \d \pL \p{L} \x41 \x{41} \u0041 \u{7A}
        \U00000041 \] \[ \( \\ \- \b \a \n \. [:alpha:] [a-z] [z- (?= (?> \1 [[:alpha:]-";
    // The `regex` crate lets a quantifier follow another, so none does here.
    const QUANTIFIERS: &str = "* + ? *? {2} {2,} {1,2} {2,1}";

    fn one_of(words: &'static str) -> impl Strategy<Value = &'static str> {
        prop::sample::select(words.split_whitespace().collect::<Vec<_>>())
    }

    proptest! {
        #[test]
        fn any_text_is_scanned(pattern in ".*", regexlike in r"[()\[\]\\{}?*+<>=!:^$|,0-9a-zP-]{0,40}") {
            prop_assert!(scan(&pattern).0 < 1 << 14 && scan(&regexlike).0 < 1 << 14);
        }

        #[test]
        fn what_compiles_is_no_error(
            parts in prop::collection::vec((one_of(ATOMS), prop_oneof![Just(""), one_of(QUANTIFIERS)]), 0..9),
        ) {
            let pattern: String = parts.iter().flat_map(|(a, q)| [*a, *q]).collect();
            if Regex::new(&pattern).is_ok() {
                prop_assert!(!scan(&pattern).has(Uses::SYNTAX_ERROR), "{pattern}");
            }
        }
    }
}

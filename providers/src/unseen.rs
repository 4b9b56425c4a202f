//! Characters of a text that a person does not see.

/// Characters that show nothing, or turn the direction of what follows, apart from control characters.
const UNSEEN: [(char, char); 12] = [
    ('\u{ad}', '\u{ad}'),
    ('\u{34f}', '\u{34f}'),
    ('\u{61c}', '\u{61c}'),
    ('\u{115f}', '\u{1160}'),
    ('\u{17b4}', '\u{17b5}'),
    ('\u{180b}', '\u{180f}'),
    ('\u{200b}', '\u{200f}'),
    ('\u{2028}', '\u{202e}'),
    ('\u{2060}', '\u{206f}'),
    ('\u{feff}', '\u{feff}'),
    ('\u{fff9}', '\u{fffb}'),
    ('\u{e0000}', '\u{e01ef}'),
];

/// Whether a character is a control, shows nothing, or turns the direction of text: what a terminal would obey or hide.
///
/// ```
/// assert!(schemalect::unseen('\u{202e}') && schemalect::unseen('\u{1b}'));
/// assert!(!schemalect::unseen('é') && !schemalect::unseen(' '));
/// ```
#[must_use]
pub fn unseen(c: char) -> bool {
    c.is_control() || UNSEEN.iter().any(|&(first, last)| (first..=last).contains(&c))
}

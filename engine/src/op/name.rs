//! Names and descriptions that a provider takes, mapped back by codecs.

use std::fmt::Write;

use super::merge::says;
use crate::codec::Codec;
use crate::doc::{Declined, Doc, Outcome, done};
use crate::effect::Effects;
use crate::keyword::{COMBINATORS, Kw, KwSet};
use crate::site::{self, subschemas};
use crate::tree::{Id, Kind};

/// Whether a character is in a class such as `a-zA-Z0-9_.-`.
#[must_use]
pub fn in_class(class: &str, c: char) -> bool {
    let chars: Vec<char> = class.chars().collect();
    let mut rest = &chars[..];
    loop {
        let (found, after) = match rest {
            [from, '-', to, after @ ..] => ((*from..=*to).contains(&c), after),
            [one, after @ ..] => (*one == c, after),
            [] => return false,
        };
        if found {
            return true;
        }
        rest = after;
    }
}

/// A name of allowed characters that says as much of the old one as it can.
///
/// Where another name could give the same form, a short hash of the whole name tells them apart, so the
/// result depends on this name alone and never on a list's order.
#[must_use]
pub fn plain_name(name: &str, allowed: &str, first: &str, max: usize) -> String {
    let mut out = String::new();
    let mut unsure = name.is_empty();
    for c in name.chars() {
        if in_class(allowed, c) {
            out.push(c);
        } else {
            // Separators are what people write between words; anything else needs the hash to be told apart.
            unsure |= !matches!(c, '/' | '.' | ' ' | ':' | '-');
            if !out.ends_with('_') {
                out.push('_');
            } else {
                unsure = true;
            }
        }
    }
    if !out.chars().next().is_some_and(|c| in_class(first, c)) {
        out.insert(0, if in_class(first, '_') { '_' } else { 'x' });
    }
    if out.chars().count() > max {
        unsure = true;
    }
    if !unsure {
        return out;
    }
    with_hash(&out, name, max)
}

/// The head of a name and the hash of the name that it stands for, at most `max` characters.
#[must_use]
pub fn with_hash(name: &str, original: &str, max: usize) -> String {
    let hash = short_hash(original);
    let head: String = name.chars().take(max.saturating_sub(hash.len().saturating_add(1))).collect();
    format!("{}_{hash}", head.trim_end_matches('_'))
}

/// Eight letters and digits of a 64-bit FNV-1a hash, mixed so that every byte moves every digit: stable on every platform and version.
#[must_use]
pub fn short_hash(text: &str) -> String {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text.bytes() {
        hash ^= u64::from(byte);
        hash = hash.wrapping_mul(0x0100_0000_01b3);
    }
    for multiplier in [0xff51_afd7_ed55_8ccd, 0xc4ce_b9fe_1a85_ec53] {
        hash = (hash ^ (hash >> 33)).wrapping_mul(multiplier);
    }
    hash ^= hash >> 33;
    let mut out = String::new();
    for shift in (0..40).step_by(5) {
        out.extend(char::from_digit(((hash >> shift) & 31) as u32, 32));
    }
    out
}

/// A name that is not this one, as near to it as the length allows.
fn beside(name: &str, max: usize) -> String {
    let head: String = name.chars().take(max.saturating_sub(1)).collect();
    format!("{head}_")
}

/// Keywords that look at names and are not told of another.
const NAMERS: KwSet = KwSet::of(&[Kw::PropertyNames, Kw::PatternProperties, Kw::If]);

impl Doc<'_, '_> {
    /// Renames a property whose name the provider does not take.
    pub(crate) fn rename_property(&mut self, node: Id, holder: Id, allowed: &str, max: usize, reserved: &[String]) -> Outcome {
        let old = self.tree.key(node).into_owned();
        let apart = self.in_place(holder).into_iter().any(|s| !self.is_same_object(s, holder) && self.keeps(s, holder, &old));
        let blind = if apart { Effects::WIDENS.with(Effects::NARROWS) } else { self.watched(holder, NAMERS, NAMERS) };
        let effect = self.permit(node, Effects::RECODES.with(blind))?;
        let map = self.tree.parent(node).ok_or(Declined)?;
        let mut wish = plain_name(&old, allowed, allowed, max);
        if reserved.contains(&wish) {
            wish = beside(&wish, max);
        }
        if wish == old {
            return Err(Declined);
        }
        let new = if self.tree.member(map, &wish).is_some() || reserved.contains(&wish) {
            let hash = short_hash(&old);
            let room = max.saturating_sub(hash.len().saturating_add(1));
            let head: String = wish.chars().take(room).collect();
            self.fresh_name(Some(map), &format!("{head}_{hash}"))
        } else {
            wish
        };
        self.tree.rename(node, &new);
        self.rename_uses(holder, &old, &new);
        let mut what = String::new();
        let _ = write!(what, "{old} to {new}");
        self.codecs.push(holder, Codec::Rename { from: new, to: old });
        done(effect, what)
    }

    /// Whether another schema of the object goes on naming a property as before: it requires what it does not declare, or its own properties are
    /// those of no root and keep their names.
    fn keeps(&self, schema: Id, holder: Id, name: &str) -> bool {
        let tree = &self.tree;
        let listed = || tree.get(schema, Kw::Required).is_some_and(|l| tree.children(l).any(|n| tree.str(n).as_deref() == Some(name)));
        match tree.get(schema, Kw::Properties).and_then(|p| tree.member(p, name)) {
            Some(property) => holder == tree.root() && says(tree, property),
            None => listed(),
        }
    }

    /// Whether a schema stands in another one and speaks of the same object, so that properties are renamed in both.
    fn is_same_object(&self, schema: Id, top: Id) -> bool {
        let mut at = schema;
        while at != top {
            match site::holder(&self.tree, at).filter(|(_, via)| SAME_OBJECT.has(*via)) {
                Some((up, _)) => at = up,
                None => return false,
            }
        }
        true
    }

    /// Gives a property its new name wherever schemas of the same object name it.
    fn rename_uses(&mut self, holder: Id, old: &str, new: &str) {
        let mut stack = vec![holder];
        while let Some(schema) = stack.pop() {
            let tree = &self.tree;
            let mut lists: Vec<Id> = [Kw::Required, Kw::PropertyOrdering].into_iter().filter_map(|kw| tree.get(schema, kw)).collect();
            let mut maps: Vec<Id> = [Kw::Default, Kw::Example].into_iter().filter_map(|kw| tree.get(schema, kw)).collect();
            maps.extend(tree.get(schema, Kw::Examples).into_iter().flat_map(|l| tree.children(l)));
            maps.extend(tree.get(schema, Kw::Properties).filter(|_| schema != holder));
            for kw in [Kw::DependentRequired, Kw::Dependencies, Kw::DependentSchemas] {
                let Some(map) = tree.get(schema, kw) else { continue };
                lists.extend(tree.children(map));
                maps.push(map);
            }
            let text = |n: &Id| tree.str(*n).as_deref() == Some(old);
            let names: Vec<Id> =
                lists.into_iter().filter(|&l| tree.kind(l) == Kind::Array).flat_map(|l| tree.children(l)).filter(text).collect();
            let keys: Vec<Id> = maps.into_iter().filter_map(|m| tree.member(m, old).filter(|_| tree.member(m, new).is_none())).collect();
            subschemas(tree, schema, |child, via| {
                if SAME_OBJECT.has(via) && tree.kind(child) == Kind::Object {
                    stack.push(child);
                }
            });
            for name in names {
                let text = self.tree.new_str(new);
                self.tree.replace(name, text);
            }
            for key in keys {
                self.tree.rename(key, new);
            }
        }
    }
}

/// Keywords whose schemas speak of the object that the schema around them speaks of.
const SAME_OBJECT: KwSet = COMBINATORS.with(KwSet::of(&[Kw::Not, Kw::If, Kw::Then, Kw::Else, Kw::DependentSchemas]));

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_readable_and_apart() {
        let plain = |name: &str| plain_name(name, "a-zA-Z0-9_-", "a-zA-Z_", 64);
        assert_eq!(plain("github/search_issues"), "github_search_issues");
        assert_eq!(plain("search"), "search");
        assert_eq!(plain("1tool"), "_1tool");
        let (a, b) = (plain("工具"), plain("道具"));
        assert_ne!(a, b);
        let (a, b) = (plain(&format!("{}1", "x".repeat(64))), plain(&format!("{}2", "x".repeat(64))));
        assert!(a != b && a.len() <= 64 && b.len() <= 64);
    }
}

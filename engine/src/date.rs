//! Days, and the intervals in which a rule is known to hold.

use std::fmt;
use std::str::FromStr;

/// A calendar day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Day {
    year: u16,
    month: u8,
    day: u8,
}

impl Day {
    /// The day, if the calendar has it.
    #[must_use]
    pub fn new(year: u16, month: u8, day: u8) -> Option<Day> {
        let leap = is_leap(year);
        let last = match month {
            1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
            4 | 6 | 9 | 11 => 30,
            2 if leap => 29,
            2 => 28,
            _ => return None,
        };
        (1..=last).contains(&day).then_some(Day { year, month, day })
    }

    /// The day that many days after 1970-01-01 (for a caller that has a clock; the engine has none).
    #[must_use]
    #[expect(clippy::arithmetic_side_effects, reason = "the days of no more than 10,000 years")]
    pub fn from_unix_days(days: u32) -> Day {
        const LAST: u32 = 2_932_896;
        let mut rest = days.min(LAST);
        let mut year = 1970;
        loop {
            let leap = is_leap(year);
            let length = if leap { 366 } else { 365 };
            if rest < length {
                break;
            }
            rest -= length;
            year += 1;
        }
        let mut month = 1;
        while Day::new(year, month, 1).is_some() {
            let length = (28..=31).rev().find(|&d| Day::new(year, month, d).is_some()).map_or(31, u32::from);
            if rest < length {
                break;
            }
            rest -= length;
            month += 1;
        }
        Day { year, month, day: u8::try_from(rest + 1).unwrap_or(1) }
    }
}

fn is_leap(year: u16) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

impl fmt::Display for Day {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.year, self.month, self.day)
    }
}

impl FromStr for Day {
    type Err = String;

    fn from_str(text: &str) -> Result<Day, String> {
        let fail = || format!("`{text}` is not a day; write YYYY-MM-DD");
        let mut parts = text.split('-');
        let mut part = |len: usize| -> Option<u16> {
            let p = parts.next()?;
            (p.len() == len && p.bytes().all(|b| b.is_ascii_digit())).then(|| p.parse().ok())?
        };
        let (y, m, d) = (part(4), part(2), part(2));
        let (Some(y), Some(m), Some(d), None) = (y, m, d, parts.next()) else { return Err(fail()) };
        Day::new(y, u8::try_from(m).unwrap_or(0), u8::try_from(d).unwrap_or(0)).ok_or_else(fail)
    }
}

/// When something changed: between `from` (last day known as before) and `to` (first day known as after).
/// A missing end is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Change {
    /// Last day on which the old state was seen.
    pub from: Option<Day>,
    /// First day on which the new state was seen.
    pub to: Option<Day>,
}

/// Whether something holds on a day.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// It does.
    Yes,
    /// It does not.
    No,
    /// The day lies where nothing is known.
    Undecided,
}

impl Change {
    /// Whether the change has happened by this day.
    #[must_use]
    pub fn happened(self, day: Day) -> Holds {
        let exact = self.from == self.to;
        if self.to.is_some_and(|to| day >= to) {
            Holds::Yes
        } else if exact || self.from.is_some_and(|from| day <= from) {
            Holds::No
        } else {
            Holds::Undecided
        }
    }
}

impl FromStr for Change {
    type Err = String;

    fn from_str(text: &str) -> Result<Change, String> {
        let end = |t: &str| if t.is_empty() { Ok(None) } else { t.parse().map(Some) };
        match text.split_once("..") {
            None => {
                let day = text.parse()?;
                Ok(Change { from: Some(day), to: Some(day) })
            }
            Some(("", "")) => Err("an interval needs at least one day".into()),
            Some((from, to)) => {
                let change = Change { from: end(from)?, to: end(to)? };
                match (change.from, change.to) {
                    (Some(a), Some(b)) if a >= b => Err(format!("{a} is not before {b}")),
                    _ => Ok(change),
                }
            }
        }
    }
}

/// Whether a rule that appeared with `since` and went with `until` holds on a day.
#[must_use]
pub fn holds(since: Option<Change>, until: Option<Change>, day: Day) -> Holds {
    let begun = since.map_or(Holds::Yes, |c| c.happened(day));
    let ended = until.map_or(Holds::No, |c| c.happened(day));
    match (begun, ended) {
        (Holds::No, _) | (_, Holds::Yes) => Holds::No,
        (Holds::Yes, Holds::No) => Holds::Yes,
        _ => Holds::Undecided,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days() {
        for (text, ok) in [("2024-02-29", true), ("2023-02-29", false), ("2025-4-01", false), ("2025-13-01", false), ("2025-01-01x", false)]
        {
            assert_eq!(text.parse::<Day>().is_ok(), ok, "{text}");
        }
        assert_eq!(Day::from_unix_days(0).to_string(), "1970-01-01");
        assert_eq!(Day::from_unix_days(19_782).to_string(), "2024-02-29");
        assert_eq!(Day::from_unix_days(20_786).to_string(), "2026-11-29");
        assert_eq!(Day::from_unix_days(u32::MAX).to_string(), "9999-12-31");
    }

    #[test]
    fn intervals() {
        let check = |since: &str, until: &str, day: &str| {
            let read = |t: &str| (!t.is_empty()).then(|| t.parse::<Change>().expect(t));
            holds(read(since), read(until), day.parse().expect(day))
        };
        assert_eq!(check("", "", "2025-01-01"), Holds::Yes);
        assert_eq!(check("2025-01-01", "", "2025-01-01"), Holds::Yes);
        assert_eq!(check("2025-01-01", "", "2024-12-31"), Holds::No);
        assert_eq!(check("", "2025-04-09..2025-08-15", "2025-04-09"), Holds::Yes);
        assert_eq!(check("", "2025-04-09..2025-08-15", "2025-06-01"), Holds::Undecided);
        assert_eq!(check("", "2025-04-09..2025-08-15", "2025-08-15"), Holds::No);
        assert_eq!(check("..2026-05-25", "", "2020-01-01"), Holds::Undecided);
        assert_eq!(check("..2026-05-25", "", "2026-05-25"), Holds::Yes);
        assert_eq!(check("", "2025-07-03..", "2025-07-03"), Holds::Yes);
        assert_eq!(check("", "2025-07-03..", "2026-07-03"), Holds::Undecided);
    }
}

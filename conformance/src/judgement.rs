//! What comes of holding a verdict against a profile.

use crate::judge::Found;

/// What a profile's prediction is worth for one verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Judgement {
    /// Refused as recorded: by the rule that the message speaks of, at the recorded place.
    Hit,
    /// Refused as recorded; no message says why.
    Caught,
    /// Refused as recorded, for another reason or at another place.
    WrongReason,
    /// Refused in truth, and nothing was found.
    Missing,
    /// Refused in truth, and what was found does not count for sure.
    RejectedUndecided,
    /// Taken as recorded.
    Silent,
    /// Taken in truth, and refused by the profile.
    Noisy,
    /// Taken in truth, and what was found does not count for sure.
    AcceptedUndecided,
    /// A keyword without force, and the profile knows it.
    Known,
    /// A keyword without force, and the profile does not say so, or refuses it.
    Unknown,
    /// A degraded answer, and the profile warns.
    Warned,
    /// A degraded answer, and the profile says nothing.
    DegradedSilent,
    /// Not to be judged.
    Unscored,
}

/// Whether the recorded place was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placing {
    /// Something that refuses stands there.
    Exact,
    /// What refuses stands elsewhere, or nothing refuses.
    Other,
    /// No place was recorded.
    Unknown,
}

/// A verdict that was judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The judgement.
    pub judgement: Judgement,
    /// What became of the recorded place.
    pub placing: Placing,
    /// What was found and what was expected, in a line.
    pub detail: String,
    /// The rules that explain the refusal, the profile's order.
    pub rules: Vec<String>,
    /// Everything that was found.
    pub findings: Vec<Found>,
}

impl Judged {
    pub(crate) fn unscored(why: &str) -> Judged {
        Judged {
            judgement: Judgement::Unscored,
            placing: Placing::Unknown,
            detail: why.to_owned(),
            rules: Vec::new(),
            findings: Vec::new(),
        }
    }

    /// Whether the prediction fell short.
    #[must_use]
    pub fn is_miss(&self) -> bool {
        self.judgement.is_miss() || self.placing == Placing::Other
    }
}

impl Judgement {
    /// The word used in files and output.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Judgement::Hit => "hit",
            Judgement::Caught => "caught",
            Judgement::WrongReason => "wrong_reason",
            Judgement::Missing => "missing",
            Judgement::RejectedUndecided | Judgement::AcceptedUndecided => "undecided",
            Judgement::Silent | Judgement::DegradedSilent => "silent",
            Judgement::Noisy => "noisy",
            Judgement::Known => "known",
            Judgement::Unknown => "unknown",
            Judgement::Warned => "warned",
            Judgement::Unscored => "unscored",
        }
    }

    /// Whether the prediction fell short.
    #[must_use]
    pub const fn is_miss(self) -> bool {
        !matches!(self, Judgement::Hit | Judgement::Caught | Judgement::Silent | Judgement::Known | Judgement::Warned | Judgement::Unscored)
    }
}

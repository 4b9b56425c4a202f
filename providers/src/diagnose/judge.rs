//! What one profile makes of one message: the rule, the tool and the place.

use std::cell::OnceCell;
use std::cmp::Reverse;
use std::collections::HashSet;
use std::fmt::Write;

use schemalect_engine::Finding;
use schemalect_engine::check::{check, check_request};
use schemalect_engine::finding::Subject;
use schemalect_engine::plan::{Plan, Rule, Site};
use schemalect_rules::{Bound, Speech};

use super::advice::advice;
use super::find::Spot;
use super::tools::{Given, Named};
use super::voice::{Hit, Message};
use super::{Blamed, Confidence, Match};

/// No more places than this are told for one message.
const MOST_PLACES: usize = 200;

/// A profile with the tools that it is asked about.
pub(super) struct Judge<'j> {
    pub(super) speech: &'j Speech,
    plan: &'j Plan,
    /// The bindings that do not hold on the day or for the switches.
    dormant: HashSet<String>,
    pub(super) tools: &'j [Given<'j>],
    findings: Vec<OnceCell<Vec<Finding>>>,
    request: OnceCell<Vec<(Option<usize>, Finding)>>,
}

/// What was made of a message.
pub(super) struct Answer {
    pub(super) rank: Rank,
    pub(super) matches: Vec<Match>,
}

/// How well a profile explains a message.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Rank {
    /// The message bears a sign of the surface.
    pub(super) sign: bool,
    confidence: usize,
    /// A rule fires where the message says, and it is in force.
    fires: bool,
    holds: bool,
    /// So much of the message is known.
    pub(super) length: usize,
}

impl<'j> Judge<'j> {
    pub(super) fn new(speech: &'j Speech, bound: &'j Bound, tools: &'j [Given<'j>]) -> Judge<'j> {
        let dormant = bound.left_out.iter().map(|left| format!("{}/{}", speech.profile, left.rule)).collect();
        let findings = tools.iter().map(|_| OnceCell::new()).collect();
        Judge { speech, plan: &bound.plan, dormant, tools, findings, request: OnceCell::new() }
    }

    /// What these hits, which speak of one thing, say.
    pub(super) fn judge(&self, hits: &[Hit], message: &Message) -> Answer {
        let (named, place_named) = self.named(hits, message);
        let mut spots = self.at_named_place(hits, message, &named);
        let exact = !spots.is_empty() && (matches!(named, Named::Index(_) | Named::Name(_)) || self.tools.len() == 1);
        let confidence = if exact { Confidence::Exact } else { Confidence::Recovered };
        if spots.is_empty() {
            spots = self.recovered(hits, &named, place_named);
        }
        if spots.is_empty() {
            return self.unplaced(hits, message, &named);
        }
        let matches = spots.iter().take(MOST_PLACES).map(|spot| self.matched(message, spot, confidence)).collect();
        Answer { rank: Rank::of(self, hits, confidence, &spots), matches }
    }

    /// The rule alone; the tool with it where the message names it by its name and it is there.
    fn unplaced(&self, hits: &[Hit], message: &Message, named: &Named) -> Answer {
        let order = |hit: &&Hit| {
            let level = self.rule(self.rule_of(hit)).map(|rule| rule.level);
            (level, self.is_in_force(hit), hit.end.saturating_sub(hit.start), Reverse(hit.says))
        };
        let Some(hit) = hits.iter().max_by_key(order) else { return Answer { rank: Rank::default(), matches: Vec::new() } };
        let site = self.rule(self.rule_of(hit)).map(|rule| rule.site);
        let subject = if site == Some(Site::Request) { Subject::Request } else { Subject::Schema };
        let (tool, pointed) = match named {
            Named::Name(tools) => (tools.first().copied().filter(|_| tools.len() == 1), None),
            Named::Index(tools) => (None, tools.first().copied()),
            Named::Nothing | Named::Unknown => (None, None),
        };
        let spot = Spot::bare(hit, tool, subject);
        let mut matched = self.matched(message, &spot, Confidence::MessageOnly);
        if let Some(tool) = pointed.and_then(|tool| self.blamed(tool)) {
            let name = tool.name.as_ref().map(|name| format!(" (`{name}`)")).unwrap_or_default();
            let _ = write!(matched.advice, " The message points at tool {}{name}, which shows nothing of the kind.", tool.index);
            let mut places = hits.iter().flat_map(|hit| self.places(tool.index, &self.paths(hit, message)));
            let has_place = places.any(|place| place.node.is_some());
            matched.pointed = Some(tool).filter(|_| has_place);
        }
        Answer { rank: Rank::of(self, hits, Confidence::MessageOnly, &[spot]), matches: vec![matched] }
    }

    fn matched(&self, message: &Message, spot: &Spot<'_>, confidence: Confidence) -> Match {
        let rule = self.rule_of(spot.hit);
        let tool = spot.tool.and_then(|tool| self.blamed(tool));
        Match {
            profile: self.speech.profile.clone(),
            rule: rule.to_owned(),
            advice: advice(&self.speech.profile, self.rule(rule), spot.finding, confidence, tool.is_some()),
            tool,
            pointed: None,
            subject: spot.subject,
            path: spot.path.clone(),
            confidence,
            said: message.text.get(spot.hit.start..spot.hit.end).unwrap_or_default().to_owned(),
        }
    }

    fn blamed(&self, index: usize) -> Option<Blamed> {
        let name = self.tools.get(index)?.name().map(str::to_owned);
        Some(Blamed { index, name })
    }

    /// The id of the rule that a hit speaks of.
    pub(super) fn rule_of(&self, hit: &Hit) -> &str {
        self.speech.says.get(hit.says).map_or("", |says| &*says.rule)
    }

    pub(super) fn rule(&self, id: &str) -> Option<&Rule> {
        self.plan.rules.iter().find(|rule| &*rule.id == id)
    }

    /// Whether the rule of a hit holds on the day and for the switches.
    pub(super) fn is_in_force(&self, hit: &Hit) -> bool {
        !self.dormant.contains(self.rule_of(hit))
    }

    /// The findings on one tool of the rule that a hit speaks of.
    pub(super) fn findings_of(&self, tool: usize, hit: &Hit) -> impl Iterator<Item = &Finding> {
        let given = self.tools.get(tool).zip(self.findings.get(tool));
        let all = given.map(|(tool, cell)| cell.get_or_init(|| check(self.plan, &tool.view())));
        let rule = self.speech.says.get(hit.says).map(|says| &says.rule);
        all.into_iter().flatten().filter(move |finding| Some(&finding.rule) == rule)
    }

    /// The findings on the list as a whole.
    pub(super) fn request_findings(&self) -> &[(Option<usize>, Finding)] {
        self.request.get_or_init(|| {
            let views: Vec<_> = self.tools.iter().map(Given::view).collect();
            check_request(self.plan, &views)
        })
    }
}

impl Rank {
    fn of(judge: &Judge<'_>, hits: &[Hit], confidence: Confidence, spots: &[Spot<'_>]) -> Rank {
        let confidence = match confidence {
            Confidence::Exact => 3,
            Confidence::Recovered => 2,
            Confidence::MessageOnly => 0,
        };
        Rank {
            sign: false,
            confidence,
            fires: spots.iter().any(|spot| spot.finding.is_some()),
            holds: spots.iter().any(|spot| judge.is_in_force(spot.hit)),
            length: hits.iter().map(|hit| hit.end.saturating_sub(hit.start)).max().unwrap_or(0),
        }
    }

    pub(super) fn weight(self) -> usize {
        self.confidence.saturating_mul(4).saturating_add(usize::from(self.fires).saturating_mul(2)).saturating_add(usize::from(self.holds))
    }
}

//! Tools as a provider takes them.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{Origin, Toolbox, listed};
use crate::adapt::{AdaptOptions, AdaptedList, Unfixable};
use crate::read::InputError;
use crate::restore::RestorePlans;
use crate::surface::Surface;

/// The tools of a toolbox for one surface.
#[derive(Debug)]
pub struct Rendered {
    adapted: AdaptedList,
    entries: Vec<Value>,
    pub(super) plans: RestorePlans,
}

/// Why tools cannot be rendered.
#[derive(Debug, thiserror::Error)]
pub enum RenderError {
    /// A tool cannot be made to fit, and the options make that an error.
    #[error(transparent)]
    Unfixable(#[from] Unfixable),
    /// The list is too large to be read.
    #[error(transparent)]
    Input(#[from] InputError),
    /// The surface's form makes no JSON of a tool.
    #[error("the form of {profile} makes no JSON: {error}")]
    Form {
        /// The profile.
        profile: String,
        /// Why.
        error: serde_json::Error,
    },
}

impl Rendered {
    /// What goes into the request's list of tools.
    #[must_use]
    pub fn entries(&self) -> &[Value] {
        &self.entries
    }

    /// What became of each tool, with those that are left out and why.
    #[must_use]
    pub fn adapted(&self) -> &AdaptedList {
        &self.adapted
    }

    /// What maps calls back.
    #[must_use]
    pub fn plans(&self) -> &RestorePlans {
        &self.plans
    }
}

impl Toolbox {
    /// The tools for a surface, in the form of its requests. Imported tools that are not portable go under its lenient sibling, if it has one.
    ///
    /// # Errors
    /// The list is too large to be read.
    pub fn render(&self, surface: &Surface) -> Result<Rendered, RenderError> {
        self.render_with(surface, &AdaptOptions { types: true, ..AdaptOptions::default() })
    }

    /// As [`Toolbox::render`], with options of one's own.
    ///
    /// # Errors
    /// The list is too large to be read, or a tool cannot be made to fit and the options make that an error.
    pub fn render_with(&self, surface: &Surface, options: &AdaptOptions) -> Result<Rendered, RenderError> {
        let narrowed = self.for_target(surface.name());
        let list = listed(narrowed.tools())?;
        let unstrict: BTreeMap<usize, _> = narrowed
            .tools
            .iter()
            .enumerate()
            .filter_map(|(index, held)| {
                let first = held.problems.first().filter(|_| held.spec.origin == Origin::Imported)?;
                Some((index, first.finding.clone()))
            })
            .collect();
        let adapted = surface.adapt(&list, &AdaptOptions { unstrict, ..options.clone() })?;
        let form = |error| RenderError::Form { profile: surface.name().to_owned(), error };
        let entries = adapted.wire(surface).iter().map(|entry| serde_json::from_str(entry)).collect::<Result<_, _>>().map_err(form)?;
        Ok(Rendered { plans: adapted.plans(), entries, adapted })
    }
}

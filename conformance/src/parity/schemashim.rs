//! Calls of schemashim, and what stands for them here.

use super::Adaptor;

/// Each call, with what answers it.
pub(super) const CALLS: &[(&str, Adaptor)] = &[];

//! What is required and absent, found in the errors of a validator.

use jsonschema::ValidationError;
use jsonschema::error::ValidationErrorKind as Kind;

/// Adds the pointers of what an error says is missing.
pub(super) fn collect(error: &ValidationError<'_>, out: &mut Vec<String>) {
    match error.kind() {
        Kind::Required { property } => {
            let name = property.as_str().unwrap_or_default().replace('~', "~0").replace('/', "~1");
            out.push(format!("{}/{name}", error.instance_path()));
        }
        Kind::AnyOf { context } | Kind::OneOfNotValid { context } => out.extend(in_all(context, error.instance_path().as_str())),
        _ => {}
    }
}

/// What is missing whichever branch was meant; branches for values of another kind were not.
fn in_all(branches: &[Vec<ValidationError<'static>>], place: &str) -> Vec<String> {
    let meant = |errors: &&Vec<ValidationError<'static>>| {
        !errors.iter().any(|e| match e.kind() {
            Kind::Type { .. } => e.instance_path().as_str() == place,
            Kind::Constant { .. } | Kind::Enum { .. } => true,
            _ => false,
        })
    };
    let mut all: Option<Vec<String>> = None;
    for branch in branches.iter().filter(meant) {
        let mut here = Vec::new();
        branch.iter().for_each(|e| collect(e, &mut here));
        match &mut all {
            Some(all) => all.retain(|path| here.contains(path)),
            None => all = Some(here),
        }
    }
    all.unwrap_or_default()
}

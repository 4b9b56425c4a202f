//! What can be called: its schema is that of the argument that it takes.

use schemars::JsonSchema;
use serde_json::Value;

use super::{DeclareError, SchemaOptions, schema_for_with};

/// Something that is called with arguments of one type. Functions and closures of one argument are; a type of one's own says how it is.
///
/// ```
/// use schemalect::schemars::{self, JsonSchema};
/// use schemalect::{Callable, SchemaOptions, schema_of};
///
/// /// Where to look.
/// #[derive(JsonSchema)]
/// struct Search {
///     query: String,
/// }
///
/// fn search(asked: Search) -> usize {
///     asked.query.len()
/// }
///
/// struct Index {
///     size: usize,
/// }
///
/// impl Callable for Index {
///     type Arguments = Search;
///     type Output = usize;
///
///     fn run(&self, asked: Search) -> usize {
///         asked.query.len() + self.size
///     }
/// }
///
/// let options = SchemaOptions::default();
/// let schema = schema_of(&search, &options)?;
/// assert_eq!(schema["required"], serde_json::json!(["query"]));
/// assert_eq!(schema_of(&Index { size: 5 }, &options)?, schema);
/// assert_eq!(schema_of(&|asked: Search| search(asked), &options)?, schema);
/// # Ok::<(), schemalect::DeclareError>(())
/// ```
///
/// `By` tells functions from types of one's own, and is never written. An argument has a type, and there is one: neither of these compiles.
///
/// ```compile_fail
/// # use schemalect::{SchemaOptions, schema_of};
/// schema_of(&|asked| (), &SchemaOptions::default()); // no type
/// ```
///
/// ```compile_fail
/// # use schemalect::{SchemaOptions, schema_of};
/// struct Socket; // a type without a schema: the compiler says `JsonSchema` is not implemented for `Socket`
/// schema_of(&|asked: Socket| (), &SchemaOptions::default());
/// ```
pub trait Callable<By = ()> {
    /// What it takes.
    type Arguments: JsonSchema;
    /// What it gives.
    type Output;

    /// Calls it.
    fn run(&self, arguments: Self::Arguments) -> Self::Output;
}

impl<F, A, R> Callable<fn(A) -> R> for F
where
    F: Fn(A) -> R + ?Sized,
    A: JsonSchema,
{
    type Arguments = A;
    type Output = R;

    fn run(&self, arguments: A) -> R {
        self(arguments)
    }
}

/// The schema of what something is called with, see [`schema_for_with`](super::schema_for_with).
///
/// # Errors
/// As of [`schema_for_with`](super::schema_for_with).
pub fn schema_of<By, C: Callable<By> + ?Sized>(_callable: &C, options: &SchemaOptions<'_>) -> Result<Value, DeclareError> {
    schema_for_with::<C::Arguments>(options)
}

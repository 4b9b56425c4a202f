//! The schema that a model is told, from the type that the code reads: one declaration, so that the two cannot drift apart.
//!
//! [`declare`] takes a schema as a generator wrote it through these steps, in this order: parameters that the caller injects are left out
//! ([`exclude`]), doc comments become descriptions ([`docs`]), titles go and keys and `required` are sorted ([`normal`]), the dialect adapts a
//! copy and forbids keywords ([`dialect`]), values of no type are refused ([`untyped`]), and the size is that of the bytes that are sent.

#[cfg(feature = "schemars")]
mod callable;
mod dialect;
mod docs;
mod error;
mod exclude;
mod normal;
mod profile;
mod untyped;
#[cfg(feature = "schemars")]
mod width;

use schemalect_engine::{Kw, Tree};
use serde_json::Value;

#[cfg(feature = "schemars")]
pub use callable::{Callable, schema_of};
pub use dialect::Dialect;
pub use error::{CapabilityError, DeclareError, SchemaGenerationError, Shortcoming};

/// The name of the dialect where none is given: JSON Schema as it is.
const PLAIN: &str = "json-schema";

/// Choices for [`declare`] and `schema_for_with`.
#[derive(Clone, Copy, Default)]
pub struct SchemaOptions<'o> {
    /// Properties of the root that are not the model's to choose. What only they referred to goes as well; a name that is no property is passed over.
    pub exclude: &'o [&'o str],
    /// The most bytes of compact JSON, in UTF-8 as it is sent. A larger schema is refused, never cut.
    pub max_bytes: Option<usize>,
    /// What the provider's schemas may say; JSON Schema where absent.
    pub dialect: Option<&'o dyn Dialect>,
}

/// The schema of a type, as a model is told it.
///
/// Doc comments become descriptions: of a type the first paragraph, of its fields what stands in a section `# Arguments` (or an `Args:`
/// block), where the field has no comment of its own. Titles are left out; keys and `required` are sorted, so that the same type gives the
/// same bytes. How wide a number is in Rust is left out, its bounds are not. A field that takes any value (`serde_json::Value`) must not be required.
///
/// ```
/// use schemalect::schemars::JsonSchema;
/// use schemalect::schema_for;
///
/// /// A stop on the way.
/// #[derive(JsonSchema)]
/// #[schemars(crate = "schemalect::schemars")]
/// #[allow(dead_code)]
/// struct Waypoint {
///     /// Where the traveller stops.
///     city: String,
///     nights: Option<u8>,
/// }
///
/// let schema = schema_for::<Waypoint>()?;
/// assert_eq!(schema["description"], "A stop on the way.");
/// assert_eq!(schema["properties"]["city"]["description"], "Where the traveller stops.");
/// assert_eq!(schema["required"], serde_json::json!(["city"]));
/// # Ok::<(), schemalect::DeclareError>(())
/// ```
///
/// # Errors
/// A required field takes any value, at any depth.
#[cfg(feature = "schemars")]
pub fn schema_for<T: schemars::JsonSchema + ?Sized>() -> Result<Value, DeclareError> {
    schema_for_with::<T>(&SchemaOptions::default())
}

/// As [`schema_for`], for a dialect, without the parameters that the caller injects, and within a size.
///
/// # Errors
/// A required field takes any value, the schema is too large, or the dialect cannot say what the type needs.
#[cfg(feature = "schemars")]
pub fn schema_for_with<T: schemars::JsonSchema + ?Sized>(options: &SchemaOptions<'_>) -> Result<Value, DeclareError> {
    let settings = schemars::generate::SchemaSettings::draft2020_12().with(|settings| settings.meta_schema = None);
    let mut schema = settings.into_generator().into_root_schema_for::<T>().to_value();
    width::forget(&mut schema);
    declare(&T::schema_name(), &schema, options)
}

/// A schema that some generator made of the type `name`, as a model is told it; see `schema_for`, which does this for Rust types.
///
/// # Errors
/// A required value has no type, the schema is too large, or the dialect cannot say what the type needs.
pub fn declare(name: &str, schema: &Value, options: &SchemaOptions<'_>) -> Result<Value, DeclareError> {
    let dialect = options.dialect.map_or(PLAIN, Dialect::name);
    let generation = |shortcoming| SchemaGenerationError { type_name: name.to_owned(), dialect: dialect.to_owned(), shortcoming };
    if !matches!(schema, Value::Object(_) | Value::Bool(_)) {
        return Err(generation(Shortcoming::NoSchema { what: error::noun(schema) }).into());
    }
    let mut schema = exclude::exclude(schema.clone(), options.exclude);
    docs::spread(&mut schema);
    let mut schema = normal::normal(schema);
    if let Some(dialect) = options.dialect {
        let told = |mut error: CapabilityError| {
            // A reference to the root has no other name than the type's.
            if error.keyword.as_deref() == Some(Kw::Ref.name()) {
                error.definition.get_or_insert_with(|| name.into());
            }
            let place = dialect.place(&error.path).into();
            CapabilityError { type_name: name.into(), place, ..error }
        };
        schema = normal::normal(dialect.adapt(schema).map_err(told)?);
        dialect::hold(dialect, &schema).map_err(told)?;
    }
    let tree = Tree::from_value(&schema);
    let place = |path: &str| options.dialect.map_or_else(|| path.to_owned(), |dialect| dialect.place(path));
    if let Some(found) = untyped::first(&tree) {
        return Err(generation(Shortcoming::Untyped {
            place: place(&found.path).into(),
            field: found.field.into(),
            path: found.path.into(),
        })
        .into());
    }
    let bytes = schema.to_string().len();
    match options.max_bytes {
        Some(most) if bytes > most => Err(generation(Shortcoming::TooLarge { bytes, most }).into()),
        _ => Ok(schema),
    }
}

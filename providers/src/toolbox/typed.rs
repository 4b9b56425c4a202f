//! Tools made of Rust functions: the type of the arguments gives the schema, and what a call brings is that type.

use schemars::JsonSchema;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::error::Error;
use std::sync::Arc;

use super::spec::Ran;
use super::{ToolSpec, ToolboxError};
use crate::{Callable, SchemaOptions, schema_for, schema_of};

impl ToolSpec {
    /// A tool made of a function, or of any [`Callable`]: its schema is that of the argument, see [`schema_for`]; what is returned gives the schema of results.
    ///
    /// ```
    /// use schemalect::schemars::{self, JsonSchema};
    /// use schemalect::toolbox::{ToolSpec, Toolbox};
    /// use serde::Deserialize;
    /// use serde_json::json;
    ///
    /// /// What to look for.
    /// #[derive(Deserialize, JsonSchema)]
    /// struct Search {
    ///     query: String,
    ///     #[serde(default = "eight")]
    ///     top_k: u32,
    /// }
    ///
    /// fn eight() -> u32 {
    ///     8
    /// }
    ///
    /// let search = |search: Search| Ok::<_, std::fmt::Error>(format!("{} of {}", search.top_k, search.query));
    /// let mut toolbox = Toolbox::new()?;
    /// toolbox.add(ToolSpec::typed("search", "Searches.", search)?)?;
    ///
    /// let prepared = toolbox.prepare_own("search", json!({"query": "returns", "top_k": null}))?;
    /// assert_eq!(prepared.run()?, json!("8 of returns"));
    /// assert!(toolbox.prepare_own("search", json!({"query": null})).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The argument's type has no schema that can be told; a result without one has none, which is no error.
    pub fn typed<By, C, R, E>(name: impl Into<String>, description: impl Into<String>, callable: C) -> Result<ToolSpec, ToolboxError>
    where
        C: Callable<By, Arguments: DeserializeOwned, Output = Result<R, E>> + Send + Sync + 'static,
        R: Serialize + JsonSchema,
        E: Error + Send + Sync + 'static,
    {
        let results = result_schema::<R>();
        let typed = ToolSpec::typed_as(name, description, callable, |result| serde_json::to_value(result))?;
        Ok(typed.with_result_schema(results))
    }

    /// As [`ToolSpec::typed`], where what is returned is written in another way; such results have no schema.
    ///
    /// # Errors
    /// The argument's type has no schema that can be told.
    pub fn typed_as<By, C, R, E, W>(
        name: impl Into<String>,
        description: impl Into<String>,
        callable: C,
        write: impl Fn(R) -> Result<Value, W> + Send + Sync + 'static,
    ) -> Result<ToolSpec, ToolboxError>
    where
        C: Callable<By, Arguments: DeserializeOwned, Output = Result<R, E>> + Send + Sync + 'static,
        E: Error + Send + Sync + 'static,
        W: Error + Send + Sync + 'static,
    {
        let schema = schema_of(&callable, &SchemaOptions::default())?;
        let handler = move |arguments: Value| {
            let arguments = C::Arguments::deserialize(arguments).map_err(|error| Ran::Arguments(error.to_string()))?;
            let result = callable.run(arguments).map_err(|error| Ran::Failed(Box::new(error)))?;
            write(result).map_err(|error| Ran::Failed(Box::new(error)))
        };
        let spec = ToolSpec::own(name, description, schema);
        Ok(ToolSpec { handler: Some(Arc::new(handler)), ..spec })
    }
}

/// The schema of results, where there is something to say: nothing of `()`, nor of a type that cannot be told.
fn result_schema<R: JsonSchema>() -> Option<Value> {
    schema_for::<R>().ok().filter(|schema| schema.get("type") != Some(&Value::from("null")))
}

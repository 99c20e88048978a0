//! Quickset learns **one decision tree a person can read**.
//!
//! The principal types, in the order in which they are met:
//!
//! - [`Dataset`]: immutable columns and a class, from [`io::read`] or built by hand;
//! - [`Recipe`]: how a tree is learnt, as plain data; the named learners are presets such as [`Recipe::c45`];
//! - [`Learner`]: a recipe that was checked, the only thing that fits;
//! - [`Model`]: the tree with what it expects of data; it predicts, and is a safe file;
//! - [`Budget`], [`Signal`] and [`search::Run`]: how long a run may take, and who ends it;
//! - [`eval`] judges models and compares learners; [`export`] prints trees, rules and explanations;
//! - [`cost`] says beforehand what a run will take.
//!
//! ```
//! use quickset::io::{ReadOptions, read};
//! use quickset::{Learner, Recipe, export};
//!
//! let data = read("builtin:weather", &ReadOptions::default())?;
//! let mut recipe = Recipe::c45();
//! recipe.set("leaf", "laplace")?;
//! let model = Learner::new(recipe)?.fit(&data)?;
//! assert_eq!(model.tree().leaves(), 5);
//!
//! let labels = model.predict(&data)?;
//! assert_eq!(model.schema().classes[usize::from(labels[0])], "no");
//! let probabilities = model.predict_proba(&data)?;
//! assert!((probabilities.row(0).iter().sum::<f64>() - 1.0).abs() < 1e-12);
//!
//! for rule in export::rules(&model)? {
//!     assert!(rule.confidence >= 0.5);
//! }
//! # Ok::<(), quickset::Error>(())
//! ```
//!
//! With time to spare a search finds a better tree, and can be ended at any moment:
//!
//! ```
//! use std::time::Instant;
//!
//! use quickset::io::{ReadOptions, read};
//! use quickset::search::Run;
//! use quickset::{Budget, Learner, Recipe};
//!
//! let data = read("builtin:monks-1", &ReadOptions::default())?;
//! let budget: Budget = "500ms".parse()?;
//! let signal = budget.signal(Instant::now());
//! let trained = Learner::new(Recipe::iidt())?.train_with(&data, &Run::until(&signal))?;
//! assert!(trained.model.tree().leaves() <= 27);
//!
//! // The recipe of the model says how far the search came, and leads there again without a clock.
//! let again = Learner::new(trained.model.recipe().clone())?.fit(&data)?;
//! assert_eq!(again.tree(), trained.model.tree());
//! # Ok::<(), quickset::Error>(())
//! ```
//!
//! The same data, recipe and seed give the same model, bit for bit, on any number of threads. The library never prints:
//! remarks for the user are in [`Dataset::notes`] and [`learner::Trained::notes`]. Arrow and Parquet files need the
//! feature `parquet`.

pub mod cost;
pub mod data;
mod deep;
mod density;
pub mod error;
pub mod eval;
pub mod export;
mod grow;
pub mod io;
mod leaf;
pub mod learner;
pub mod measure;
pub mod model;
mod prune;
pub mod recipe;
pub mod search;
mod signal;
pub mod split;

pub use data::{Column, Dataset};
pub use error::{Error, ErrorKind, Result};
pub use learner::Learner;
pub use model::Model;
pub use recipe::Recipe;
pub use search::{Budget, Progress};
pub use signal::Signal;

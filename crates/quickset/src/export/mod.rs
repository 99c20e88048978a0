//! A model, or a comparison of learners, in forms that people and other programs read.

mod change;
mod comparison;
mod dot;
mod explain;
mod html;
mod json;
pub mod page;
pub mod plot;
mod rules;
mod text;
mod walk;
mod words;

pub use change::Change;
pub use comparison::comparison_text;
pub use dot::dot;
pub use explain::{ClassWeight, Evidence, Explanation, Share, Step, explain};
pub use html::html;
pub use json::json;
pub use rules::{Condition, Rule, rules, rules_text};
pub use text::{text, text_with_depth};

//! What must hold for any data: short cuts change the speed and nothing else.
//!
//! - `same_tree`: threads, storage, histograms, weights against repeated rows, cheap surgery against plain.
//! - `bayes`: naive Bayes on odd numbers; sparse or dense, weighted or repeated.
//! - `sound`: any model predicts finite probabilities that sum to one, and survives its file.

#![allow(missing_docs)]

mod bayes;
mod random;
mod same_tree;
mod sound;

//! What must hold for any data: short cuts change the speed and nothing else.
//!
//! - `same_tree`: threads, storage, histograms, weights against repeated rows, surgery on whole rows or on fractions.
//! - `bayes`: naive Bayes on odd numbers; sparse or dense, weighted or repeated.
//! - `baselines`: 1R and T2 against counting by hand.
//! - `fixed`: cuts made once, and one level against the rest, under every learner and missing mode.
//! - `promise`: what a test of words must promise, and keep, from its definition.
//! - `recount`: tables that nodes count again make each a root.
//! - `sound`: any model predicts finite probabilities that sum to one, and survives its file.

#![allow(missing_docs)]

mod baselines;
mod bayes;
mod fixed;
mod promise;
mod random;
mod recount;
mod same_tree;
mod sound;

//! Exactness against Weka's J48 and NaiveBayes, on the data and the results in `../shared` beside the repository.
//!
//! - `exactness`: the same leaves, size and training errors on every UCI set for three settings, and the same number
//!   of correct predictions in every fold. `QUICKSET_FULL=1` (`make test-full`) checks the folds of all sets, else
//!   those of ten.
//! - `bayes`: the same for naive Bayes with normal densities and with kernels: training errors, and every fold.
//! - `nbtree`: accuracies in the mean, and the training errors of single leaves.
//! - `baselines`: rules of 1R.
//! - `trees`: the printed trees, line by line.
//! - `folds`: the folds Weka makes.
//! - `sets`: what the readers find in every file.
//! - `text`: the sparse sets.
//!
//! Without `../shared` each test says that it was skipped; with `CI=true` its absence is a failure.

#![allow(missing_docs, clippy::print_stderr)]

mod baselines;
mod bayes;
mod exactness;
mod folds;
mod nbtree;
mod sets;
mod shared;
#[path = "../support/skip.rs"]
mod skip;
mod text;
mod trees;

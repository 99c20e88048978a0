//! The command as a user calls it: one binary of tests, nothing shared with the code but the program itself.
//!
//! - `folder`     a folder of its own for each test, its files, and calls made in it
//! - `anytime`    budgets, interrupts, checkpoints, progress, limits on the tree
//! - `train`      learning: the printed tree, the figures, the JSON line, the model file
//! - `estimate`   what training would take; constants of the machine kept in the cache folder
//! - `predict`    predictions as CSV: probabilities, quoting, unlabelled data, columns in another order
//! - `show`       the tree as text, dot, json and rules
//! - `explain`    why a row got its class
//! - `evaluate`   figures and the confusion matrix
//! - `compare`    cross-validation of several learners
//! - `resume`     a comparison that is killed and goes on
//! - `page`       the page of a comparison in a browser
//! - `study`      papers' tables beside ours
//! - `learners`   the list of learners
//! - `baselines`  majority, 1R and T2, branches of missing values, intervals
//! - `lookahead`  LSID3 and its relatives
//! - `cuts`       cuts made once, one level against the rest
//! - `measures`   the scores of Martin and Hirschberg's study, and stopping by them
//! - `naive_tree` the default learner on data that are hard on its tables
//! - `data`       info, convert, generate, list
//! - `usage`      help texts, wrong arguments, exit code 2
//! - `streams`    what goes to standard output, what to standard error; quiet; pipes
//! - `bad_input`  every bad file gets a sentence and exit code 1, and nothing is left behind

#![allow(clippy::print_stderr)]

// Shared with the library's tests, which use the rest of it.
#[allow(dead_code)]
#[path = "../../../quickset/tests/support/browser.rs"]
mod browser;
mod folder;
#[path = "../../../quickset/tests/support/skip.rs"]
mod skip;

mod anytime;
mod bad_input;
mod baselines;
mod bayes;
mod compare;
mod cuts;
mod data;
mod estimate;
mod evaluate;
mod explain;
mod learners;
mod lookahead;
mod measures;
mod naive_tree;
mod nbtree;
mod page;
mod predict;
mod resume;
mod show;
mod snbtree;
mod streams;
mod study;
mod train;
mod usage;

//! Surgery against its slow twins.
//!
//! - `plain`: the twins, which route all rows of a node again whenever its largest branch is looked at.
//! - `chains`: trees that are nothing but depth.
//! - `same_tree`: the tree is the same as by plain re-routing, bit for bit, on random data; in parts as in one piece.
//! - `cost`: how many rows are sent through tests, on chains of growing depth; a very deep one.

mod chains;
mod cost;
mod plain;
mod same_tree;

//! Built-in data sets, each generated from its definition.

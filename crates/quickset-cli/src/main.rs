//! The quickset command.
fn main() {}

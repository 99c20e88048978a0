//! Recursion on trees of any depth: data can make a tree as deep as it has rows, and the stack is not.

/// Runs a step of a recursion, on a new piece of stack where the old one is nearly used up.
pub(crate) fn deep<T>(step: impl FnOnce() -> T) -> T {
    const SPARE: usize = 128 << 10;
    const PIECE: usize = 8 << 20;
    stacker::maybe_grow(SPARE, PIECE, step)
}

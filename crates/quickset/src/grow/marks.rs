//! The branch of every row while a node is divided: a byte where that is enough, since millions of rows have one.

use super::scratch::Scratch;
use crate::data::MISSING;

/// The branch of a row.
pub(super) trait Mark: Copy + PartialEq + Default + Send + Sync {
    /// For a row without a branch of its own: it goes down all of them in fractions.
    const NONE: Self;
    fn new(branch: u32) -> Self;
    fn branch(self) -> usize;
    /// Marks of the rows of the dataset.
    fn buffer(scratch: &mut Scratch) -> &mut Vec<Self>;
}

/// The most branches that bytes tell apart.
pub(super) const FEW: usize = u8::MAX as usize;

impl Mark for u8 {
    const NONE: u8 = u8::MAX;
    #[inline(always)]
    fn new(branch: u32) -> Self {
        // The word for a missing value becomes the byte for it.
        branch as u8
    }
    #[inline(always)]
    fn branch(self) -> usize {
        usize::from(self)
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<Self> {
        &mut scratch.few_branches
    }
}

impl Mark for u32 {
    const NONE: u32 = MISSING;
    #[inline(always)]
    fn new(branch: u32) -> Self {
        branch
    }
    #[inline(always)]
    fn branch(self) -> usize {
        self as usize
    }
    fn buffer(scratch: &mut Scratch) -> &mut Vec<Self> {
        &mut scratch.many_branches
    }
}

//! Rows in ascending order of a value, four bytes each.

/// A row of a list that ascends by value. The top bit says that its value equals that of the item before it in the list:
/// all that a search for cuts has to know of the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Item(u32);

/// The top bit.
const SAME: u32 = 1 << 31;

impl Item {
    /// Datasets have fewer rows than would reach the top bit.
    #[inline(always)]
    pub fn new(row: u32, is_same: bool) -> Self {
        Item(if is_same { row | SAME } else { row })
    }

    #[inline(always)]
    pub fn row(self) -> u32 {
        self.0 & !SAME
    }

    /// Whether its value is that of the item before it. The first of a list is never the same.
    #[inline(always)]
    pub fn is_same(self) -> bool {
        self.0 & SAME != 0
    }
}

/// Marks the items of a list anew as they go to its parts: where items between two of one part go elsewhere, the second
/// may have another value, though it equals the item that was before it.
pub(crate) struct Parts<L> {
    /// How many different values were seen.
    values: u32,
    /// Which of them the last item of each part had, from 1 on; 0 where a part has none yet.
    last: L,
}

impl<L: AsMut<[u32]>> Parts<L> {
    /// Of empty parts, for each of which `last` holds a zero.
    pub fn new(last: L) -> Self {
        Parts { values: 0, last }
    }

    /// Takes note of the next item of the list.
    #[inline(always)]
    pub fn see(&mut self, item: Item) {
        self.values += u32::from(!item.is_same());
    }

    /// The item that was seen last, as it is in a part.
    #[inline(always)]
    pub fn put(&mut self, item: Item, part: usize) -> Item {
        let last = std::mem::replace(&mut self.last.as_mut()[part], self.values);
        // Of all differences only none at all, less one, has the top bit: cheaper than to compare and shift.
        Item(item.row() | (last ^ self.values).wrapping_sub(1) & SAME)
    }
}

/// The part of a list that holds some of its rows.
pub(crate) fn part(items: &[Item], holds: impl Fn(u32) -> bool) -> impl Iterator<Item = Item> {
    let mut parts = Parts::new([0]);
    items.iter().filter_map(move |&item| {
        parts.see(item);
        holds(item.row()).then(|| parts.put(item, 0))
    })
}

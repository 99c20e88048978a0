//! Levels in order of first appearance, found by their text.

use crate::data::MISSING;

/// Each distinct text once, numbered as it came. Unlike a hash map from text to number it keeps the text only once,
/// which counts for a column of ten million identifiers.
#[derive(Clone, Debug, Default)]
pub(super) struct Dictionary {
    levels: Vec<String>,
    /// Open addressing, at most half full: the upper half of the hash, and the level's number; [`FREE`] is empty.
    slots: Vec<(u32, u32)>,
}

const FREE: (u32, u32) = (0, MISSING);

impl Dictionary {
    /// The number of `text`, if it is known.
    pub fn get(&self, text: &str) -> Option<u32> {
        if self.slots.is_empty() {
            return None;
        }
        let code = self.slots[self.slot(hash(text), text)].1;
        (code != MISSING).then_some(code)
    }

    /// The number of `text`, a new one if it is not known.
    pub fn code(&mut self, text: &str) -> u32 {
        self.code_with(text, str::to_string)
    }

    /// As [`Dictionary::code`], without copying the text.
    pub fn code_owned(&mut self, text: String) -> u32 {
        self.code_with(text, |text| text)
    }

    fn code_with<T: AsRef<str>>(&mut self, text: T, own: impl FnOnce(T) -> String) -> u32 {
        if self.levels.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let hash = hash(text.as_ref());
        let slot = self.slot(hash, text.as_ref());
        if self.slots[slot].1 == MISSING {
            self.slots[slot] = (tag(hash), self.levels.len() as u32);
            self.levels.push(own(text));
        }
        self.slots[slot].1
    }

    /// Where `text` is, or where it belongs.
    fn slot(&self, hash: u64, text: &str) -> usize {
        let mask = self.slots.len() - 1;
        let mut slot = hash as usize & mask;
        loop {
            let (found, code) = self.slots[slot];
            if code == MISSING || found == tag(hash) && self.levels[code as usize] == text {
                return slot;
            }
            slot = (slot + 1) & mask;
        }
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(16);
        self.slots = vec![FREE; size];
        for (code, level) in self.levels.iter().enumerate() {
            let hash = hash(level);
            let mut slot = hash as usize & (size - 1);
            while self.slots[slot].1 != MISSING {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = (tag(hash), code as u32);
        }
    }

    /// The levels known so far, by their number.
    pub fn levels(&self) -> &[String] {
        &self.levels
    }

    /// Takes the levels out.
    pub fn into_levels(self) -> Vec<String> {
        self.levels
    }

    /// Takes the levels out and forgets them, keeping the room.
    pub fn drain(&mut self) -> std::vec::Drain<'_, String> {
        self.slots.fill(FREE);
        self.levels.drain(..)
    }
}

fn tag(hash: u64) -> u32 {
    (hash >> 32) as u32
}

/// Eight bytes at a time: the two halves of a product, folded. Results never depend on it, only the time they take.
fn hash(text: &str) -> u64 {
    let fold = |a: u64, b: u64| {
        let product = u128::from(a) * u128::from(b);
        (product >> 64) as u64 ^ product as u64
    };
    let mut state = 0x9E37_79B9_7F4A_7C15 ^ text.len() as u64;
    let (words, rest) = text.as_bytes().as_chunks::<8>();
    for &word in words {
        state = fold(state ^ u64::from_le_bytes(word), 0xD6E8_FEB8_6659_FD93);
    }
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    fold(fold(state ^ u64::from_le_bytes(last), 0xD6E8_FEB8_6659_FD93), 0xA076_1D64_78BD_642F)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_numbered_as_they_come() {
        let mut dictionary = Dictionary::default();
        assert_eq!(dictionary.get("a"), None);
        let codes: Vec<u32> = ["b", "a", "", "b", "ä", "a"].iter().map(|text| dictionary.code(text)).collect();
        assert_eq!(codes, [0, 1, 2, 0, 3, 1]);
        assert_eq!(dictionary.get("ä"), Some(3));
        assert_eq!(dictionary.levels(), ["b", "a", "", "ä"]);
    }

    #[test]
    fn many_texts_keep_their_numbers() {
        let mut dictionary = Dictionary::default();
        for i in 0..10_000u32 {
            assert_eq!(dictionary.code_owned(format!("level {i}")), i);
        }
        for i in 0..10_000u32 {
            assert_eq!(dictionary.get(&format!("level {i}")), Some(i));
        }
        assert_eq!(dictionary.drain().len(), 10_000);
        assert_eq!(dictionary.get("level 7"), None);
        assert_eq!(dictionary.code("level 7"), 0);
    }
}

//! The file as blocks of whole records.

use std::io::{self, Read};

use super::field::last_record_end;

/// A record longer than this is a quote that is never closed, long before it fills the memory.
const LONGEST_RECORD: usize = 1 << 28;

/// Cuts what a reader gives into blocks that end where a record ends.
pub(super) struct Blocks {
    reader: Box<dyn Read + Send>,
    delimiter: u8,
    size: usize,
    /// The beginning of the next block: bytes read behind the last record's end.
    rest: Vec<u8>,
    /// How many blocks were given out.
    count: usize,
    exhausted: bool,
}

impl Blocks {
    /// Blocks of about `size` bytes.
    pub fn new(reader: Box<dyn Read + Send>, delimiter: u8, size: usize) -> Self {
        Blocks { reader, delimiter, size, rest: Vec::new(), count: 0, exhausted: false }
    }

    /// Fills `block` with the next block, whose number is answered; `None` at the end.
    pub fn next_into(&mut self, block: &mut Vec<u8>) -> io::Result<Option<usize>> {
        block.clear();
        block.append(&mut self.rest);
        let mut wanted = self.size;
        while !self.exhausted {
            block.reserve(wanted.saturating_sub(block.len()));
            while block.len() < wanted {
                let missing = (wanted - block.len()) as u64;
                if self.reader.by_ref().take(missing).read_to_end(block)? == 0 {
                    self.exhausted = true;
                    break;
                }
            }
            if self.exhausted {
                break;
            }
            if let Some(end) = last_record_end(block, self.delimiter) {
                self.rest.extend_from_slice(&block[end..]);
                block.truncate(end);
                break;
            }
            // Not one whole record: twice as much each time, so that looking again costs no more than looking once.
            wanted *= 2;
            if wanted > LONGEST_RECORD {
                self.exhausted = true;
            }
        }
        if block.is_empty() {
            return Ok(None);
        }
        self.count += 1;
        Ok(Some(self.count - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_end_where_records_end() {
        let text = "a,b\n1,\"x\ny\"\n\n22222,33333\nlast,one";
        for size in 1..40 {
            let mut blocks = Blocks::new(Box::new(text.as_bytes()), b',', size);
            let (mut block, mut all) = (Vec::new(), Vec::new());
            while let Some(number) = blocks.next_into(&mut block).unwrap() {
                assert_eq!(number, all.len());
                all.push(String::from_utf8(block.clone()).unwrap());
            }
            assert_eq!(all.concat(), text);
            for block in &all[..all.len() - 1] {
                assert!(block.ends_with('\n') && block.matches('"').count() % 2 == 0, "{size}: {block:?}");
            }
        }
    }
}

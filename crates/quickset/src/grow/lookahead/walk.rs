//! Sampled trees from rows as words. Their slow twin is [`cost_of_tree`](super::sample::cost_of_tree): the same draws at
//! the same places, so the same trees.

use super::super::choose::{chance, drawn};
use super::super::{candidates::least_branch, may_divide};
use super::sample::Wanted;
use super::words::{Attribute, BLOCK, Counts, Tests, Words, bits, gain};
use super::{LEAF, Position, Task, cost_of_test};
use crate::measure::SMALL;
use crate::recipe::Choose;

/// Working memory.
#[derive(Default)]
pub(crate) struct Memory {
    /// The rows of a tree, those of a node side by side.
    rows: Vec<u32>,
    /// Open nodes of more rows than a block, by the place of their rows.
    many: Vec<(usize, usize, Position)>,
    /// Open nodes within a block, by the mask of their rows.
    few: Vec<(u64, Position)>,
    block: Vec<u64>,
    counts: Counts,
    cells: Vec<u32>,
    picks: Vec<Pick>,
    chances: Vec<f64>,
    parts: Vec<Part>,
    /// By attribute: whether it is free or the last tree asks it.
    pub asked: Vec<bool>,
}

/// A test that may be drawn.
#[derive(Clone, Copy)]
struct Pick {
    attribute: usize,
    /// The column that divides the rows in two; of an attribute with a branch for every level, its first.
    column: usize,
}

/// A branch of a test.
struct Part {
    branch: usize,
    /// The column that its rows have; the last branch has the rows that are in none before it.
    column: Option<usize>,
    rows: usize,
    open: bool,
}

/// One sampled tree.
pub(super) struct Walk<'w> {
    pub task: &'w Task<'w>,
    pub words: &'w Words,
    pub wanted: Wanted<'w>,
    /// What is known of its cost.
    cost: usize,
    memory: &'w mut Memory,
}

impl<'w> Walk<'w> {
    pub fn new(task: &'w Task<'w>, words: &'w Words, wanted: Wanted<'w>, memory: &'w mut Memory) -> Self {
        Walk { task, words, wanted, cost: LEAF, memory }
    }

    /// What the tree costs that draws grow from some rows, which may be divided; none where that is more than is wanted.
    /// The attributes that are free or that it asks are left in the memory.
    pub fn cost(mut self, rows: &[u32], position: Position) -> Option<usize> {
        self.memory.asked.clear();
        self.memory.asked.extend(self.wanted.free);
        self.memory.rows.clear();
        self.memory.rows.extend(rows);
        self.memory.many.clear();
        self.memory.many.push((0, rows.len(), position));
        while let Some((start, end, position)) = self.memory.many.pop() {
            if self.task.signal.is_raised() {
                return None;
            }
            let grown =
                if end - start > BLOCK { self.many(start, end, position) } else { self.few(start, end, position) };
            grown?;
        }
        Some(self.cost)
    }

    /// Divides a node of many rows. None where the tree has become too large, here as below.
    fn many(&mut self, start: usize, end: usize, position: Position) -> Option<()> {
        let memory = &mut *self.memory;
        memory.counts.clear(self.words);
        for rows in memory.rows[start..end].chunks(BLOCK) {
            self.words.load(rows, &mut memory.block);
            self.words.count(&memory.block, !0 >> (BLOCK - rows.len()), &mut memory.counts);
        }
        self.divide(position)?;
        let memory = &mut *self.memory;
        let mut from = start;
        for part in &memory.parts {
            if let Some(column) = part.column {
                gather(&mut memory.rows[from..end], |row| self.words.has(row, column));
            }
            if part.open {
                memory.many.push((from, from + part.rows, position.below(part.branch)));
            }
            from += part.rows;
        }
        Some(())
    }

    /// Grows the subtree of a node whose rows fit into a block.
    fn few(&mut self, start: usize, end: usize, position: Position) -> Option<()> {
        self.words.load(&self.memory.rows[start..end], &mut self.memory.block);
        self.memory.few.clear();
        self.memory.few.push((!0 >> (BLOCK - (end - start)), position));
        while let Some((mask, position)) = self.memory.few.pop() {
            let memory = &mut *self.memory;
            memory.counts.clear(self.words);
            self.words.count(&memory.block, mask, &mut memory.counts);
            self.divide(position)?;
            let memory = &mut *self.memory;
            let mut rest = mask;
            for part in &memory.parts {
                let rows = part.column.map_or(rest, |column| rest & memory.block[column]);
                rest &= !rows;
                if part.open {
                    memory.few.push((rows, position.below(part.branch)));
                }
            }
        }
        Some(())
    }

    /// Draws a test from the counts of a node, and lists those of its branches that matter: none where nothing divides the
    /// rows, or where all are leaves.
    fn divide(&mut self, position: Position) -> Option<()> {
        self.memory.parts.clear();
        let certain = self.list_picks();
        let memory = &mut *self.memory;
        let place = match self.wanted.choose {
            Choose::Ordered => first_in_order(&memory.picks, position),
            _ => drawn(&memory.chances, position.draw(0)),
        };
        let Some(place) = place else { return Some(()) };
        let pick = memory.picks[place];
        let is_new = !std::mem::replace(&mut memory.asked[pick.attribute], true);
        self.cost += cost_of_test(self.words.attributes[pick.attribute].branches(), is_new);
        if self.cost as f64 > self.wanted.most {
            return None;
        }
        if !certain {
            self.list_parts(pick, position.depth + 1);
        }
        Some(())
    }

    /// The tests that may be drawn and their chances. Answers whether each of them leaves pure branches.
    fn list_picks(&mut self) -> bool {
        self.memory.picks.clear();
        self.memory.chances.clear();
        if self.wanted.choose != Choose::Uniform {
            self.list_certain();
        }
        let certain = !self.memory.picks.is_empty();
        if !certain {
            self.list_chances();
        }
        certain
    }

    /// The attributes that leave pure branches, each with its first test that does: no test gains more.
    fn list_certain(&mut self) {
        let least = self.least_rows();
        let Memory { counts, cells, picks, chances, .. } = &mut *self.memory;
        if let (true, &[first, second]) = (self.words.binary, &counts.classes[..]) {
            // One side has all rows of one class, and no others.
            for (column, &cell) in counts.cells.as_chunks::<2>().0.iter().enumerate() {
                if (cell == [0, second] || cell == [first, 0]) && first.min(second) >= least {
                    picks.push(Pick { attribute: column, column });
                    chances.push(1.0);
                }
            }
            return;
        }
        for (at, attribute) in self.words.attributes.iter().enumerate() {
            let pure = |&column: &usize| {
                with_cells(attribute, column, counts, cells, |cells, classes| {
                    all_pure(cells, classes) && divides(cells, classes, least)
                })
            };
            if let Some(column) = attribute.first_columns().find(pure) {
                picks.push(Pick { attribute: at, column });
                chances.push(1.0);
            }
        }
    }

    /// Every attribute that divides the rows, each with its first test of the highest gain.
    fn list_chances(&mut self) {
        let (terms, least) = (self.task.entropies.terms(), self.least_rows());
        let Memory { counts, cells, picks, chances, .. } = &mut *self.memory;
        let before = bits(terms, &counts.classes);
        if let (true, &[first, second]) = (self.words.binary, &counts.classes[..]) {
            let all = first + second;
            for (column, &[none, some]) in counts.cells.as_chunks::<2>().0.iter().enumerate() {
                let with = none + some;
                if with.min(all - with) >= least {
                    let gain = gain(terms, before, &[first - none, second - some, none, some], 2);
                    picks.push(Pick { attribute: column, column });
                    chances.push(if self.wanted.choose == Choose::Uniform { 1.0 } else { chance(gain) });
                }
            }
            return;
        }
        for (at, attribute) in self.words.attributes.iter().enumerate() {
            let mut best: Option<(f64, usize)> = None;
            for column in attribute.first_columns() {
                let gain = with_cells(attribute, column, counts, cells, |cells, classes| {
                    divides(cells, classes, least).then(|| gain(terms, before, cells, classes))
                });
                if let Some(gain) = gain
                    && best.is_none_or(|(most, _)| gain > most + SMALL)
                {
                    best = Some((gain, column));
                }
            }
            if let Some((gain, column)) = best {
                picks.push(Pick { attribute: at, column });
                chances.push(if self.wanted.choose == Choose::Uniform { 1.0 } else { chance(gain) });
            }
        }
    }

    /// The rows that a branch must have to count.
    fn least_rows(&self) -> u32 {
        least_branch(self.task.recipe).min(f64::from(u32::MAX - 1)) as u32 + 1
    }

    /// The branches of a test.
    fn list_parts(&mut self, pick: Pick, depth: usize) {
        let Memory { counts, cells, parts, .. } = &mut *self.memory;
        let attribute = &self.words.attributes[pick.attribute];
        let mut rest = std::mem::take(cells);
        rest.clear();
        rest.extend(&counts.classes);
        let mut add = |branch: usize, column: Option<usize>, classes: &[u32]| {
            let rows = classes.iter().sum::<u32>() as usize;
            let mixed = classes.iter().filter(|&&count| count > 0).count() > 1;
            let open = mixed && may_divide(self.task, rows as f64, depth);
            parts.push(Part { branch, column, rows, open });
        };
        let columns =
            if attribute.tests == Tests::Levels { attribute.columns.clone() } else { pick.column..pick.column + 1 };
        let (first, last) = match attribute.tests {
            Tests::Levels | Tests::Cuts => (1, 0),
            Tests::Value => (0, 1),
        };
        for (at, column) in columns.enumerate() {
            let classes = counts.of(column);
            add(first + at, Some(column), classes);
            rest.iter_mut().zip(classes).for_each(|(rest, count)| *rest -= count);
        }
        add(last, None, &rest);
        *cells = rest;
    }
}

/// Does something with the counts of a test's branches, which are in the order in which the grower counts them.
#[inline(always)]
fn with_cells<R>(
    attribute: &Attribute,
    column: usize,
    counts: &Counts,
    cells: &mut Vec<u32>,
    work: impl Fn(&[u32], usize) -> R,
) -> R {
    // Two branches of two classes are so frequent that they have code of their own.
    if let ([first, second], [none, some]) = (&counts.classes[..], counts.of(column))
        && attribute.branches() == 2
    {
        let (with, rest) = ([*none, *some], [first - none, second - some]);
        let sides = if attribute.tests == Tests::Value { [with, rest] } else { [rest, with] };
        return work(sides.as_flattened(), 2);
    }
    let classes = counts.classes.len();
    cells.clear();
    cells.extend(&counts.classes);
    let columns = if attribute.tests == Tests::Levels { attribute.columns.clone() } else { column..column + 1 };
    for column in columns {
        let held = counts.of(column);
        cells[..classes].iter_mut().zip(held).for_each(|(rest, count)| *rest -= count);
        cells.extend(held);
    }
    if attribute.tests == Tests::Value {
        cells.rotate_left(classes);
    }
    work(cells, classes)
}

/// Whether at least two branches have so many rows.
#[inline(always)]
fn divides(cells: &[u32], classes: usize, least: u32) -> bool {
    cells.chunks_exact(classes).filter(|branch| branch.iter().sum::<u32>() >= least).count() >= 2
}

/// Whether no branch has rows of two classes.
#[inline(always)]
fn all_pure(cells: &[u32], classes: usize) -> bool {
    cells.chunks_exact(classes).all(|branch| branch.iter().filter(|&&count| count > 0).count() <= 1)
}

/// The pick whose attribute comes first in the order of the tree.
fn first_in_order(picks: &[Pick], position: Position) -> Option<usize> {
    let order = |place: &usize| position.order(picks[*place].attribute);
    (0..picks.len()).max_by(|a, b| order(a).total_cmp(&order(b)).then(b.cmp(a)))
}

/// Puts the rows that are wanted before the others.
fn gather(rows: &mut [u32], wanted: impl Fn(u32) -> bool) {
    let mut next = 0;
    for at in 0..rows.len() {
        let row = rows[at];
        // Both places are always written, so that nothing depends on a jump.
        rows.swap(at, next);
        next += usize::from(wanted(row));
    }
}

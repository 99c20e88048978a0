//! The rows of a node in the forms in which they are scanned, and how a test divides them.

use rayon::prelude::*;

use super::LOCAL_CELLS;
use super::fractions::{divide_rows, fractions, known_weights};
use super::lists::{Branches, List};
use super::marks::{FEW, Mark};
use super::scratch::Scratch;
use super::task::{Store, Task};
use crate::data::{Entry, Item, MISSING, part};
use crate::model::Unknown;
use crate::split::{Split, divide_sparse, route};

/// The rows of one node.
pub(crate) struct NodeRows<'a> {
    /// Row numbers, ascending within what the parent had.
    pub rows: Vec<u32>,
    /// Their weights; `None` where every row counts 1.
    pub weights: Option<Vec<f64>>,
    /// Weight by class.
    pub class_weights: Vec<f64>,
    /// A sorted list per dense numeric attribute.
    pub sorted: Vec<List<'a>>,
    /// The entries of the sparse attributes.
    pub sparse: SparseLists,
    /// Counts by bin and class of all binned attributes, where they were made.
    pub histograms: Option<Vec<u32>>,
}

/// The sparse attributes that have entries at a node. List `i` is `entries[starts[i]..starts[i + 1]]`; missing values
/// stand last in it, with the rank [`MISSING`].
#[derive(Clone, Default)]
pub(crate) struct SparseLists {
    /// Slots, ascending.
    pub slots: Vec<u32>,
    pub starts: Vec<u32>,
    pub entries: Vec<Entry>,
}

impl SparseLists {
    /// The lists with their slots.
    pub fn iter(&self) -> impl Iterator<Item = (usize, &[Entry])> {
        self.slots
            .iter()
            .enumerate()
            .map(|(at, &slot)| (slot as usize, &self.entries[self.starts[at] as usize..self.starts[at + 1] as usize]))
    }

    /// Makes a list of the entries that were added since the last one, if there are any.
    fn close(&mut self, slot: usize) {
        if self.starts.is_empty() {
            self.starts.push(0);
        }
        if self.entries.len() as u32 > self.starts[self.starts.len() - 1] {
            self.slots.push(slot as u32);
            self.starts.push(self.entries.len() as u32);
        }
    }

    pub fn push(&mut self, slot: usize, entries: impl Iterator<Item = Entry>) {
        self.entries.extend(entries);
        self.close(slot);
    }
}

/// A branch of a node: what it weighs, and its rows.
pub(crate) struct Child<'a> {
    pub class_weights: Vec<f64>,
    /// Of a leaf.
    pub closed: Vec<u32>,
    /// Of a node that may be divided.
    pub open: Option<NodeRows<'a>>,
}

/// The sorted arrays that the nodes of one tree share, which grows from `rows` of the task's.
pub(crate) fn sorted_arrays(task: &Task<'_>, rows: &[u32]) -> Vec<Vec<Item>> {
    let held = Part::new(task, rows);
    let some = |items: &[Item]| {
        let mut array = Vec::with_capacity(items.len().min(rows.len()));
        array.extend(part(items, |row| held.holds(row)));
        array
    };
    let array = |store: &Store<'_>| match store {
        Store::Sorted { column, order: None, .. } if held.is_all() => Some(column.sorted()),
        Store::Sorted { column, order: None, .. } => Some(some(&column.sorted())),
        Store::Sorted { order: Some(order), .. } => Some(some(order.items())),
        _ => None,
    };
    task.stores.par_iter().filter_map(array).collect()
}

/// Which rows a tree grows from: all of the task's, or some.
struct Part<'t, 'd> {
    task: &'t Task<'d>,
    /// By row of the data; empty where all of the task's are meant.
    held: Vec<bool>,
}

impl<'t, 'd> Part<'t, 'd> {
    fn new(task: &'t Task<'d>, rows: &[u32]) -> Self {
        let all = rows.len() == task.rows.len();
        let mut held = vec![false; if all { 0 } else { task.data.rows() }];
        if !all {
            rows.iter().for_each(|&row| held[row as usize] = true);
        }
        Part { task, held }
    }

    /// Whether all rows of the data are meant.
    fn is_all(&self) -> bool {
        self.held.is_empty() && self.task.rows.len() == self.task.data.rows()
    }

    fn holds(&self, row: u32) -> bool {
        if self.held.is_empty() { self.task.trains(row) } else { self.held[row as usize] }
    }
}

impl<'a> NodeRows<'a> {
    /// The rows that a tree grows from, with the arrays sorted for it.
    pub fn start(task: &Task<'_>, rows: Vec<u32>, weights: Option<Vec<f64>>, arrays: &'a mut [Vec<Item>]) -> Self {
        let part = Part::new(task, &rows);
        let mut sparse = SparseLists::default();
        let listed = if task.factored.is_some() { &[][..] } else { task.sparse };
        for (slot, &attribute) in listed.iter().enumerate() {
            let kept = |entry: &Entry| part.holds(entry.row());
            match task.stores[attribute] {
                Store::SparseNumbers { order, .. } => {
                    sparse.push(slot, order.all().filter(kept));
                }
                Store::SparseLevels { entries, .. } => {
                    let all = entries.rows.iter().zip(&entries.values);
                    let mut list: Vec<Entry> =
                        all.map(|(&row, &code)| Entry::new(code, row)).filter(|e| e.rank() != 0 && kept(e)).collect();
                    list.sort_by_key(|entry| entry.rank());
                    sparse.push(slot, list.into_iter());
                }
                _ => unreachable!("only sparse stores have sparse slots"),
            }
        }
        NodeRows {
            class_weights: class_weights(task, &rows, weights.as_deref()),
            rows,
            weights,
            sorted: arrays.iter_mut().map(|array| List::Slice(array)).collect(),
            sparse,
            histograms: None,
        }
    }

    /// Divides the rows by a test. `open` says of a child's class weights whether it may split further: only then are
    /// its lists made.
    pub fn divide(
        self,
        task: &Task<'_>,
        split: &Split,
        branches: usize,
        unknown: Unknown,
        scratch: &mut Scratch,
        open: impl Fn(&[f64]) -> bool,
    ) -> Vec<Child<'a>> {
        let entries_of = scratch.entries_of.take();
        if let Split::Threshold { attribute, cut } = split
            && self.weights.is_none()
            && entries_of == Some(*attribute)
            && let Some(parts) = divide_sparse(*cut, &self.rows, &scratch.entries)
        {
            return self.children(task, parts, open);
        }
        if branches <= FEW {
            self.divide_by::<u8>(task, split, branches, unknown, scratch, open)
        } else {
            self.divide_by::<u32>(task, split, branches, unknown, scratch, open)
        }
    }

    /// The children of a node without lists, all of whose rows count 1.
    fn children(&self, task: &Task<'_>, parts: [Vec<u32>; 2], open: impl Fn(&[f64]) -> bool) -> Vec<Child<'a>> {
        let fewer = usize::from(parts[1].len() < parts[0].len());
        let counted = class_weights(task, &parts[fewer], None);
        let others = self.class_weights.iter().zip(&counted).map(|(all, counted)| all - counted).collect();
        let weights = if fewer == 0 { [counted, others] } else { [others, counted] };
        let child = |(rows, class_weights): (Vec<u32>, Vec<f64>)| match open(&class_weights) {
            true => {
                let open = Some(NodeRows::of(rows, None, class_weights.clone()));
                Child { class_weights, closed: Vec::new(), open }
            }
            false => Child { class_weights, closed: rows, open: None },
        };
        parts.into_iter().zip(weights).map(child).collect()
    }

    /// The same rows with lists of their own, in `arrays`, so that they can be divided and these are still there.
    pub fn copied<'b>(&self, arrays: &'b mut Vec<Vec<Item>>) -> NodeRows<'b> {
        *arrays = self.sorted.iter().map(|list| list.items().to_vec()).collect();
        NodeRows {
            rows: self.rows.clone(),
            weights: self.weights.clone(),
            class_weights: self.class_weights.clone(),
            sorted: arrays.iter_mut().map(|array| List::Slice(array)).collect(),
            sparse: self.sparse.clone(),
            histograms: self.histograms.clone(),
        }
    }

    /// Rows without lists.
    pub fn of(rows: Vec<u32>, weights: Option<Vec<f64>>, class_weights: Vec<f64>) -> Self {
        NodeRows { rows, weights, class_weights, sorted: Vec::new(), sparse: SparseLists::default(), histograms: None }
    }

    fn divide_by<M: Mark>(
        self,
        task: &Task<'_>,
        split: &Split,
        branches: usize,
        unknown: Unknown,
        scratch: &mut Scratch,
        open: impl Fn(&[f64]) -> bool,
    ) -> Vec<Child<'a>> {
        let mut marks = std::mem::take(M::buffer(scratch));
        let fractions = self.mark_branches(task, split, branches, unknown, &mut marks);
        let children = self.divide_marked(task, &marks, fractions.as_deref(), branches, scratch, open);
        *M::buffer(scratch) = marks;
        children
    }

    /// Divides the rows by their marks.
    fn divide_marked<M: Mark>(
        mut self,
        task: &Task<'_>,
        marks: &[M],
        fractions: Option<&[f64]>,
        branches: usize,
        scratch: &mut Scratch,
        open: impl Fn(&[f64]) -> bool,
    ) -> Vec<Child<'a>> {
        let mut children = self.divide_rows(task, branches, fractions, marks);
        let all = self.rows.len();
        let first = children.first().and_then(|child| child.open.as_ref()).map_or(0, |child| child.rows.len());
        for child in &mut children {
            if !open(&child.class_weights) {
                child.closed = child.open.take().map_or(Vec::new(), |node| node.rows);
            }
        }
        // A closed branch takes no lists, unless the rows in fractions are wanted by an open one.
        let mut kept: Vec<Option<&mut NodeRows<'a>>> = children.iter_mut().map(|child| child.open.as_mut()).collect();
        if kept.iter().all(Option::is_none) {
            return children;
        }
        // The children have the rows now.
        let cells = self.sorted.len() * self.rows.len();
        self.rows = Vec::new();
        divide_sparse_lists(&self.sparse, &mut kept, marks, fractions);
        let open: Vec<bool> = kept.iter().map(Option::is_some).collect();
        let by = Branches { of: marks, fractions, open: &open, all, first };
        if cells > LOCAL_CELLS && rayon::current_num_threads() > 1 {
            let divide = |list: List<'a>| {
                let mut parts = Vec::with_capacity(branches);
                task.pool.with(|scratch| list.divide(&by, &mut scratch.items, |to, part| parts.push((to, part))));
                parts
            };
            let parts: Vec<Vec<_>> = self.sorted.into_par_iter().map(divide).collect();
            parts.into_iter().flatten().for_each(|(to, part)| give(&mut kept, to, part));
        } else {
            kept.iter_mut().flatten().for_each(|child| child.sorted.reserve_exact(self.sorted.len()));
            for list in self.sorted {
                list.divide(&by, &mut scratch.items, |to, part| give(&mut kept, to, part));
            }
        }
        if let (Some(parent), false) = (self.histograms, fractions.is_some()) {
            super::histogram::inherit(task, parent, &mut children);
        }
        children
    }

    /// Marks each row with its branch. Where rows go down in fractions, these are returned, and such a row's mark is
    /// [`Mark::NONE`].
    fn mark_branches<M: Mark>(
        &self,
        task: &Task<'_>,
        split: &Split,
        branches: usize,
        unknown: Unknown,
        marks: &mut Vec<M>,
    ) -> Option<Vec<f64>> {
        marks.resize(task.data.rows(), M::default());
        let column = &task.data.attributes()[split.attribute()];
        let instead = match unknown {
            Unknown::Branch(branch) => branch as u32,
            Unknown::Fractions => MISSING,
        };
        let mut any_missing = false;
        route(split, column, &self.rows, |_, row, branch| {
            let branch = if branch == MISSING { instead } else { branch };
            any_missing |= branch == MISSING;
            marks[row as usize] = M::new(branch);
        });
        if !any_missing {
            return None;
        }
        let known = known_weights(&self.rows, self.weights.as_deref(), branches, |_, row| marks[row as usize].branch());
        Some(fractions(&known))
    }

    fn divide_rows<M: Mark>(
        &self,
        task: &Task<'_>,
        branches: usize,
        fractions: Option<&[f64]>,
        marks: &[M],
    ) -> Vec<Child<'a>> {
        let weighted = self.weights.is_some() || fractions.is_some();
        let branch = |_, row: u32| marks[row as usize].branch();
        let parts = divide_rows(&self.rows, self.weights.as_deref(), fractions, branches, branch);
        parts
            .into_iter()
            .map(|(rows, weights)| {
                let weights = weighted.then_some(weights);
                let class_weights = class_weights(task, &rows, weights.as_deref());
                let rows = NodeRows::of(rows, weights, class_weights.clone());
                Child { class_weights, closed: Vec::new(), open: Some(rows) }
            })
            .collect()
    }
}

/// Weight by class of some rows.
pub(crate) fn class_weights(task: &Task<'_>, rows: &[u32], weights: Option<&[f64]>) -> Vec<f64> {
    let mut sums = vec![0.0; task.class_count];
    match weights {
        Some(weights) => {
            rows.iter()
                .zip(weights)
                .for_each(|(&row, &weight)| sums[usize::from(task.classes[row as usize])] += weight);
        }
        None => rows.iter().for_each(|&row| sums[usize::from(task.classes[row as usize])] += 1.0),
    }
    sums
}

fn give<'a>(kept: &mut [Option<&mut NodeRows<'a>>], to: usize, part: List<'a>) {
    if let Some(child) = &mut kept[to] {
        child.sorted.push(part);
    }
}

fn divide_sparse_lists<M: Mark>(
    lists: &SparseLists,
    kept: &mut [Option<&mut NodeRows<'_>>],
    marks: &[M],
    fractions: Option<&[f64]>,
) {
    for (slot, entries) in lists.iter() {
        for entry in entries {
            match (marks[entry.row() as usize], fractions) {
                (mark, Some(fractions)) if mark == M::NONE => {
                    for (child, _) in kept.iter_mut().zip(fractions).filter(|(_, fraction)| **fraction > 0.0) {
                        child.iter_mut().for_each(|child| child.sparse.entries.push(*entry));
                    }
                }
                (mark, _) => {
                    if let Some(child) = &mut kept[mark.branch()] {
                        child.sparse.entries.push(*entry);
                    }
                }
            }
        }
        kept.iter_mut().flatten().for_each(|child| child.sparse.close(slot));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Recipe;
    use crate::data::generate::builtin;

    #[test]
    fn the_lists_of_some_rows_are_the_same_with_an_order_or_without() {
        let data = builtin("waveform").unwrap().with_last_as_target().unwrap();
        let (recipe, rows) = (Recipe::cart(), (0..data.rows() as u32).filter(|row| row % 3 != 1).collect::<Vec<u32>>());
        let mut task = Task::new(&data, data.class().unwrap(), rows, &recipe);
        let fewer: Vec<u32> = task.rows.iter().copied().step_by(2).collect();
        let lists = |task: &Task<'_>| [sorted_arrays(task, &task.rows), sorted_arrays(task, &fewer)];
        let kept = lists(&task);
        assert!(kept[0].iter().any(|list| list.len() == task.rows.len()));
        for store in &mut task.stores {
            if let Store::Sorted { order, .. } = store {
                assert!(order.take().is_some(), "so few cells keep their order");
            }
        }
        assert_eq!(lists(&task), kept);
    }
}

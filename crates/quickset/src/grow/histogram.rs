//! Counts by bin and class of a node's binned attributes.
//!
//! Counting is by whole rows. Of two siblings only the one with fewer rows is counted; the other is what is left of
//! the parent.

use rayon::prelude::*;

use super::rows::{Child, NodeRows};
use super::task::{Store, Task};
use crate::data::NO_CODE;
use crate::split::bins::Bins;

/// Histograms of more cells than this are not kept for the children: a wide table with many open nodes would fill the
/// memory.
const MOST_CELLS_KEPT: usize = 1 << 18;

/// Cells of one attribute: its bins and one place for missing values, by class.
pub(crate) fn cells(bins: &Bins<'_>, classes: usize) -> usize {
    (bins.len() + 1) * classes
}

/// Whether counting the rows costs more than going through the cells: then histograms are kept, and handed down.
pub(crate) fn pays(task: &Task<'_>, rows: usize) -> bool {
    task.histogram_cells > 0
        && task.histogram_cells <= MOST_CELLS_KEPT
        && rows * task.binned >= 2 * task.histogram_cells
}

/// The histograms of all binned attributes, one after the other.
pub(crate) fn count_all(task: &Task<'_>, rows: &[u32]) -> Vec<u32> {
    let classes: Vec<u16> = rows.iter().map(|&row| task.classes[row as usize]).collect();
    let mut all = vec![0; task.histogram_cells];
    let mut parts = Vec::new();
    let mut rest = all.as_mut_slice();
    for store in &task.stores {
        if let Store::Binned { bins, .. } = store {
            let (part, after) = rest.split_at_mut(cells(bins, task.class_count));
            parts.push((part, bins));
            rest = after;
        }
    }
    parts.into_par_iter().with_min_len(8192 / (rows.len() + 1) + 1).for_each(|(part, bins)| {
        count(bins, rows, &classes, task.class_count, part);
    });
    all
}

/// Counts rows, `classes` beside them, by bin and class. The last bin is for missing values.
fn count(bins: &Bins<'_>, rows: &[u32], classes: &[u16], class_count: usize, cells: &mut [u32]) {
    let last = bins.len();
    for (&row, &class) in rows.iter().zip(classes) {
        let code = bins.codes[row as usize];
        let bin = if code == NO_CODE { last } else { usize::from(code) };
        cells[bin * class_count + usize::from(class)] += 1;
    }
}

/// Gives the two children of a node their histograms by counting the smaller one and subtracting.
pub(crate) fn inherit(task: &Task<'_>, mut parent: Vec<u32>, children: &mut [Child<'_>]) {
    let [first, second] = children else { return };
    let size = |child: &Child<'_>| child.class_weights.iter().sum::<f64>();
    let (small, large) = if size(first) <= size(second) { (first, second) } else { (second, first) };
    let open = large.open.as_mut().filter(|large| pays(task, large.rows.len()));
    let Some(large): Option<&mut NodeRows<'_>> = open else { return };
    let counted = count_all(task, small.open.as_ref().map_or(&small.closed, |small| &small.rows));
    parent.iter_mut().zip(&counted).for_each(|(all, part)| *all -= part);
    large.histograms = Some(parent);
    if let Some(small) = &mut small.open {
        small.histograms = Some(counted);
    }
}

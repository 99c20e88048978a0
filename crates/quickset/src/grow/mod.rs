//! The one loop that turns rows into a tree.
//!
//! A node asks its rows for the candidates of every attribute, ranks them, and divides its rows by the winner; the
//! children are the next open nodes. Nothing depends on the order in which nodes are taken: `frontier` tells which are
//! grown when, and on which threads.

mod ahead;
mod candidates;
mod choose;
mod draft;
mod factored;
mod fixed;
mod fractions;
mod frontier;
mod futile;
mod held_out;
mod histogram;
mod intervals;
mod judge;
mod levels;
mod limited;
mod lists;
mod lookahead;
mod marks;
mod observed;
mod position;
mod rows;
mod scratch;
mod significance;
mod task;
mod thresholds;

use candidates::{Candidate, Placement, candidates};
use factored::{Path, Scores};
use lookahead::Found;
use rows::{Child, NodeRows, sorted_arrays};
use scratch::Scratch;

use crate::measure::{SMALL, errors, total};
use crate::model::Unknown;
use crate::recipe::{Choose, Missing, Score};
use crate::split::Split;

pub(crate) use ahead::{MOST_ATTRIBUTES, MOST_STEPS};
pub(crate) use draft::{Draft, DraftNode, ROOT, Test};
pub(crate) use factored::FEWEST_COUNTED;
pub(crate) use fractions::{divide_rows, fractions, known_weights};
pub(crate) use lookahead::{Earlier, Free};
pub(crate) use position::Position;
pub(crate) use task::{MANY_CELLS, Task};

/// A node of this many cells or fewer is grown to the end on one thread; the attributes of a larger one are shared.
pub(crate) const LOCAL_CELLS: usize = 1 << 14;

/// With factored tables one attribute is counted, and all are valued: as much work as counting so many.
const FACTORED: usize = 16;

/// An open node: its place in the draft and in the tree, its rows, and what factored tables and look-ahead know of its
/// path.
struct Open<'a> {
    at: usize,
    position: Position,
    rows: NodeRows<'a>,
    path: Path,
    free: Free,
}

/// A node that was divided.
struct Divided<'a> {
    split: Split,
    unknown: Unknown,
    children: Vec<Child<'a>>,
    path: Path,
    /// As in [`Found`](lookahead::Found).
    free: Vec<Free>,
}

/// The rows of a node that is not divided.
struct Leaf(Vec<u32>);

/// Refuses what would take hours.
pub(crate) fn affordable(task: &Task<'_>) -> crate::error::Result<()> {
    ahead::affordable(task)?;
    held_out::affordable(task)
}

/// Grows a tree from the task's rows. Where the signal is raised, what is still open becomes leaves.
pub(crate) fn grow(task: &Task<'_>) -> Draft {
    grow_from(task, Start::root(task))
}

/// The rows that reach a node, and where it is.
pub(crate) struct Start {
    /// Of the task's, ascending.
    pub rows: Vec<u32>,
    /// Beside `rows`; `None` where every row counts 1.
    pub weights: Option<Vec<f64>>,
    pub position: Position,
    pub free: Free,
}

impl Start {
    /// All rows, at the root.
    pub fn root(task: &Task<'_>) -> Self {
        let weights = task.data.weights().map(|all| task.rows.iter().map(|&row| all[row as usize]).collect());
        Start { rows: task.rows.clone(), weights, position: Position::root(task.recipe), free: None }
    }
}

/// Grows the subtree of a node. Factored tables know nothing of a path that was not grown here.
pub(crate) fn grow_from(task: &Task<'_>, start: Start) -> Draft {
    let mut arrays = sorted_arrays(task, &start.rows);
    let root = NodeRows::start(task, start.rows, start.weights, &mut arrays);
    let mut draft = Draft::leaf(root.class_weights.clone());
    let mut open = Vec::new();
    if may_split(task, &root.class_weights, start.position.depth) {
        let Start { position, free, .. } = start;
        open.push(Open { at: ROOT, position, rows: root, path: Path::default(), free });
    }
    if let Some(most) = task.recipe.stop.max_leaves {
        limited::grow(task, &mut draft, open, most);
        observed::settle(task, &mut draft);
        return draft;
    }
    draft = match &task.factored {
        Some(tables) if tables.nodes_together().is_none() => frontier::grow_apart(task, tables, draft, open),
        Some(tables) => frontier::grow_abreast(task, tables, draft, open, true),
        None => frontier::grow_by_levels(task, draft, open),
    };
    observed::settle(task, &mut draft);
    draft
}

/// The number of cells a node has to look at.
fn cells(task: &Task<'_>, rows: &NodeRows<'_>) -> usize {
    let counted = if task.factored.is_some() { FACTORED } else { task.dense.len() };
    rows.rows.len() * counted + rows.sparse.entries.len()
}

/// Whether a node may split at all, by its class weights and depth.
fn may_split(task: &Task<'_>, class_weights: &[f64], depth: usize) -> bool {
    may_divide(task, total(class_weights), depth) && errors(class_weights) > task.futile_errors + SMALL
}

/// Whether rows of several classes may be divided, by their weight and depth.
fn may_divide(task: &Task<'_>, weight: f64, depth: usize) -> bool {
    let stop = &task.recipe.stop;
    stop.max_depth.is_none_or(|most| depth < most)
        && weight >= (2.0 * stop.min_rows).max(stop.rows.unwrap_or(0.0)) - SMALL
}

/// Looks for the best split of a node and divides its rows, unless it is to be a leaf. Where it was valued with others
/// there are `scores`.
fn divide<'a>(
    task: &Task<'_>,
    mut rows: NodeRows<'a>,
    mut path: Path,
    scores: Option<Scores>,
    free: &Free,
    position: Position,
    scratch: &mut Scratch,
) -> Result<Divided<'a>, Leaf> {
    scratch.entries_of = None;
    let winner = match &task.factored {
        _ if task.signal.is_raised() => None,
        Some(tables) => factored::pick(task, tables, &rows, &mut path, scores, scratch).map(Found::from),
        None if ahead::looks(task, position.depth) => ahead::best(task, &rows).map(Found::from),
        None if lookahead::looks(task, position) => lookahead::best(task, &mut rows, free, position, scratch),
        None => best_counted(task, task.recipe.choose, &mut rows, position, scratch).map(Found::from),
    };
    // A number that ranks first may turn out to have no cut.
    let divides = |winner: &Candidate| match &winner.test {
        Placement::Ready(split) => branches(task, split, winner.unknown) > 1,
        Placement::Between(..) => true,
    };
    let winner = winner.filter(|winner| divides(&winner.test) && held_out::passes(task, &rows, &winner.test));
    match winner {
        // Where the run is to end, not all attributes were looked at.
        _ if task.signal.is_raised() => Err(Leaf(rows.rows)),
        Some(Found { test, free }) => Ok(Divided { free, ..divide_by(task, rows, path, &test, position, scratch) }),
        None => Err(Leaf(rows.rows)),
    }
}

/// Divides the rows of a node by the test of a candidate.
fn divide_by<'a>(
    task: &Task<'_>,
    rows: NodeRows<'a>,
    path: Path,
    winner: &Candidate,
    position: Position,
    scratch: &mut Scratch,
) -> Divided<'a> {
    let split = split_of(task, winner);
    let imputed =
        if task.recipe.missing == Missing::Impute { split.branch(task.constant(winner.attribute)) } else { None };
    let unknown = imputed.map_or(winner.unknown, Unknown::Branch);
    let branches = branches(task, &split, unknown);
    let open = |weights: &[f64]| may_split(task, weights, position.depth + 1);
    let children = rows.divide(task, &split, branches, unknown, scratch, open);
    Divided { split, unknown, children, path, free: Vec::new() }
}

/// How many branches a split has, with one of missing values where these have their own.
fn branches(task: &Task<'_>, split: &Split, unknown: Unknown) -> usize {
    let levels = task.data.attributes()[split.attribute()].levels().map_or(0, <[String]>::len);
    let known = split.branches(levels);
    known + usize::from(unknown == Unknown::Branch(known))
}

/// The split of a candidate, placed.
fn split_of(task: &Task<'_>, candidate: &Candidate) -> Split {
    match &candidate.test {
        Placement::Ready(split) => split.clone(),
        Placement::Between(low, high) => {
            let attribute = candidate.attribute;
            Split::Threshold { attribute, cut: task.threshold(attribute, *low, *high) }
        }
    }
}

/// The winner of the candidates that are counted from the node's rows, if it is good enough and not likely to be chance.
fn best_counted(
    task: &Task<'_>,
    choose: Choose,
    rows: &mut NodeRows<'_>,
    position: Position,
    scratch: &mut Scratch,
) -> Option<Candidate> {
    let mut found = candidates(task, rows, scratch);
    if task.recipe.score == Score::HeldOut {
        held_out::score(task, rows, &mut found);
    }
    let winner = {
        let enough = |at: &usize| choose::good_enough(task.recipe, &found[*at]);
        let passes = |at: &usize| significance::passes(task, rows, &found[*at], found.len());
        let mut ranking = choose::ranking(task, choose, &rows.class_weights, &found, position).take_while(enough);
        match significance::follows_ranks(task, rows) {
            true => ranking.next().filter(passes),
            // An identifier may rank first and be nothing but chance: it must not hide the others.
            false => ranking.find(passes),
        }
    };
    winner.map(|at| found.swap_remove(at))
}

/// Adds the children of a divided node to the draft, and those that are open to `open`; or the rows of a leaf.
fn attach<'a>(
    task: &Task<'_>,
    draft: &mut Draft,
    at: usize,
    position: Position,
    divided: Result<Divided<'a>, Leaf>,
    open: &mut Vec<Open<'a>>,
) {
    let kept = |rows: Vec<u32>| if task.keeps_rows { rows } else { Vec::new() };
    let divided = match divided {
        Ok(divided) => divided,
        Err(Leaf(rows)) => return draft.nodes[at].rows = kept(rows),
    };
    let first = draft.nodes.len();
    let children = (first..first + divided.children.len()).collect();
    let last = divided.children.iter().rposition(|child| child.open.is_some());
    let mut above = divided.path;
    for (branch, child) in divided.children.into_iter().enumerate() {
        let at = first + branch;
        draft.nodes.push(DraftNode { weights: child.class_weights, test: None, rows: kept(child.closed) });
        if let Some(rows) = child.open {
            let mut path = if last == Some(branch) { std::mem::take(&mut above) } else { above.clone() };
            if task.factored.is_some() {
                path.go_down(task, &divided.split, branch);
            }
            let free = divided.free.get(branch).cloned().flatten();
            open.push(Open { at, position: position.below(branch), rows, path, free });
        }
    }
    draft.nodes[at].test = Some(Test { split: divided.split, unknown: divided.unknown, children });
}

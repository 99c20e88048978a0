//! Which open nodes are grown when, and on which threads. The tree is the same in any case, though its nodes may come in
//! another order: nothing asks for more than that children come after their parents.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rayon::Scope;
use rayon::prelude::*;

use super::factored::Tables;
use super::scratch::Scratch;
use super::{Divided, Draft, LOCAL_CELLS, Leaf, Open, Position, ROOT, Task, attach, cells, divide};

/// Nodes of more cells are divided one at a time.
const HUGE_CELLS: usize = 1 << 21;

/// Grows nodes that count all attributes, level by level: large ones share their attributes between threads, small ones
/// are grown to the end, whole subtrees at a time, each on one thread with its rows in its cache.
pub(super) fn grow_by_levels(task: &Task<'_>, mut draft: Draft, mut open: Vec<Open<'_>>) -> Draft {
    while !open.is_empty() {
        let (local, large): (Vec<_>, Vec<_>) = open.drain(..).partition(|open| cells(task, &open.rows) <= LOCAL_CELLS);
        grow_locals(task, &mut draft, local);
        let (huge, large): (Vec<_>, Vec<_>) = large.into_iter().partition(|open| cells(task, &open.rows) > HUGE_CELLS);
        // Huge nodes one after the other: their attributes keep all threads busy, and each needs memory to be divided.
        let mut divided: Vec<_> = huge.into_iter().map(|open| divide_open(task, open)).collect();
        divided.par_extend(large.into_par_iter().map(|open| divide_open(task, open)));
        for (at, position, divided) in divided {
            attach(task, &mut draft, at, position, divided, &mut open);
        }
    }
    draft
}

/// Grows nodes that are valued by factored tables, all of which every node looks at: level by level, so that many look at a
/// table together. All threads take part if they are `shared`.
pub(super) fn grow_abreast(
    task: &Task<'_>,
    tables: &Tables,
    mut draft: Draft,
    mut open: Vec<Open<'_>>,
    shared: bool,
) -> Draft {
    let together = tables.nodes_together().unwrap_or(1);
    while !open.is_empty() {
        let (again, mut level): (Vec<_>, Vec<_>) =
            open.drain(..).partition(|open| tables.recounts(open.rows.rows.len()));
        let again = each(again, shared, |open| (open.at, grow_again(task, tables, open)));
        again.into_iter().for_each(|(at, part)| draft.graft(at, part));
        while !level.is_empty() {
            let nodes = level.split_off(level.len().saturating_sub(together));
            let asked: Vec<_> = nodes.iter().map(|open| (&open.rows, &open.path)).collect();
            let scores = tables.value(task, &asked, shared);
            let divided = each(nodes.into_iter().zip(scores).collect(), shared, |(open, scores)| {
                let Open { at, position, rows, path, free } = open;
                (
                    at,
                    position,
                    task.pool.with(|scratch| divide(task, rows, path, Some(scores), &free, position, scratch)),
                )
            });
            for (at, position, divided) in divided {
                attach(task, &mut draft, at, position, divided, &mut open);
            }
        }
    }
    draft
}

/// Grows the subtree of a node from tables of its own, to the end on one thread: there are never more copies of columns
/// than threads.
fn grow_again(task: &Task<'_>, tables: &Tables, mut open: Open<'_>) -> Draft {
    let draft = Draft::leaf(open.rows.class_weights.clone());
    let own = tables.recounted(task, &open.rows, &open.path).map(Arc::new);
    own.iter().for_each(|own| open.path.restart(own.clone()));
    grow_abreast(task, own.as_deref().unwrap_or(tables), draft, vec![Open { at: ROOT, ..open }], false)
}

/// Does the same with each of some things, in their order or on all threads.
fn each<T: Send, R: Send>(things: Vec<T>, shared: bool, work: impl Fn(T) -> R + Sync + Send) -> Vec<R> {
    if shared { things.into_par_iter().map(work).collect() } else { things.into_iter().map(work).collect() }
}

/// Grows nodes that are valued by factored tables: each is work for one thread, whose children need not wait for those of
/// others.
pub(super) fn grow_apart(task: &Task<'_>, tables: &Tables, draft: Draft, open: Vec<Open<'_>>) -> Draft {
    let apart = Apart { task, tables, draft: Mutex::new(draft) };
    rayon::scope(|scope| open.into_iter().for_each(|open| apart.grow(scope, open)));
    apart.draft.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// Nodes that do not wait for each other.
struct Apart<'t, 'd> {
    task: &'t Task<'d>,
    tables: &'t Tables,
    /// What was grown so far.
    draft: Mutex<Draft>,
}

impl Apart<'_, '_> {
    fn draft(&self) -> MutexGuard<'_, Draft> {
        self.draft.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Grows a node, then the largest of its children, and so on; the others are anybody's.
    fn grow<'s, 'a: 's>(&'s self, scope: &Scope<'s>, open: Open<'a>) {
        let mut next = Some(open);
        while let Some(open) = next.take() {
            let mut children = self.children(open);
            let rows = |at: &usize| children[*at].rows.rows.len();
            next = (0..children.len()).max_by_key(rows).map(|at| children.swap_remove(at));
            children.into_iter().for_each(|child| scope.spawn(move |scope| self.grow(scope, child)));
        }
    }

    /// The open children of a node that is divided here and now; none where its whole subtree is grown.
    fn children<'a>(&self, mut open: Open<'a>) -> Vec<Open<'a>> {
        let (task, tables, rows) = (self.task, self.tables, open.rows.rows.len());
        let mut children = Vec::new();
        let is_local = match tables.small() {
            Some(most) => rows <= most,
            None => cells(task, &open.rows) <= LOCAL_CELLS || tables.may_recount(rows),
        };
        if is_local {
            let at = open.at;
            let part = task.pool.with(|scratch| {
                tables.tell(task, &open.rows, &mut open.path, &mut scratch.masks);
                grow_local(task, open, scratch)
            });
            self.draft().graft(at, part);
        } else {
            let (at, position, divided) = divide_open(task, open);
            attach(task, &mut self.draft(), at, position, divided, &mut children);
        }
        children
    }
}

/// Divides an open node.
pub(super) fn divide_open<'a>(task: &Task<'_>, open: Open<'a>) -> (usize, Position, Result<Divided<'a>, Leaf>) {
    let Open { at, position, rows, path, free } = open;
    (at, position, task.pool.with(|scratch| divide(task, rows, path, None, &free, position, scratch)))
}

/// Grows the whole subtrees of some nodes, each on one thread.
fn grow_locals(task: &Task<'_>, draft: &mut Draft, nodes: Vec<Open<'_>>) {
    let grown = |open: Open<'_>| (open.at, task.pool.with(|scratch| grow_local(task, open, scratch)));
    let parts: Vec<(usize, Draft)> = nodes.into_par_iter().map(grown).collect();
    parts.into_iter().for_each(|(at, part)| draft.graft(at, part));
}

/// Grows the whole subtree of one node.
fn grow_local(task: &Task<'_>, open: Open<'_>, scratch: &mut Scratch) -> Draft {
    let mut draft = Draft::leaf(open.rows.class_weights.clone());
    let mut stack = vec![Open { at: ROOT, ..open }];
    while let Some(open) = stack.pop() {
        let Open { at, position, rows, path, free } = open;
        let divided = divide(task, rows, path, None, &free, position, scratch);
        attach(task, &mut draft, at, position, divided, &mut stack);
    }
    draft
}

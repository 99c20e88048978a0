//! Which subtree to rebuild next: the one that promises the most leaves less for its cost (IIDT, Choose-Node).
//!
//! Rebuilding takes r · rows · attributes³ steps, where r doubles each time a node is rebuilt. A subtree that could be
//! replaced by one of two levels is the largest reduction counted on.

use crate::data::Dataset;
use crate::grow::{Draft, Position, ROOT};
use crate::measure::{SMALL, total};
use crate::split::Split;

/// A subtree to rebuild.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Choice {
    pub at: usize,
    /// With so many samples.
    pub samples: u32,
    pub position: Position,
    /// The nodes above it, from the root, with the branches taken.
    pub path: Vec<(usize, usize)>,
}

/// A node that may be rebuilt.
struct Known {
    at: usize,
    parent: Option<(usize, usize)>,
    position: Position,
    leaves: usize,
    /// Of one that is rebuilt with the next number of samples.
    cost: f64,
    /// Whether no consistent tree of these rows has fewer leaves.
    minimal: bool,
}

/// The subtree to rebuild, if one is left that may become smaller. `tried` are the samples that each node of the draft
/// was last rebuilt with.
pub(crate) fn choose(data: &Dataset, draft: &Draft, tried: &[u32], root: Position, g: f64) -> Option<Choice> {
    let known = look(data, draft, tried, root);
    let of_root = known.first()?.cost;
    let largest_arity = data.attributes().iter().map(|column| column.levels().map_or(2, <[String]>::len)).max()?;
    let counted_on = (largest_arity * largest_arity) as f64;
    let open = |node: &&Known| !node.minimal && node.cost >= g * of_root * (1.0 - SMALL);
    let best = |value: &dyn Fn(&Known) -> f64| {
        let mut best: Option<(&Known, f64)> = None;
        for node in known.iter().filter(open) {
            let value = value(node) / node.cost;
            // Equal ones go to the one that comes first from the root down, from the left.
            if best.is_none_or(|(_, most)| value > most) {
                best = Some((node, value));
            }
        }
        best
    };
    let promising = best(&|node| (node.leaves as f64 - counted_on).max(0.0)).filter(|(_, value)| *value > 0.0);
    let (chosen, _) = promising.or_else(|| best(&|node| node.leaves as f64))?;
    let mut path = Vec::new();
    let mut above = chosen.parent;
    while let Some((parent, branch)) = above {
        path.push((known[parent].at, branch));
        above = known[parent].parent;
    }
    path.reverse();
    Some(Choice { at: chosen.at, samples: next_samples(tried[chosen.at]), position: chosen.position, path })
}

fn next_samples(tried: u32) -> u32 {
    if tried == 0 { 1 } else { 2 * tried }
}

/// All inner nodes, from the root down, from the left.
fn look(data: &Dataset, draft: &Draft, tried: &[u32], root: Position) -> Vec<Known> {
    let mut known: Vec<Known> = Vec::new();
    // Levels are used once on a path: an attribute so used costs nothing below.
    let mut open = vec![(ROOT, None, root, data.attributes().len())];
    while let Some((at, parent, position, attributes)) = open.pop() {
        let node = &draft.nodes[at];
        let Some(test) = &node.test else { continue };
        let cost = f64::from(next_samples(tried[at])) * total(&node.weights) * (attributes as f64).powi(3);
        let leaves = test.children.iter().filter(|&&child| draft.nodes[child].test.is_none()).count();
        let place = known.len();
        known.push(Known { at, parent, position, leaves, cost: cost.max(SMALL), minimal: false });
        let left = attributes - usize::from(matches!(test.split, Split::Levels { .. }));
        let below = test.children.iter().enumerate().rev();
        open.extend(below.map(|(branch, &child)| (child, Some((place, branch)), position.below(branch), left.max(1))));
    }
    for place in (0..known.len()).rev() {
        let leaves = known[place].leaves;
        if let Some((parent, _)) = known[place].parent {
            known[parent].leaves += leaves;
        }
        let classes = draft.nodes[known[place].at].weights.iter().filter(|&&weight| weight > SMALL).count();
        known[place].minimal = leaves <= classes.max(2);
    }
    known
}

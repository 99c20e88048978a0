//! Parts of a large tree, to be pruned side by side: what becomes of a subtree depends on nothing outside it, until a branch
//! above it is raised.

use crate::grow::{Draft, DraftNode, ROOT};

/// A tree of fewer nodes is not taken apart.
const FEWEST: usize = 256;

/// A part has so many nodes at least.
const LEAST: usize = 8;

/// A subtree that was taken out of a draft.
pub(super) struct Part {
    pub draft: Draft,
    /// Where its nodes were.
    places: Vec<usize>,
}

/// Takes a draft apart where more than one thread is there to prune it. Only what is above all parts is left in it.
pub(super) fn take_apart(draft: &mut Draft) -> Vec<Part> {
    let threads = rayon::current_num_threads();
    if threads == 1 || draft.nodes.len() < FEWEST {
        return Vec::new();
    }
    let sizes = sizes(draft);
    // Small enough that there are some for every thread, and large enough that little is left above them.
    let most = sizes[ROOT] / (2 * threads);
    let (mut parts, mut open) = (Vec::new(), vec![ROOT]);
    while let Some(at) = open.pop() {
        match sizes[at] {
            size if size > most => open.extend(draft.nodes[at].test.iter().flat_map(|test| &test.children)),
            size if size >= LEAST => parts.push(Part::take(draft, at)),
            _ => {}
        }
    }
    parts
}

/// The nodes at and below each.
fn sizes(draft: &Draft) -> Vec<usize> {
    let mut sizes = vec![1; draft.nodes.len()];
    // A node comes after its parent in the draft, its children after it.
    for at in (0..sizes.len()).rev() {
        if let Some(test) = &draft.nodes[at].test {
            sizes[at] += test.children.iter().map(|&child| sizes[child]).sum::<usize>();
        }
    }
    sizes
}

impl Part {
    /// Of the node `at` and all below it.
    fn take(draft: &mut Draft, at: usize) -> Self {
        let nothing = || DraftNode { weights: Vec::new(), test: None, rows: Vec::new() };
        let (mut nodes, mut places) = (Vec::new(), vec![at]);
        while let Some(&place) = places.get(nodes.len()) {
            let mut node = std::mem::replace(&mut draft.nodes[place], nothing());
            for child in node.test.iter_mut().flat_map(|test| &mut test.children) {
                places.push(*child);
                *child = places.len() - 1;
            }
            nodes.push(node);
        }
        Part { draft: Draft { nodes }, places }
    }

    /// Puts the nodes back; answers where they are.
    pub fn put_back(self, draft: &mut Draft) -> Vec<usize> {
        for (mut node, &place) in self.draft.nodes.into_iter().zip(&self.places) {
            let children = node.test.iter_mut().flat_map(|test| &mut test.children);
            children.for_each(|child| *child = self.places[*child]);
            draft.nodes[place] = node;
        }
        self.places
    }
}

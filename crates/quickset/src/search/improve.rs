//! Subtrees that are rebuilt. The next is the one that promises the most leaves less for its cost (IIDT, Choose-Node).
//!
//! Rebuilding takes r · rows · attributes³ steps, where r doubles each time a node is rebuilt. A subtree that could be
//! replaced by one of two levels is the largest reduction counted on.
//!
//! Costs fall faster on the way down than leaves do, so that by this alone the deepest subtrees that are allowed come first,
//! and a tree with a wrong test at its root would be mended below it for long. So the root has its turn whenever the
//! others have had a share of what its next turn costs: whatever more samples find for the whole tree is found in little
//! more time than without subtrees.

use std::sync::Arc;

use super::refit::{refit, rows_at};
use super::stages::{self, MOST_SAMPLES};
use super::{Best, Engine, GivesWayTo, Made};
use crate::data::Dataset;
use crate::error::Result;
use crate::grow::{Draft, Position, ROOT, Start, Task, grow_from};
use crate::measure::{SMALL, total};
use crate::prune;
use crate::recipe::{SAMPLES_WITHOUT_BUDGET, STEPS_WITHOUT_BUDGET, Search};
use crate::split::Split;

/// The root has its turn when others have had this share of its cost.
const SHARE_OF_OTHERS: f64 = 0.1;

/// A subtree to rebuild.
#[derive(Clone, Debug, PartialEq)]
struct Choice {
    pub at: usize,
    /// With so many samples.
    pub samples: u32,
    /// In steps.
    pub cost: f64,
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

/// What others have had since the root was rebuilt, after one more was. What is more than their share is counted against
/// their next one: a subtree may cost half of what the whole tree does.
fn spent_after(choice: &Choice, spent: f64) -> f64 {
    match choice.path.is_empty() {
        true => (spent - SHARE_OF_OTHERS * choice.cost).max(0.0),
        false => spent + choice.cost,
    }
}

/// The subtree to rebuild, if one is left that may become smaller. `tried` are the samples that each node of the draft
/// was last grown with, `spent` is that of [`spent_after`].
fn choose(data: &Dataset, draft: &Draft, tried: &[u32], spent: f64, root: Position, g: f64) -> Option<Choice> {
    let known = look(data, draft, tried, root);
    let of_root = known.first()?.cost;
    let largest_arity = data.attributes().iter().map(|column| column.levels().map_or(2, <[String]>::len)).max()?;
    let counted_on = (largest_arity * largest_arity) as f64;
    let more = |node: &Known| !node.minimal && next_samples(tried[node.at]) as usize <= MOST_SAMPLES;
    let open = |node: &&Known| more(node) && node.cost >= g * of_root * (1.0 - SMALL);
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
    let turn = tried[ROOT] == 0 || spent >= SHARE_OF_OTHERS * of_root;
    let chosen = match &known[0] {
        whole if turn && more(whole) => whole,
        _ => promising.or_else(|| best(&|node| node.leaves as f64))?.0,
    };
    let mut path = Vec::new();
    let mut above = chosen.parent;
    while let Some((parent, branch)) = above {
        path.push((known[parent].at, branch));
        above = known[parent].parent;
    }
    path.reverse();
    let Known { at, position, cost, .. } = *chosen;
    Some(Choice { at, samples: next_samples(tried[at]), cost, position, path })
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

/// By attribute: whether a subtree asks it.
fn asked_below(data: &Dataset, draft: &Draft, at: usize) -> Arc<[bool]> {
    let mut asked = vec![false; data.attributes().len()];
    let mut open = vec![at];
    while let Some(at) = open.pop() {
        if let Some(test) = &draft.nodes[at].test {
            asked[test.split.attribute()] = true;
            open.extend(&test.children);
        }
    }
    asked.into()
}

impl Engine<'_> {
    /// Rebuilds one subtree of the best tree after the other.
    pub(super) fn improve(&mut self) -> Result<()> {
        let given = self.learner.recipe();
        let (Search::Improve { g, steps } | Search::Auto { g, steps, .. }) = given.search else { return Ok(()) };
        let unlimited = steps.is_some() || self.run.signal.left().is_some();
        let limit = steps.or((!unlimited).then_some(STEPS_WITHOUT_BUDGET));
        let most = if unlimited { MOST_SAMPLES } else { SAMPLES_WITHOUT_BUDGET };
        if self.is_over() || limit.is_some_and(|limit| self.steps >= limit) {
            return Ok(());
        }
        let recipe = stages::look_ahead(given);
        let (learner, data, class, signal) = (self.learner.by(&recipe), self.data, self.class, self.run.signal);
        learner.with_task(data, class, self.rows.clone(), signal, |task| {
            if let Some(best) = &mut self.best {
                // What came from a file or another recipe has to know its rows.
                refit(data, class, &mut best.draft, &task.rows, task.keeps_rows);
                // Whole trees were made with so many samples already.
                let made = self.r.map_or(0, |r| r as u32);
                best.tried[ROOT] = best.tried[ROOT].max(made);
            }
            while limit.is_none_or(|limit| self.steps < limit) && !self.is_over() {
                if !self.step(&task, g, most)? {
                    return Ok(());
                }
            }
            Ok(())
        })
    }

    /// Rebuilds one subtree, with no more than `most` samples. Answers whether there is more to do.
    fn step(&mut self, task: &Task<'_>, g: f64, most: usize) -> Result<bool> {
        let Some(best) = &self.best else { return Ok(false) };
        let Some(choice) = choose(self.data, &best.draft, &best.tried, best.spent, Position::root(task.recipe), g)
        else {
            self.exhausted = true;
            return Ok(false);
        };
        if choice.samples as usize > most {
            return Ok(false);
        }
        let what = match choice.path.len() {
            0 => format!("the whole tree, r={}", choice.samples),
            depth => format!("a subtree at depth {depth}, r={}", choice.samples),
        };
        self.tell(&what, false);
        let Some(best) = &mut self.best else { return Ok(false) };
        let reached = rows_at(self.data, &best.draft, &task.rows, &choice.path);
        let weights = (!reached.weights.is_empty()).then_some(reached.weights);
        let position = Position { samples: choice.samples as usize, ..choice.position };
        // What the subtree asks that is there costs nothing. Of the whole tree that would be nearly all there is.
        let free = if choice.path.is_empty() { None } else { Some(asked_below(self.data, &best.draft, choice.at)) };
        let part = grow_from(task, Start { rows: reached.rows, weights, position, free });
        if task.signal.is_raised() {
            return Ok(false);
        }
        self.steps += 1;
        best.tried[choice.at] = choice.samples;
        best.spent = spent_after(&choice, best.spent);
        let spent = best.spent;
        let mut draft = best.draft.clone();
        let mut tried = best.tried.clone();
        draft.graft(choice.at, part);
        // All of the new subtree was grown with so many.
        tried.resize(draft.nodes.len(), choice.samples);
        prune::prune(task, &mut draft, &[])?;
        tried = draft.compact().into_iter().map(|at| tried[at]).collect();
        let whole = choice.path.is_empty();
        // A whole tree that looks ahead gives way to another, if only training errors tell them apart.
        let looked_ahead = if self.judge.is_of_training() { GivesWayTo::AboutAsSmall } else { GivesWayTo::Nothing };
        if draft.asks_the_same(&best.draft) {
            // What was found again is there with as many samples.
            best.tried.iter_mut().zip(tried).for_each(|(known, tried)| *known = tried.max(*known));
            best.gives_way = if whole { looked_ahead } else { best.gives_way };
            self.save(false);
            return Ok(true);
        }
        let worth = self.judge.worth(&draft);
        let fits = task.recipe.stop.max_leaves.is_none_or(|most| worth.leaves <= most);
        let takes_over = whole && best.gives_way_to(&worth, task.rows.len());
        if fits && (takes_over || worth.is_better_than(&best.worth)) {
            let fewest = best.fewest_with(&worth);
            let gives_way = if whole || best.gives_way == GivesWayTo::Any { looked_ahead } else { best.gives_way };
            self.keep(Best { draft, worth, fewest, tried, spent, made: Made::Otherwise, gives_way }, &what);
        } else {
            self.save(false);
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{ReadOptions, read};
    use crate::recipe::Recipe;
    use crate::{Learner, Model};

    fn grown(set: &str) -> (Dataset, Draft) {
        let data = read(&format!("builtin:{set}"), &ReadOptions::default()).unwrap();
        let model: Model = Learner::new(Recipe::id3()).unwrap().fit(&data).unwrap();
        let draft = Draft::of_tree(model.tree());
        (data, draft)
    }

    #[test]
    fn the_root_comes_first_then_what_promises_most_for_its_cost_and_the_root_has_its_turn_again() {
        let (data, draft) = grown("mux-11");
        let root = Position::root(&Recipe::iidt());
        let mut tried = vec![0; draft.nodes.len()];
        let choose = |tried: &[u32], spent: f64, g: f64| choose(&data, &draft, tried, spent, root, g);
        let first = choose(&tried, 0.0, 0.1).unwrap();
        assert_eq!((first.at, first.samples, first.path.len()), (ROOT, 1, 0));
        assert_eq!(first.cost, 2048.0 * 11f64.powi(3));
        tried[ROOT] = 1;
        let second = choose(&tried, 0.0, 0.1).unwrap();
        assert!(second.at != ROOT && second.samples == 1 && second.cost >= 0.1 * 2.0 * first.cost);
        assert_eq!(second.path[0].0, ROOT);
        // All others that are allowed promise less for their cost.
        let b2 = 4.0;
        for node in look(&data, &draft, &tried, root).iter().filter(|node| node.cost >= 0.2 * first.cost) {
            let chosen = look(&data, &draft, &tried, root).into_iter().find(|node| node.at == second.at).unwrap();
            let worth = |node: &Known| (node.leaves as f64 - b2).max(0.0) / node.cost;
            assert!(worth(node) <= worth(&chosen) + 1e-15);
        }
        assert_eq!(choose(&tried, second.cost, 0.1).unwrap().at, ROOT, "the others have had their share");
        assert_eq!(choose(&tried, 0.0, 1.0).unwrap().at, ROOT, "nothing else costs as much");
        let spent = spent_after(&second, 0.0);
        assert_eq!((spent, spent_after(&first, 0.0)), (second.cost, 0.0));
        assert_eq!(spent_after(&first, spent), second.cost - 0.1 * first.cost, "what they have had too much");
        assert_eq!(choose(&tried, 0.0, 1.0).unwrap().samples, 2);
    }

    #[test]
    fn the_attributes_of_a_subtree_are_those_of_its_tests() {
        let (data, draft) = grown("weather");
        let test = draft.nodes[ROOT].test.as_ref().unwrap();
        let below = |branch: usize| asked_below(&data, &draft, test.children[branch]);
        // Outlook, then humidity where it is sunny, and wind where it rains.
        assert_eq!(*asked_below(&data, &draft, ROOT), [true, false, true, true]);
        assert_eq!([&*below(0), &*below(1)], [&[false, false, true, false], &[false; 4]]);
        assert_eq!(*below(2), [false, false, false, true]);
    }

    #[test]
    fn nothing_is_chosen_where_no_subtree_can_be_smaller() {
        let (data, mut draft) = grown("weather");
        let root = Position::root(&Recipe::iidt());
        let none = vec![0; draft.nodes.len()];
        assert!(choose(&data, &draft, &none, 0.0, root, 0.1).is_some());
        let much = vec![MOST_SAMPLES as u32; draft.nodes.len()];
        assert_eq!(choose(&data, &draft, &much, f64::INFINITY, root, 0.0), None);
        draft.cut(ROOT);
        assert_eq!(choose(&data, &draft, &none, 0.0, root, 0.1), None);
    }
}

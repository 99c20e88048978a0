//! LSID3 as it is written in the paper, row by row: every test divides copies of rows, every count is made anew, and
//! nothing is given up early. Nominal attributes without missing values.

use std::collections::BTreeSet;

use super::super::{ATTRIBUTE, LEAF};
use crate::grow::{Draft, Position, ROOT, Task};
use crate::measure::{Gain, Measure, SMALL, Table};
use crate::recipe::{Lookahead, Sampler};
use crate::split::Split;

/// A tree as text: the attribute of every test with its branches, a dot for a leaf.
pub fn text(draft: &Draft, at: usize) -> String {
    match &draft.nodes[at].test {
        None => ".".into(),
        Some(test) => {
            let Split::Levels { attribute } = test.split else { panic!("a test of levels") };
            branches(attribute, test.children.iter().map(|&child| text(draft, child)))
        }
    }
}

pub fn root(draft: &Draft) -> String {
    text(draft, ROOT)
}

fn branches(attribute: usize, children: impl Iterator<Item = String>) -> String {
    format!("{attribute}({})", children.collect::<Vec<_>>().join(" "))
}

/// The tree of LSID3. Where trees are sampled in one order, `kept` is the one by which the node's parent was chosen.
pub fn lsid3(task: &Task<'_>, rows: &[u32], position: Position, kept: Option<Position>) -> String {
    let Some(Lookahead::Samples { sampler, .. }) = task.recipe.lookahead else { panic!("it looks ahead by samples") };
    let mut free = BTreeSet::new();
    if let Some(kept) = kept {
        ordered(task, rows, kept, &mut free);
    }
    let cost = |part: &[u32], place: Position| match sampler {
        Sampler::Ordered => {
            let mut asked = free.clone();
            let leaves = ordered(task, part, place, &mut asked);
            LEAF * leaves + ATTRIBUTE * (asked.len() - free.len())
        }
        _ => LEAF * sid3(task, part, place),
    };
    let gains = gains(task, rows);
    let mut best: Option<(usize, usize, f64, Vec<Position>)> = None;
    for &(attribute, gain) in &gains {
        let mut total = if free.contains(&attribute) { 0 } else { ATTRIBUTE };
        let mut trees = Vec::new();
        for (branch, part) in divided(task, rows, attribute).iter().enumerate() {
            let places = (0..position.samples).map(|at| position.sample(attribute, 0, branch, at));
            let (least, place) = places.map(|place| (cost(part, place), place)).min_by_key(|(cost, _)| *cost).unwrap();
            total += least;
            trees.push(place);
        }
        if best.as_ref().is_none_or(|(_, least, most, _)| total < *least || total == *least && gain > most + SMALL) {
            best = Some((attribute, total, gain, trees));
        }
    }
    let Some((attribute, .., trees)) = best else { return ".".into() };
    let parts = divided(task, rows, attribute).into_iter().enumerate();
    let kept = |branch: usize| match sampler {
        Sampler::Ordered if gains.len() > 1 => Some(trees[branch]),
        _ => kept,
    };
    branches(attribute, parts.map(|(branch, part)| lsid3(task, &part, position.below(branch), kept(branch))))
}

/// The leaves of a tree of one order, and the attributes it asks.
fn ordered(task: &Task<'_>, rows: &[u32], tree: Position, asked: &mut BTreeSet<usize>) -> usize {
    let gains = gains(task, rows);
    let certain = |&attribute: &usize| {
        divided(task, rows, attribute).iter().all(|part| per_class(task, part).iter().filter(|&&n| n > 0.0).count() < 2)
    };
    let mut order: Vec<usize> = gains.into_iter().map(|(attribute, _)| attribute).collect();
    order.sort_by(|&a, &b| tree.order(b).total_cmp(&tree.order(a)));
    let Some(&first) = order.iter().find(|attribute| certain(attribute)).or(order.first()) else { return 1 };
    asked.insert(first);
    divided(task, rows, first).iter().map(|part| ordered(task, part, tree, asked)).sum()
}

/// The leaves of a tree of SID3.
pub fn sid3(task: &Task<'_>, rows: &[u32], position: Position) -> usize {
    let gains = gains(task, rows);
    let entropy = Gain.of(&Table::new(task.class_count, per_class(task, rows), 0.0));
    let certain: Vec<usize> =
        gains.iter().filter(|(_, gain)| entropy - gain < 1e-9).map(|&(attribute, _)| attribute).collect();
    let draw = position.draw(0);
    let attribute = if gains.is_empty() {
        return 1;
    } else if certain.is_empty() {
        let mut left = draw * gains.iter().map(|(_, gain)| gain.max(0.0) + 1e-3).sum::<f64>();
        let mut chosen = gains[0].0;
        for &(attribute, gain) in &gains {
            chosen = attribute;
            left -= gain.max(0.0) + 1e-3;
            if left < 0.0 {
                break;
            }
        }
        chosen
    } else {
        certain[(draw * certain.len() as f64) as usize]
    };
    let parts = divided(task, rows, attribute).into_iter().enumerate();
    parts.map(|(branch, part)| sid3(task, &part, position.below(branch))).sum()
}

/// A table in which every row is a branch of its own: its gain is the entropy.
fn per_class(task: &Task<'_>, rows: &[u32]) -> Vec<f64> {
    let mut cells = vec![0.0; task.class_count * task.class_count];
    for &row in rows {
        let class = usize::from(task.classes[row as usize]);
        cells[class * task.class_count + class] += 1.0;
    }
    cells
}

/// The attributes that divide some rows of several classes, with their gains.
fn gains(task: &Task<'_>, rows: &[u32]) -> Vec<(usize, f64)> {
    if rows.iter().all(|&row| task.classes[row as usize] == task.classes[rows[0] as usize]) {
        return Vec::new();
    }
    let mut gains = Vec::new();
    for attribute in 0..task.data.attributes().len() {
        let parts = divided(task, rows, attribute);
        if parts.iter().filter(|part| !part.is_empty()).count() < 2 {
            continue;
        }
        let mut cells = vec![0.0; parts.len() * task.class_count];
        for (level, part) in parts.iter().enumerate() {
            part.iter()
                .for_each(|&row| cells[level * task.class_count + usize::from(task.classes[row as usize])] += 1.0);
        }
        gains.push((attribute, Gain.of(&Table::new(task.class_count, cells, 0.0))));
    }
    gains
}

fn divided(task: &Task<'_>, rows: &[u32], attribute: usize) -> Vec<Vec<u32>> {
    let column = &task.data.attributes()[attribute];
    let mut parts = vec![Vec::new(); column.levels().map_or(0, <[String]>::len)];
    for &row in rows {
        if let crate::data::Value::Level(code) = column.value(row as usize) {
            parts[code as usize].push(row);
        }
    }
    parts
}

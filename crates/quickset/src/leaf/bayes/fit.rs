//! From rows to the naive Bayes models of all leaves, one column at a time.
//!
//! A column is listed once: its entries with the leaf, class and weight of their rows, put together by leaf. The zeros
//! of a sparse column are not listed; their weight is what the leaf has and the entries have not. Where a leaf's rows
//! have no entry, the column has no say there.

use rayon::prelude::*;

use super::adaptive::Adaptive;
use super::density::{Kernels, Normals};
use super::{Evidence, Likelihood, NaiveBayes};
use crate::data::{Class, Column, ColumnData, Dataset, MISSING};
use crate::density::{Chosen, Scale};
use crate::error::{Error, Result};
use crate::measure::SMALL;
use crate::recipe::Density;
use crate::split::mdl::{Labelled, mdl_cuts};

/// Which leaves the rows of a dataset reach.
pub(crate) struct Places {
    /// Row r reaches `reached[starts[r]..starts[r + 1]]`.
    starts: Vec<usize>,
    reached: Vec<Reached>,
    leaves: usize,
}

/// A leaf, counted from 0, and the weight with which a row reaches it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reached {
    pub leaf: u32,
    pub weight: f64,
}

impl Places {
    /// What the rows of data of so many reach, in any order; rows that reach nothing are not learnt from.
    pub fn new(leaves: usize, rows: usize, all: &[(u32, Reached)]) -> Self {
        let mut starts = vec![0; rows + 1];
        all.iter().for_each(|(row, _)| starts[*row as usize + 1] += 1);
        (0..rows).for_each(|row| starts[row + 1] += starts[row]);
        let mut next = starts.clone();
        let mut reached = vec![Reached { leaf: 0, weight: 0.0 }; all.len()];
        for (row, of_row) in all {
            let next = &mut next[*row as usize];
            reached[*next] = *of_row;
            *next += 1;
        }
        Places { starts, reached, leaves }
    }

    fn of(&self, row: usize) -> &[Reached] {
        &self.reached[self.starts[row]..self.starts[row + 1]]
    }
}

/// A model for every leaf. Scales of numbers are those of `rows`, all that were learnt from.
pub(crate) fn fit(
    data: &Dataset,
    class: &Class,
    rows: &[u32],
    places: &Places,
    density: Density,
    chosen: &Chosen,
) -> Result<Vec<NaiveBayes>> {
    let mut weights = vec![vec![0.0; class.levels.len()]; places.leaves];
    for (row, &code) in class.codes.iter().enumerate() {
        places.of(row).iter().for_each(|place| weights[place.leaf as usize][usize::from(code)] += place.weight);
    }
    let mut rows = rows.to_vec();
    rows.sort_unstable();
    let fit = Fit { class, rows, places, weights, density, chosen };
    let columns: Vec<Vec<(u32, Likelihood)>> =
        data.attributes().par_iter().map(|column| fit.column(column)).collect::<Result<_>>()?;
    let mut models = vec![NaiveBayes { evidence: Vec::new() }; places.leaves];
    for (attribute, column) in columns.into_iter().enumerate() {
        for (leaf, given) in column {
            models[leaf as usize].evidence.push(Evidence { attribute, given });
        }
    }
    Ok(models)
}

struct Fit<'d> {
    class: &'d Class,
    /// Ascending.
    rows: Vec<u32>,
    places: &'d Places,
    /// By leaf and class.
    weights: Vec<Vec<f64>>,
    density: Density,
    chosen: &'d Chosen,
}

impl Fit<'_> {
    /// What a column says at every leaf where it has a say.
    fn column(&self, column: &Column) -> Result<Vec<(u32, Likelihood)>> {
        let listed = self.listed(column);
        if self.density == Density::Multinomial
            && column.levels().is_none()
            && let Some((_, wrong)) = listed.iter().find(|(_, row)| row.value < 0.0)
        {
            return Err(Error::data(format!("found {}, expected counts, for leaf.density=multinomial", wrong.value))
                .in_column(column.name())
                .remedy("use leaf.density=normal, or leave the column out with --ignore"));
        }
        let scale = if self.density == Density::Adaptive { Scale::of(column, &self.rows) } else { None };
        let scale = scale.map(|scale| (scale, self.chosen));
        let leaves = listed.chunk_by(|a, b| a.0 == b.0);
        let given = leaves.filter_map(|rows| {
            let leaf = rows[0].0;
            let known = self.with_zeros(column, leaf, rows);
            let classes = self.class.levels.len();
            Some((leaf, given(&known, column.levels().is_some(), self.density, scale, classes)?))
        });
        Ok(given.collect())
    }

    /// The entries of a column by leaf. Levels are listed by their code. Dense columns ascend within a leaf, where the
    /// density asks for it, and lack missing values; sparse ones have them as NaN.
    fn listed(&self, column: &Column) -> Vec<(u32, Labelled)> {
        let mut listed = Vec::with_capacity(if column.is_sparse() { 0 } else { self.places.reached.len() });
        let mut list = |row: u32, value: f64| {
            let class = self.class.codes[row as usize];
            let places = self.places.of(row as usize).iter();
            listed.extend(places.map(|place| (place.leaf, Labelled { value, class, weight: place.weight })));
        };
        let code = |code: u32| if code == MISSING { f64::NAN } else { f64::from(code) };
        let rows = 0..column.len() as u32;
        match column.data() {
            ColumnData::Numeric(values) if self.density == Density::Multinomial => {
                rows.zip(values).filter(|(_, value)| value.is_finite()).for_each(|(row, &value)| list(row, value));
            }
            ColumnData::Numeric(values) => {
                column.order().items().iter().for_each(|item| list(item.row(), values[item.row() as usize]));
            }
            ColumnData::Numeric32(values) if self.density == Density::Multinomial => {
                let known = rows.zip(values).filter(|(_, value)| value.is_finite());
                known.for_each(|(row, &value)| list(row, f64::from(value)));
            }
            ColumnData::Numeric32(values) => {
                let value = |row: u32| f64::from(values[row as usize]);
                column.order().items().iter().for_each(|item| list(item.row(), value(item.row())));
            }
            ColumnData::Nominal { codes, .. } => {
                rows.zip(codes)
                    .filter(|(_, level)| **level != MISSING)
                    .for_each(|(row, &level)| list(row, code(level)));
            }
            ColumnData::SparseNumeric(sparse) => {
                sparse.rows.iter().zip(&sparse.values).for_each(|(&row, &value)| list(row, value));
            }
            ColumnData::SparseNominal { codes, .. } => {
                codes.rows.iter().zip(&codes.values).for_each(|(&row, &level)| list(row, code(level)));
            }
        }
        listed.sort_by_key(|(leaf, _)| *leaf);
        listed
    }

    /// The known values of one leaf's rows; those of a sparse column ascend and have its zeros, as one row per class,
    /// unless zeros only add nothing.
    fn with_zeros(&self, column: &Column, leaf: u32, rows: &[(u32, Labelled)]) -> Vec<Labelled> {
        let mut known: Vec<Labelled> = rows.iter().map(|(_, row)| *row).filter(|row| row.value.is_finite()).collect();
        let summed = self.density == Density::Multinomial && column.levels().is_none();
        if column.is_sparse() && !summed {
            let mut zeros = self.weights[leaf as usize].clone();
            rows.iter().for_each(|(_, row)| zeros[usize::from(row.class)] -= row.weight);
            let zeros = zeros.into_iter().enumerate().filter(|(_, weight)| *weight > SMALL);
            known.extend(zeros.map(|(class, weight)| Labelled { value: 0.0, class: class as u16, weight }));
            known.sort_by(|a, b| a.value.total_cmp(&b.value));
        }
        known
    }
}

/// What known values say; numbers ascend, and have a scale and bandwidths chosen before where the
/// density is adaptive. `None` where all classes have
/// the same likelihood, whatever the value.
pub(super) fn given(
    known: &[Labelled],
    nominal: bool,
    density: Density,
    scale: Option<(Scale, &Chosen)>,
    classes: usize,
) -> Option<Likelihood> {
    if nominal {
        let mut seen: Vec<u32> = known.iter().map(|row| row.value as u32).collect();
        seen.sort_unstable();
        seen.dedup();
        let mut weights = vec![vec![0.0; seen.len()]; classes];
        for row in known {
            let item = seen.partition_point(|&level| level < row.value as u32);
            weights[usize::from(row.class)][item] += row.weight;
        }
        return (!seen.is_empty()).then_some(Likelihood::Levels { seen, weights });
    }
    // Where all are zero the densities are those of a class without rows, and counts tell nothing.
    if known.iter().all(|row| row.value == 0.0) {
        return None;
    }
    match density {
        Density::Normal => Some(Likelihood::Normal(Normals::of(known, classes))),
        Density::Kernel => Some(Likelihood::Kernel(Kernels::of(known, classes))),
        Density::Adaptive => {
            let (scale, chosen) = scale?;
            Adaptive::of(known, scale, classes, chosen).map(Likelihood::Adaptive)
        }
        Density::Discretised => {
            let cuts = mdl_cuts(known, classes);
            let mut weights = vec![vec![0.0; cuts.len() + 1]; classes];
            for row in known {
                weights[usize::from(row.class)][cuts.partition_point(|&cut| cut < row.value)] += row.weight;
            }
            (!cuts.is_empty()).then_some(Likelihood::Intervals { cuts, weights })
        }
        Density::Multinomial => {
            let mut sums = vec![0.0; classes];
            known.iter().for_each(|row| sums[usize::from(row.class)] += row.weight * row.value);
            Some(Likelihood::Counts(sums.into_iter().map(|sum: f64| sum.min(f64::MAX)).collect()))
        }
    }
}

//! The tables of all attributes, by attribute.

use std::sync::OnceLock;

use rayon::prelude::*;

use super::counting::Counting;
use super::presence::Presences;
use super::spread::Spread;
use crate::data::{Column, Dataset};

/// The tables of all attributes.
#[derive(Debug)]
pub(crate) struct Spreads {
    /// `None` where nothing can be told apart, and for identifiers; not there yet for a word nobody asked for.
    made: Vec<OnceLock<Option<Box<Spread>>>>,
    presences: Option<Presences>,
}

impl Spreads {
    /// Counts all attributes: words here, and others by `spread`.
    pub(super) fn count(
        counting: &Counting<'_>,
        data: &Dataset,
        spread: impl Fn(usize, &Column) -> Option<Spread> + Sync,
    ) -> Self {
        let presences = Presences::count(counting, data);
        let made = |(attribute, column): (usize, &Column)| {
            if presences.as_ref().is_some_and(|presences| presences.is_word(attribute)) {
                return OnceLock::new();
            }
            OnceLock::from(spread(attribute, column).map(Box::new))
        };
        Spreads { made: data.attributes().par_iter().enumerate().map(made).collect(), presences }
    }

    /// Those of known tables.
    #[cfg(test)]
    pub fn of(made: Vec<Option<Spread>>) -> Self {
        let made = made.into_iter().map(|spread| OnceLock::from(spread.map(Box::new))).collect();
        Spreads { made, presences: None }
    }

    /// How many attributes there are.
    pub fn len(&self) -> usize {
        self.made.len()
    }

    pub fn get(&self, attribute: usize) -> Option<&Spread> {
        let word = || self.presences.as_ref().and_then(|presences| presences.spread(attribute)).map(Box::new);
        self.made[attribute].get_or_init(word).as_deref()
    }

    /// Those that are there, with their attributes: all but those of words nobody asked for.
    pub fn made(&self) -> impl Iterator<Item = (usize, &Spread)> {
        let made = self.made.iter().enumerate();
        made.filter_map(|(attribute, spread)| Some((attribute, spread.get()?.as_deref()?)))
    }

    pub fn presences(&self) -> Option<&Presences> {
        self.presences.as_ref()
    }
}

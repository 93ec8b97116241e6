//! The explorers, tested on programs of the kit.

mod bounded;
mod common;
mod cuts;
mod divided;
mod divided_by_bounds;
mod findings;
mod limits;
mod races;
mod random_programs;
mod reach;
mod resuming;
mod shapes;
mod thesis_examples;
mod unfolding_examples;
mod unfoldings;
mod written_programs;

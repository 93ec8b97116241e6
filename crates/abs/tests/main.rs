//! The front end for ABS, tested from outside.

mod acceptance;
mod benchmark;
mod corpus;
mod corpus_runs;
mod deadlock_models;
mod deadlocks;
mod deadlocks_random;
mod deadlocks_table;
mod errors;
mod generation;
mod initial_contexts;
mod lowering;
mod machine_runs;
mod mutations;
mod product_lines;
mod random_numbers;
mod syntax;
mod table_7_1;

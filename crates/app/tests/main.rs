//! The command line, tested as a user sees it.

mod abs;
mod common;
mod deadlocks;
mod documents;
mod examples;
mod generate;
mod generate_jobs;
mod hostile;
mod hostile_models;
mod java;
mod java_inputs;
mod java_page;
mod jobs;
mod junit;
mod libraries;
mod local_commands;
mod misuse;
mod ray;
mod reach;
mod reports;
mod screens;
mod serve;
mod serve_browser;
mod sessions;
mod terminal;
mod truth;

mod common;
use counterpoint_testkit::random::{self, Features};
#[test]
fn one() {
    let features = Features {
        inputs: std::env::var("INPUTS").is_ok(),
        semaphores: std::env::var("SEM").is_ok(),
        ..Features::ALL
    };
    let seed = std::env::var("SEED").unwrap().parse().unwrap();
    let p = random::program(seed, features);
    println!("{p}");
    let r = common::explore(counterpoint_explore::explorer("optimal").unwrap(), &p);
    println!("{:?}", r.statistics);
}

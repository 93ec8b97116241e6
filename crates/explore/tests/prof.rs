mod common;
use counterpoint_testkit::shapes;
#[test]
fn prof() {
    let which = std::env::var("SHAPE").unwrap_or_default();
    let p = match which.as_str() {
        "lock" => shapes::lock(5),
        "dining" => shapes::dining(6),
        _ => shapes::fib(5),
    };
    let start = std::time::Instant::now();
    let r = (counterpoint_explore::explorer("optimal").unwrap().explore)(
        counterpoint_explore::Assignment {
            program: &p,
            unit: Default::default(),
            limits: Default::default(),
            properties: vec![],
            sink: &mut counterpoint_explore::Silent,
            seed: 0,
        },
    );
    println!("{:?} {:?}", r.statistics, start.elapsed());
}

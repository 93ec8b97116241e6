//! The models of the reference figures, built by hand.

use std::sync::Arc;

use counterpoint_abs::program::{
    BinaryOperation, Comparison, ConstantId, ConstructorId, Instruction, Model, NewPlace, Operand,
    Place,
};

use super::assembler::{Assembler, argument, field, to_field};

const NULL: Operand = Operand::Constant(ConstantId::NULL);
const UNIT: Operand = Operand::Constant(ConstantId::UNIT);

/// A database and its workers (figure 2.2 of the thesis on active objects, with one client field and
/// a comparison per worker instead of a list: who is registered is all that matters).
pub fn database(workers: usize) -> Arc<Model> {
    let mut model = Assembler::new();
    // Fields: data, clients (a list).
    let database = model.class("DB", 0, &["data", "clients"]);
    let worker = model.class("Worker", 0, &["data"]);
    model.init(database, |code| {
        let seven = code.int(7);
        code.copy(to_field(0), seven);
        let elements = code.arguments(&[]);
        code.emit(Instruction::List { to: to_field(1), elements });
    });
    model.method(database, "register", 1, |code| {
        let five = code.int(5);
        let future = code.send(argument(0), "ping", &[five]);
        let answer = code.local();
        code.get(Place::Slot(answer), future);
        let skip = code.test(Comparison::Equal, Operand::Slot(answer), five);
        let arguments = code.arguments(&[argument(0), field(1)]);
        let constructor = ConstructorId::CONS;
        code.emit(Instruction::Construct { to: to_field(1), constructor, arguments });
        code.land(skip);
        code.give(UNIT);
    });
    model.method(database, "getData", 1, |code| {
        let rest = code.local();
        let head = code.local();
        code.copy(Place::Slot(rest), field(1));
        let again = code.here();
        let end = code.emit(Instruction::TestConstructor {
            subject: Operand::Slot(rest),
            constructor: ConstructorId::CONS,
            otherwise: again + 5,
        });
        assert_eq!(end as u32, again);
        let from = Operand::Slot(rest);
        code.emit(Instruction::Project { to: Place::Slot(head), from, index: 0 });
        let other = code.test(Comparison::Equal, Operand::Slot(head), argument(0));
        code.give(field(0));
        code.land(other);
        let jump = code.emit(Instruction::Jump { target: again + 6 });
        code.give(NULL);
        code.land(jump);
        code.emit(Instruction::Project { to: Place::Slot(rest), from, index: 1 });
        code.emit(Instruction::Jump { target: again });
    });
    model.method(worker, "work", 1, |code| {
        let future = code.send(argument(0), "getData", &[Operand::This]);
        code.get(to_field(0), future);
    });
    model.method(worker, "ping", 1, |code| code.give(argument(0)));
    model.main(|code| {
        let database = code.create(database, NewPlace::OwnCog, &[]);
        for _ in 0..workers {
            let worker = code.create(worker, NewPlace::OwnCog, &[]);
            code.send(database, "register", &[worker]);
            code.send(worker, "work", &[database]);
        }
    });
    model.finish()
}

/// A factorial computed by a chain of objects: each multiplies as many factors as it may, and hands
/// the rest to a new object. Its bug: the result is reported when the next object has reported, even
/// if the object's own work is not yet done.
pub fn factorial(number: i64, most: i64) -> Arc<Model> {
    let mut model = Assembler::new();
    let class = model.class("Fact", 2, &["max", "boss", "r"]);
    let (max, boss, result) = (0, 1, 2);
    model.init(class, |code| {
        let one = code.int(1);
        code.copy(to_field(result), one);
    });
    model.method(class, "fact", 1, |code| {
        let small = code.test(Comparison::LessEqual, argument(0), field(max));
        code.send(Operand::This, "work", &[argument(0), argument(0)]);
        let one = code.int(1);
        code.send(Operand::This, "report", &[one]);
        code.give(UNIT);
        code.land(small);
        code.send(Operand::This, "work", &[argument(0), field(max)]);
        let rest = code.local();
        code.binary(BinaryOperation::Subtract, Place::Slot(rest), argument(0), field(max));
        code.send(Operand::This, "delegate", &[Operand::Slot(rest)]);
    });
    model.method(class, "work", 2, |code| {
        let zero = code.int(0);
        let one = code.int(1);
        let again = code.here();
        let go_on = code.test(Comparison::Greater, argument(1), zero);
        code.binary(BinaryOperation::Multiply, to_field(result), field(result), argument(0));
        let (number, count) = (argument(0), argument(1));
        let to = |operand| match operand {
            Operand::Slot(slot) => Place::Slot(slot),
            _ => Place::Nowhere,
        };
        code.binary(BinaryOperation::Subtract, to(number), number, one);
        code.binary(BinaryOperation::Subtract, to(count), count, one);
        code.emit(Instruction::Jump { target: again });
        code.land(go_on);
        code.give(UNIT);
    });
    model.method(class, "delegate", 1, |code| {
        let next = code.create(class, NewPlace::OwnCog, &[field(max), Operand::This]);
        code.send(next, "fact", &[argument(0)]);
    });
    model.method(class, "report", 1, |code| {
        code.binary(BinaryOperation::Multiply, to_field(result), field(result), argument(0));
        let root = code.test(Comparison::NotEqual, field(boss), NULL);
        code.send(field(boss), "report", &[field(result)]);
        code.land(root);
        code.give(UNIT);
    });
    model.main(|code| {
        let most = code.int(most);
        let number = code.int(number);
        let first = code.create(class, NewPlace::OwnCog, &[most, NULL]);
        code.send(first, "fact", &[number]);
    });
    model.finish()
}

//! Builds lowered models by hand, so that the machine can be tested without the front end.
//!
//! Each instruction is a statement of its own on a line of its own of a made-up source.

use std::sync::Arc;

use counterpoint_abs::machine::Facts;
use counterpoint_abs::program::{
    Arguments, ArithmeticKind, BinaryOperation, Body, BodyId, BodyOwner, Class, ClassId,
    Comparison, Constant, ConstantId, Constructor, ConstructorId, DataType, DataTypeId, Field,
    FieldId, Generation, Instruction, Method, MethodId, Model, NewPlace, Operand, Place,
    SelectorId, Site, SlotId, Type, Variable,
};
use counterpoint_abs::source::{FileId, SourceFile, Sources, Span};

pub struct Assembler {
    model: Model,
    source: String,
}

impl Assembler {
    pub fn new() -> Assembler {
        let mut names: Vec<&str> = ConstructorId::FIXED.iter().map(|(_, name)| *name).collect();
        names.sort_unstable();
        let span = Span::new(FileId(0), 0..0);
        let constructors = ConstructorId::FIXED.iter().map(|(id, name)| Constructor {
            name: Arc::from(*name),
            data_type: match id.0 {
                0 | 1 => DataTypeId::BOOL,
                15.. => DataTypeId::EXCEPTION,
                _ => DataTypeId::UNIT,
            },
            arguments: Vec::new(),
            accessors: Vec::new(),
            rank: names.binary_search(name).unwrap() as u32,
            span,
        });
        let data_types = DataTypeId::FIXED.iter().map(|(_, name)| DataType {
            name: Arc::from(*name),
            module: Arc::from("M"),
            parameters: Vec::new(),
            constructors: Vec::new(),
        });
        let data = |constructor| Constant::Data(constructor, Vec::new());
        let model = Model {
            sources: Sources::default(),
            generation: Generation::Today,
            data_types: data_types.collect(),
            constructors: constructors.collect(),
            constants: vec![
                Constant::Null,
                data(ConstructorId::FALSE),
                data(ConstructorId::TRUE),
                data(ConstructorId::UNIT),
            ],
            functions: Vec::new(),
            interfaces: Vec::new(),
            classes: Vec::new(),
            methods: Vec::new(),
            selectors: Vec::new(),
            bodies: Vec::new(),
            main: None,
            expectations: Vec::new(),
            facts: Facts::default(),
        };
        Assembler { model, source: String::new() }
    }

    pub fn class(&mut self, name: &str, parameters: u16, fields: &[&str]) -> ClassId {
        let id = ClassId(self.model.classes.len() as u32);
        let span = Span::new(FileId(0), 0..0);
        let init = self.body(BodyOwner::Init(id), 0, |_| {});
        let field = |name: &&str| Field { name: Arc::from(*name), value_type: Type::Open, span };
        self.model.classes.push(Class {
            name: Arc::from(name),
            module: Arc::from("M"),
            parameters,
            fields: fields.iter().map(field).collect(),
            implements: Vec::new(),
            methods: Vec::new(),
            init,
            recover: None,
            run: None,
            span,
        });
        id
    }

    pub fn init(&mut self, class: ClassId, code: impl FnOnce(&mut Code<'_>)) {
        let init = self.body(BodyOwner::Init(class), 0, code);
        self.model.classes[class.index()].init = init;
    }

    pub fn method(
        &mut self,
        class: ClassId,
        name: &str,
        parameters: u16,
        code: impl FnOnce(&mut Code<'_>),
    ) -> MethodId {
        let selector = self.selector(name);
        let id = MethodId(self.model.methods.len() as u32);
        let body = self.body(BodyOwner::Method(id), parameters, code);
        self.model.methods.push(Method {
            class,
            selector,
            parameters: vec![Type::Open; parameters as usize],
            result: Type::Open,
            body,
            span: Span::new(FileId(0), 0..0),
        });
        let methods = &mut self.model.classes[class.index()].methods;
        methods.push((selector, id));
        methods.sort_unstable();
        if name == "run" {
            self.model.classes[class.index()].run = Some(id);
        }
        id
    }

    pub fn main(&mut self, code: impl FnOnce(&mut Code<'_>)) {
        let main = self.body(BodyOwner::Main, 0, code);
        self.model.main = Some(main);
    }

    pub fn finish(mut self) -> Arc<Model> {
        self.model.sources = Sources::new(vec![SourceFile::new("made-up.abs", self.source)]);
        Arc::new(self.model)
    }

    fn selector(&mut self, name: &str) -> SelectorId {
        let known = self.model.selectors.iter().position(|selector| &**selector == name);
        let index = known.unwrap_or_else(|| {
            self.model.selectors.push(Arc::from(name));
            self.model.selectors.len() - 1
        });
        SelectorId(index as u32)
    }

    fn body(
        &mut self,
        owner: BodyOwner,
        parameters: u16,
        code: impl FnOnce(&mut Code<'_>),
    ) -> BodyId {
        let span = Span::new(FileId(0), 0..0);
        let body = Body {
            owner,
            parameters,
            locals: parameters,
            slots: 0,
            variables: Vec::new(),
            code: Vec::new(),
            spans: Vec::new(),
            sites: Vec::new(),
            statements: Vec::new(),
            operands: Vec::new(),
            guards: Vec::new(),
            handlers: Vec::new(),
            span,
        };
        let mut builder = Code { assembler: self, body };
        code(&mut builder);
        builder.emit(Instruction::Return { value: Operand::Constant(ConstantId::UNIT) });
        let Code { mut body, .. } = builder;
        body.slots = body.locals + 1;
        body.variables =
            (0..body.locals).map(|_| Variable { name: None, value_type: Type::Open }).collect();
        self.model.bodies.push(body);
        BodyId(self.model.bodies.len() as u32 - 1)
    }
}

/// The code of one body in the making.
pub struct Code<'a> {
    assembler: &'a mut Assembler,
    body: Body,
}

pub fn field(number: u16) -> Operand {
    Operand::Field(FieldId(number))
}

pub fn to_field(number: u16) -> Place {
    Place::Field(FieldId(number))
}

pub fn argument(number: u16) -> Operand {
    Operand::Slot(SlotId(number))
}

impl Code<'_> {
    pub fn local(&mut self) -> SlotId {
        self.body.locals += 1;
        SlotId(self.body.locals - 1)
    }

    pub fn int(&mut self, number: i64) -> Operand {
        let constants = &mut self.assembler.model.constants;
        constants.push(Constant::Integer(number.into()));
        Operand::Constant(ConstantId(constants.len() as u32 - 1))
    }

    pub fn emit(&mut self, instruction: Instruction) -> usize {
        let line = format!("{:?} {instruction:?}\n", self.body.owner);
        let start = self.assembler.source.len();
        self.assembler.source.push_str(&line);
        let span = Span::new(FileId(0), start..start + line.len() - 1);
        let body = &mut self.body;
        body.code.push(instruction);
        body.spans.push(span);
        body.sites.push(body.statements.len() as u32);
        body.statements.push(Site { span });
        body.code.len() - 1
    }

    /// Where the next instruction will stand.
    pub fn here(&self) -> u32 {
        self.body.code.len() as u32
    }

    /// Lets a jump or test go to the next instruction.
    pub fn land(&mut self, jump: usize) {
        let here = self.here();
        match &mut self.body.code[jump] {
            Instruction::Jump { target } => *target = here,
            Instruction::Branch { otherwise, .. } | Instruction::Test { otherwise, .. } => {
                *otherwise = here;
            }
            other => panic!("no jump: {other:?}"),
        }
    }

    pub fn copy(&mut self, to: Place, from: Operand) {
        self.emit(Instruction::Copy { to, from });
    }

    pub fn binary(
        &mut self,
        operation: fn(ArithmeticKind) -> BinaryOperation,
        to: Place,
        left: Operand,
        right: Operand,
    ) {
        let operation = operation(ArithmeticKind::Integer);
        self.emit(Instruction::Binary { operation, to, left, right });
    }

    pub fn test(&mut self, comparison: Comparison, left: Operand, right: Operand) -> usize {
        self.emit(Instruction::Test { comparison, left, right, otherwise: 0 })
    }

    pub fn arguments(&mut self, operands: &[Operand]) -> Arguments {
        let start = self.body.operands.len() as u32;
        self.body.operands.extend_from_slice(operands);
        Arguments { start, count: operands.len() as u16 }
    }

    pub fn create(&mut self, class: ClassId, place: NewPlace, operands: &[Operand]) -> Operand {
        let arguments = self.arguments(operands);
        let slot = self.local();
        self.emit(Instruction::New { to: Place::Slot(slot), class, place, arguments });
        Operand::Slot(slot)
    }

    pub fn send(&mut self, callee: Operand, name: &str, operands: &[Operand]) -> Operand {
        let arguments = self.arguments(operands);
        let selector = self.assembler.selector(name);
        let slot = self.local();
        self.emit(Instruction::Send { to: Place::Slot(slot), callee, selector, arguments });
        Operand::Slot(slot)
    }

    pub fn get(&mut self, to: Place, future: Operand) {
        self.emit(Instruction::Get { to, future });
    }

    pub fn give(&mut self, value: Operand) {
        self.emit(Instruction::Return { value });
    }
}

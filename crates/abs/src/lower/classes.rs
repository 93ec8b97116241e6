//! Classes: their tables, init and recover blocks, and methods.

use crate::check::annotations;
use crate::program::{
    self, BodyId, BodyOwner, ClassId, ConstantId, FieldId, Instruction, Operand, Place,
};

use super::Shared;
use super::environment::{Lowering, Members, Permissions, Returns};
use super::statements::StatementPosition;

/// Lowers all classes and their methods.
pub(super) fn lower(shared: &mut Shared<'_>) -> (Vec<program::Class>, Vec<program::Method>) {
    let mut classes = Vec::new();
    let mut methods = Vec::new();
    for index in 0..shared.tables.classes.len() {
        let id = ClassId(index as u32);
        let init = shared.init(id);
        let recover = shared.recover(id);
        let first = methods.len();
        for position in 0..shared.tables.class(id).methods.len() {
            methods.push(shared.method(id, position));
        }
        classes.push(table(shared, id, (init, recover), &methods[first..]));
    }
    (classes, methods)
}

fn table(
    shared: &Shared<'_>,
    id: ClassId,
    (init, recover): (BodyId, Option<BodyId>),
    own: &[program::Method],
) -> program::Class {
    let tables = shared.tables;
    let class = tables.class(id);
    let named = class.methods.iter().zip(own).filter(|(method, _)| method.is_named);
    let mut methods: Vec<_> =
        named.map(|(method, lowered)| (lowered.selector, method.id)).collect();
    methods.sort_unstable();
    program::Class {
        name: class.name.clone(),
        module: tables.module(class.module).name.clone(),
        parameters: class.fields.iter().filter(|field| field.is_parameter).count() as u16,
        fields: class
            .fields
            .iter()
            .map(|field| program::Field {
                name: field.name.clone(),
                value_type: field.value_type.clone(),
                span: field.span,
            })
            .collect(),
        implements: class.interfaces.clone(),
        methods,
        init,
        recover,
        run: class.method("run").map(|method| method.id),
        span: class.tree.name.span,
    }
}

impl Shared<'_> {
    /// Field initialisers in textual order, each of which sees what comes before it, and the init block.
    fn init(&mut self, id: ClassId) -> BodyId {
        let body = self.reserve_body();
        let class = self.tables.class(id);
        let span = class.tree.name.span;
        let mut lowering = Lowering::new(self, class.module, span);
        for (index, field) in class.fields.iter().enumerate() {
            let Some(value) = field.tree.and_then(|tree| tree.value.as_ref()) else {
                continue;
            };
            lowering.members = Members::Class(id, index);
            let site = lowering.builder.statement(field.tree.map_or(field.span, |tree| tree.span));
            let what = format!("`{}`", field.name);
            let to = Place::Field(FieldId(index as u16));
            lowering.value_into(value, to, &field.value_type, &what);
            lowering.builder.resume(site);
        }
        lowering.members = Members::Class(id, class.fields.len());
        lowering.permissions.restricted = Some("an init block");
        lowering.returns = Returns::No("in an init block");
        if let Some(init) = &class.tree.init {
            lowering.block(&init.statements, StatementPosition::Inner);
        }
        let value = Operand::Constant(ConstantId::UNIT);
        lowering.builder.emit(Instruction::Return { value }, span);
        let builder = lowering.into_builder();
        self.finish_body(body, builder, BodyOwner::Init(id), span);
        body
    }

    fn recover(&mut self, id: ClassId) -> Option<BodyId> {
        let class = self.tables.class(id);
        let branches = class.tree.recover.as_ref()?;
        let body = self.reserve_body();
        let span = class.tree.name.span;
        let mut lowering = Lowering::new(self, class.module, span);
        lowering.members = Members::Class(id, class.fields.len());
        lowering.returns = Returns::No("in a recover block");
        lowering.recover(branches, span);
        let builder = lowering.into_builder();
        self.finish_body(body, builder, BodyOwner::Recover(id), span);
        Some(body)
    }

    fn method(&mut self, id: ClassId, position: usize) -> program::Method {
        let body = self.reserve_body();
        let class = self.tables.class(id);
        let method = &class.methods[position];
        let signature = &method.signature;
        let span = method.tree.signature.span;
        let mut lowering = Lowering::new(self, method.module, span);
        lowering.members = Members::Class(id, class.fields.len());
        lowering.permissions = Permissions {
            restricted: None,
            atomic: signature.atomic,
            readonly: signature.readonly,
        };
        lowering.returns = Returns::Method(signature.result.clone());
        lowering.original = method.original;
        for (parameter, value_type) in
            method.tree.signature.parameters.iter().zip(&signature.parameters)
        {
            let name = &parameter.name;
            let slot = lowering.builder.parameter(Some(name.text.clone()), value_type.clone());
            let is_final = annotations::has(&parameter.type_use.annotations, "Final");
            lowering.bind(name, Operand::Slot(slot), value_type.clone(), is_final);
        }
        lowering.body(&method.tree.body);
        let builder = lowering.into_builder();
        self.finish_body(body, builder, BodyOwner::Method(method.id), span);
        program::Method {
            class: id,
            selector: signature.selector,
            parameters: signature.parameters.clone(),
            result: signature.result.clone(),
            body,
            span: signature.span,
        }
    }
}

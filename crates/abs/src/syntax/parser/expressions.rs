//! Expressions: operators, conditionals, `case` and `let`.
//!
//! Operands are read as computations, because only what follows tells whether `f.get` stands where an effect
//! may stand (`x = f.get;`) or not (`x = f.get + 1;`). Whatever is misplaced is reported with the way to
//! write it.

use crate::source::Span;
use crate::syntax::lexer::TokenKind;
use crate::syntax::tree::{
    BinaryOperator, Binding, Computation, Expression, ExpressionBranch, ExpressionKind,
    UnaryOperator,
};

use super::cursor::Parser;
use super::declarations::error_expression;

impl Parser<'_> {
    /// A pure expression.
    pub(super) fn expression(&mut self) -> Expression {
        let computation = self.computation();
        self.pure(computation)
    }

    /// The computation as an expression; an effect is reported.
    pub(super) fn pure(&mut self, computation: Computation) -> Expression {
        match computation {
            Computation::Pure(expression) => expression,
            Computation::Effect(effect) => self.misplaced(&effect),
        }
    }

    /// A pure expression or an effect.
    pub(super) fn computation(&mut self) -> Computation {
        self.nested(Self::computation_here, |span| Computation::Pure(error_expression(span)))
    }

    /// Operands and the operators between them. The chains that are still open stand on a stack of their own,
    /// loosest first, so that one level of parentheses costs one level of recursion and not one per operator
    /// level. `implements` and `as` are the loosest operators; whatever follows them takes the test or cast as
    /// its left operand.
    fn computation_here(&mut self) -> Computation {
        let mut open: Vec<OpenChain> = Vec::new();
        let mut operand = self.unary();
        loop {
            let next = binary_operator(self.peek());
            let level = next.map_or(0, |(_, level)| level);
            while let Some(chain) = open.pop_if(|chain| chain.level > level) {
                let last = self.pure(operand);
                operand = Computation::Pure(chain.close(last));
            }
            if let Some((operator, level)) = next {
                self.bump();
                let left = self.pure(operand);
                match open.last_mut() {
                    Some(chain) if chain.level == level => {
                        let before = std::mem::replace(&mut chain.operator, operator);
                        chain.rest.push((before, left));
                    }
                    _ => open.push(OpenChain { first: left, rest: Vec::new(), operator, level }),
                }
                operand = self.unary();
            } else if self.at_type_operator() {
                operand = self.type_operator(operand);
            } else {
                return operand;
            }
        }
    }

    fn at_type_operator(&self) -> bool {
        let is_cast = self.at_word("as") && self.peek_at(1) == TokenKind::TypeIdentifier;
        is_cast || self.at(TokenKind::Implements)
    }

    /// `implements I` or `as I` behind an operand.
    fn type_operator(&mut self, left: Computation) -> Computation {
        let is_cast = self.bump().kind != TokenKind::Implements;
        let operand = Box::new(self.pure(left));
        let Some(interface) = self.qualified_type_name("the name of an interface") else {
            return Computation::Pure(*operand);
        };
        let span = operand.span.to(interface.span);
        let kind = if is_cast {
            ExpressionKind::Cast(operand, interface)
        } else {
            ExpressionKind::Implements(operand, interface)
        };
        Computation::Pure(Expression { kind, span })
    }

    fn unary(&mut self) -> Computation {
        let operator = match self.peek() {
            TokenKind::Bang | TokenKind::Tilde => UnaryOperator::Not,
            TokenKind::Minus => UnaryOperator::Negate,
            _ => return self.primary(),
        };
        if self.at(TokenKind::Tilde) {
            self.note_old();
        }
        let start = self.bump().span;
        let operand = self.nested(Self::unary, |span| Computation::Pure(error_expression(span)));
        let operand = Box::new(self.pure(operand));
        let span = start.to(operand.span);
        Computation::Pure(Expression { kind: ExpressionKind::Unary(operator, operand), span })
    }

    /// `when c then a else b` or `if c then a else b`
    pub(super) fn conditional(&mut self, start: Span) -> Expression {
        if self.at(TokenKind::If) {
            self.note_old();
        } else {
            self.note_modern();
        }
        self.bump();
        let condition = Box::new(self.expression());
        self.expect_behind_expression(TokenKind::Then, "then", "after the condition");
        let then = Box::new(self.expression());
        self.expect_behind_expression(TokenKind::Else, "else", "after the first value");
        let otherwise = Box::new(self.expression());
        Expression {
            kind: ExpressionKind::Conditional { condition, then, otherwise },
            span: self.since(start),
        }
    }

    /// `case e { .. }`
    pub(super) fn case_expression(&mut self, start: Span) -> Expression {
        self.bump();
        let subject = Box::new(self.expression());
        let mut branches = Vec::new();
        if self.expect(TokenKind::LeftBrace, "{", "before the branches") {
            while !self.at(TokenKind::RightBrace) && !self.at_declaration() {
                let before = self.position();
                branches.push(self.expression_branch());
                if self.position() == before {
                    self.bump();
                }
            }
            self.expect(TokenKind::RightBrace, "}", "after the branches");
        }
        Expression { kind: ExpressionKind::Case { subject, branches }, span: self.since(start) }
    }

    fn expression_branch(&mut self) -> ExpressionBranch {
        if self.at(TokenKind::Bar) {
            self.note_modern();
            self.bump();
        }
        let checkpoint = self.checkpoint();
        let pattern = self.pattern();
        self.expect(TokenKind::Arrow, "=>", "after the pattern");
        let body = self.expression();
        self.eat(TokenKind::Semicolon);
        if self.reported_since(checkpoint) {
            self.skip_branch();
        }
        ExpressionBranch { pattern, body }
    }

    /// After an error in a branch: goes on behind its end.
    fn skip_branch(&mut self) {
        loop {
            match self.peek() {
                TokenKind::RightBrace | TokenKind::Bar => return,
                TokenKind::Semicolon => {
                    self.bump();
                    return;
                }
                _ if self.at_declaration() => return,
                _ if self.previous_kind_at(self.position()) == Some(TokenKind::Semicolon) => return,
                _ => match self.partner(self.position()) {
                    Some(end) => self.jump(end + 1),
                    None => {
                        self.bump();
                    }
                },
            }
        }
    }

    /// `let T x = e, .. in b`
    pub(super) fn let_expression(&mut self, start: Span) -> Expression {
        self.bump();
        let mut bindings = Vec::new();
        while let Some(binding) = self.binding() {
            bindings.push(binding);
            if !self.eat(TokenKind::Comma) {
                break;
            }
        }
        self.expect(TokenKind::In, "in", "after the bindings of `let`");
        let body = Box::new(self.expression());
        Expression { kind: ExpressionKind::Let { bindings, body }, span: self.since(start) }
    }

    fn binding(&mut self) -> Option<Binding> {
        if self.at(TokenKind::LeftParenthesis) {
            self.note_old();
        } else {
            self.note_modern();
        }
        let parentheses = self.eat(TokenKind::LeftParenthesis);
        let type_use = self.type_use()?;
        let name = self.identifier("the name of a variable")?;
        if parentheses {
            self.expect(TokenKind::RightParenthesis, ")", "after the variable");
        }
        self.expect(TokenKind::Equal, "=", "after the variable");
        let value = self.expression();
        Some(Binding { type_use, name, value })
    }

    /// `(e, ..)`
    pub(super) fn arguments(&mut self) -> Vec<Expression> {
        if !self.expect(TokenKind::LeftParenthesis, "(", "before the arguments") {
            return Vec::new();
        }
        let arguments = self.expressions_until(TokenKind::RightParenthesis);
        if !self.expect_behind_expression(TokenKind::RightParenthesis, ")", "after the arguments") {
            self.skip_past_parenthesis();
        }
        arguments
    }

    /// Expressions with commas between them, up to a closing bracket that is not consumed.
    pub(super) fn expressions_until(&mut self, end: TokenKind) -> Vec<Expression> {
        let mut expressions = Vec::new();
        if self.at(end) {
            return expressions;
        }
        loop {
            expressions.push(self.expression());
            if !self.eat(TokenKind::Comma) {
                return expressions;
            }
        }
    }
}

/// Operators of one level that wait for the right operand of the last of them.
struct OpenChain {
    first: Expression,
    rest: Vec<(BinaryOperator, Expression)>,
    operator: BinaryOperator,
    level: u8,
}

impl OpenChain {
    /// The chain with its last operand.
    fn close(mut self, last: Expression) -> Expression {
        let span = self.first.span.to(last.span);
        self.rest.push((self.operator, last));
        Expression {
            kind: ExpressionKind::Chain { first: Box::new(self.first), rest: self.rest },
            span,
        }
    }
}

/// The operator a token is, and its level: the higher, the tighter it binds.
fn binary_operator(kind: TokenKind) -> Option<(BinaryOperator, u8)> {
    Some(match kind {
        TokenKind::OrOr => (BinaryOperator::Or, 1),
        TokenKind::AndAnd => (BinaryOperator::And, 2),
        TokenKind::EqualEqual => (BinaryOperator::Equal, 3),
        TokenKind::NotEqual => (BinaryOperator::NotEqual, 3),
        TokenKind::Less => (BinaryOperator::Less, 4),
        TokenKind::LessEqual => (BinaryOperator::LessEqual, 4),
        TokenKind::Greater => (BinaryOperator::Greater, 4),
        TokenKind::GreaterEqual => (BinaryOperator::GreaterEqual, 4),
        TokenKind::Plus => (BinaryOperator::Add, 5),
        TokenKind::Minus => (BinaryOperator::Subtract, 5),
        TokenKind::Star => (BinaryOperator::Multiply, 6),
        TokenKind::Slash => (BinaryOperator::Divide, 6),
        TokenKind::Percent => (BinaryOperator::Remainder, 6),
        _ => return None,
    })
}

//! Operators with one operand and with two, and `?`.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{BinOp, Expr, Lit, UnOp};
use tilewise_ast::{Binary, ExprKind, Unary};

use super::expr::ends;
use super::inferred::CodeInParts;
use super::known::{KnownId, result as result_of};
use super::{SyntaxWalk, WalkedExpr, node, whole_node};
use crate::at::{braces, own, parens};

impl SyntaxWalk {
    pub(super) fn unary(&mut self, unary: &syn::ExprUnary) -> WalkedExpr {
        let span = unary.op.span();
        let ends = ends(unary);
        let op = match &unary.op {
            UnOp::Deref(_) => return self.dereference(unary, span, ends),
            UnOp::Neg(_) => Unary::Neg,
            UnOp::Not(_) => Unary::Not,
            _ => return self.refuse(span, "this operator cannot be used in a kernel"),
        };
        let operand = self.expr(&unary.expr);
        let symbol = &unary.op;
        // The lint for literals out of range must see the sign with its number: `-2147483648`.
        let negative = match &*unary.expr {
            Expr::Lit(lit) if op == Unary::Neg && matches!(lit.lit, Lit::Int(_) | Lit::Float(_)) => Some(&lit.lit),
            _ => None,
        };
        let is_typed = operand.ty.is_some();
        let (operand, ty) = self.typed(operand, span);
        let name = Ident::new(if op == Unary::Neg { "Neg" } else { "Not" }, own(span));
        let (code, result) = match negative {
            Some(lit) => {
                let witness = self.witness_code(ty);
                (quote_spanned!(own(span)=> #witness.of(#symbol #lit)), ty)
            }
            None => {
                let (witness, result) = self.witness(span);
                let operand = operand.tight();
                let code = match is_typed {
                    true => result_of(&witness, quote!(#symbol #operand), ends),
                    // rustc would expect the operand to have the type of the result, and it may be a reference.
                    false => {
                        let name = self.own_name("u", ends.0);
                        let value = result_of(&witness, quote!(#symbol #name), ends);
                        parens(braces(quote_spanned!(own(span)=> let #name = #operand; #value), ends.1), ends.1)
                    }
                };
                (code, result)
            }
        };
        let (given, gives) = (self.witness_code(ty), self.witness_code(result));
        let link = self.link(
            quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Operates<::tilewise::macro_support::op::#name, _, ()>>::link(#given, ::tilewise::macro_support::Witness::NEW, #gives)),
        );
        let tree = whole_node(ExprKind::Unary(op, Box::new(operand.tree), link), span, ends);
        WalkedExpr { code, tree, ty: Some(result), loose: false, ends }
    }

    pub(super) fn binary(&mut self, binary: &syn::ExprBinary, op: Binary) -> WalkedExpr {
        if let Some(compared) = self.compared_choice(binary) {
            return self.binary(&compared, op);
        }
        // From the inside out, without recursion, as a sum may be long.
        let (mut chain, mut at) = (vec![(binary, op)], binary);
        while let Expr::Binary(inner) = &*at.left
            && let Some((op, false)) = operator(&inner.op)
        {
            chain.push((inner, op));
            at = inner;
        }
        let mut code = CodeInParts::of(self);
        let mut left = self.expr(&at.left);
        for (count, (binary, op)) in chain.into_iter().rev().enumerate() {
            if count % LONG_CHAIN == LONG_CHAIN - 1 {
                // rustc is quick with a chain, and slow with the calls in calls that it becomes here.
                let (name, value) = (self.own_name("part", left.ends.1), &left.code);
                code.end().extend(quote_spanned!(own(left.ends.1)=> let #name = #value;));
                code.divide(self);
                left = WalkedExpr { code: quote!(#name), loose: false, ..left };
            }
            let right = self.expr(&binary.right);
            left = self.operation(left, right, op, &binary.op.to_token_stream(), binary.op.span());
        }
        let before = code.finish(self);
        if before.is_empty() {
            return left;
        }
        let value = &left.code;
        let code = parens(braces(quote!(#before #value), left.ends.1), left.ends.1);
        WalkedExpr { code, loose: false, ..left }
    }

    /// `left op right` for walked operands.
    pub(super) fn operation(
        &mut self,
        left: WalkedExpr,
        right: WalkedExpr,
        op: Binary,
        symbol: &TokenStream,
        span: Span,
    ) -> WalkedExpr {
        let ends = (left.ends.0, right.ends.1);
        let (left, left_ty) = self.typed(left, span);
        let (right, right_ty) = self.typed(right, span);
        let (code, ty, link) = if let Some(comparison) = comparison(op) {
            let kind = Ident::new(comparison, own(span));
            let witnesses = [right_ty, left_ty].map(|ty| self.witness_code(ty));
            let link = self.link(
                quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Compares<::tilewise::macro_support::op::#kind, _>>::link(#(#witnesses),*)),
            );
            let (l, r) = (left.tight(), right.tight());
            (quote!(#l #symbol #r), self.plain("bool", span), link)
        } else {
            let (witness, result) = self.witness(span);
            let link = self.binary_link(op, false, [left_ty, right_ty, result], span);
            let (l, r) = (left.tight(), self.operand(op, left_ty, right.tight(), span));
            (result_of(&witness, quote!(#l #symbol #r), ends), result, link)
        };
        let loose = comparison(op).is_some();
        let tree = whole_node(ExprKind::Binary(op, Box::new(left.tree), Box::new(right.tree), link), span, ends);
        WalkedExpr { code, tree, ty: Some(ty), loose, ends }
    }

    /// The right operand in the closure: a shift amount may be too large for the left operand's
    /// type.
    pub(super) fn operand(&self, op: Binary, left: KnownId, right: TokenStream, span: Span) -> TokenStream {
        if !matches!(op, Binary::Shl | Binary::Shr) {
            return right;
        }
        let left = self.witness_code(left);
        quote_spanned!(own(span)=> #left.amount(#right))
    }

    /// The link of an operator between types that are known, with `=` or without.
    pub(super) fn binary_link(
        &mut self,
        op: Binary,
        assigns: bool,
        [left, right, result]: [KnownId; 3],
        span: Span,
    ) -> u32 {
        let name = Ident::new(op_name(op), own(span));
        let mut kind = quote_spanned!(own(span)=> ::tilewise::macro_support::op::#name);
        if assigns {
            kind = quote_spanned!(own(span)=> ::tilewise::macro_support::op::Assign<#kind>);
        }
        let (left, right, result) = (self.witness_code(left), self.witness_code(right), self.witness_code(result));
        self.link(
            quote_spanned!(own(span)=> <_ as ::tilewise::macro_support::Operates<#kind, _, _>>::link(#left, #right, #result)),
        )
    }

    pub(super) fn logic(&mut self, binary: &syn::ExprBinary) -> WalkedExpr {
        let span = binary.op.span();
        let (left, right) = (self.expr(&binary.left), self.expr(&binary.right));
        let (l, r, symbol) = (left.tight(), right.tight(), &binary.op);
        let (code, ends) = (quote!(#l #symbol #r), (left.ends.0, right.ends.1));
        let (left, right) = (Box::new(left.tree), Box::new(right.tree));
        let kind =
            if matches!(binary.op, BinOp::And(_)) { ExprKind::And(left, right) } else { ExprKind::Or(left, right) };
        let ty = self.plain("bool", span);
        WalkedExpr { code, tree: node(kind, span), ty: Some(ty), loose: true, ends }
    }

    /// `value?` of an `Option`, in a function.
    pub(super) fn question(&mut self, question: &syn::ExprTry) -> WalkedExpr {
        let span = question.question_token.span;
        if self.closure || self.closures > 0 {
            let help = "there is no caller that gets the `None`: write `let Some(x) = .. else { return };`";
            return self.refuse(
                span,
                format!("`?` stands in an `#[amp]` function that returns an `Option` or a `Result`; {help}"),
            );
        }
        let value = self.expr(&question.expr);
        let (code, token) = (value.tight(), &question.question_token);
        let ends = (value.ends.0, span);
        let (witness, _) = self.witness(span);
        let code = quote_spanned!(own(span)=> #witness.asked(#code) #token);
        WalkedExpr { code, tree: node(ExprKind::Try(Box::new(value.tree)), span), ty: None, loose: false, ends }
    }
}

/// Number of operators in one expression for rustc.
const LONG_CHAIN: usize = 8;

/// The operator, and whether it assigns; `None` for `&&` and `||`.
pub(super) fn operator(op: &BinOp) -> Option<(Binary, bool)> {
    Some(match op {
        BinOp::Add(_) => (Binary::Add, false),
        BinOp::Sub(_) => (Binary::Sub, false),
        BinOp::Mul(_) => (Binary::Mul, false),
        BinOp::Div(_) => (Binary::Div, false),
        BinOp::Rem(_) => (Binary::Rem, false),
        BinOp::BitAnd(_) => (Binary::BitAnd, false),
        BinOp::BitOr(_) => (Binary::BitOr, false),
        BinOp::BitXor(_) => (Binary::BitXor, false),
        BinOp::Shl(_) => (Binary::Shl, false),
        BinOp::Shr(_) => (Binary::Shr, false),
        BinOp::Eq(_) => (Binary::Eq, false),
        BinOp::Ne(_) => (Binary::Ne, false),
        BinOp::Lt(_) => (Binary::Lt, false),
        BinOp::Le(_) => (Binary::Le, false),
        BinOp::Gt(_) => (Binary::Gt, false),
        BinOp::Ge(_) => (Binary::Ge, false),
        BinOp::AddAssign(_) => (Binary::Add, true),
        BinOp::SubAssign(_) => (Binary::Sub, true),
        BinOp::MulAssign(_) => (Binary::Mul, true),
        BinOp::DivAssign(_) => (Binary::Div, true),
        BinOp::RemAssign(_) => (Binary::Rem, true),
        BinOp::BitAndAssign(_) => (Binary::BitAnd, true),
        BinOp::BitOrAssign(_) => (Binary::BitOr, true),
        BinOp::BitXorAssign(_) => (Binary::BitXor, true),
        BinOp::ShlAssign(_) => (Binary::Shl, true),
        BinOp::ShrAssign(_) => (Binary::Shr, true),
        _ => return None,
    })
}

/// The name of an operator in `macro_support::op`.
fn op_name(op: Binary) -> &'static str {
    match op {
        Binary::Add => "Add",
        Binary::Sub => "Sub",
        Binary::Mul => "Mul",
        Binary::Div => "Div",
        Binary::Rem => "Rem",
        Binary::BitAnd => "BitAnd",
        Binary::BitOr => "BitOr",
        Binary::BitXor => "BitXor",
        Binary::Shl => "Shl",
        Binary::Shr => "Shr",
        Binary::Eq | Binary::Ne => "Equal",
        Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge => "Order",
    }
}

/// The kind of a comparison, if the operator is one.
fn comparison(op: Binary) -> Option<&'static str> {
    matches!(op, Binary::Eq | Binary::Ne | Binary::Lt | Binary::Le | Binary::Gt | Binary::Ge).then(|| op_name(op))
}

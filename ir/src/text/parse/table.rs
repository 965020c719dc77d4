//! Constant tables: values in the shape of their type.

use super::scope::NameMeaning;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic};
use crate::kernel::{Const, TableId};
use crate::limits::{MAX_TABLE, MAX_TABLE_SCALARS};
use crate::pos::Pos;
use crate::text::lex::TokenKind;
use crate::types::{Scalar, Stored, Type, TypeId};

impl<'t> Parser<'t, '_> {
    /// `const name: type = value;`, from the name.
    pub(super) fn table(&mut self) -> Parsed<(&'t str, TableId)> {
        let (name, pos) = self.name("a table")?;
        let read = self.table_value(pos);
        // Declared even with an error, so that its uses are not reported too.
        match read {
            Ok((ty, leaves)) => {
                let id = self.b.table(name, ty, leaves, pos);
                self.declare(name, NameMeaning::Table(id), pos);
                Ok((name, id))
            }
            Err(failed) => {
                let ty = self.b.types().scalar(Stored::I32);
                let id = self.b.table(name, ty, Vec::new(), pos);
                self.declare(name, NameMeaning::Table(id), pos);
                Err(failed)
            }
        }
    }

    fn table_value(&mut self, pos: Pos) -> Parsed<(TypeId, Vec<u64>)> {
        self.expect(":")?;
        let ty = self.ty()?;
        let ty_pos = self.span(pos);
        if self.b.so_far().types().measure(ty).leaves > MAX_TABLE {
            let report = Diagnostic::new(Code::K0017, "this table is too large").at(ty_pos, "");
            return Err(self.report(
                report.note(format!("a table has at most {MAX_TABLE} scalars")).help("hand the data over in a view"),
            ));
        }
        let more = self.b.so_far().types().measure(ty).leaves;
        let all = self.scalars_of_tables() + more;
        if all > MAX_TABLE_SCALARS && more > 0 {
            let report = Diagnostic::new(Code::K0017, format!("the tables have {all} scalars together"))
                .at(ty_pos, format!("{more} in this one"))
                .note(format!("the tables of a file have at most {MAX_TABLE_SCALARS}"));
            return Err(self.report(report.help("pass large ones as views")));
        }
        self.expect("=")?;
        let mut leaves = Vec::new();
        self.initial(ty, &mut leaves)?;
        self.semicolon("the table")?;
        Ok((ty, leaves))
    }

    /// The scalars of all tables so far.
    pub(super) fn scalars_of_tables(&self) -> u64 {
        self.b.so_far().tables().iter().map(|table| table.leaves.len() as u64).sum()
    }

    /// One value of type `ty`.
    fn initial(&mut self, ty: TypeId, leaves: &mut Vec<u64>) -> Parsed<()> {
        self.deeper(|p| p.initial_inside(ty, leaves))
    }

    fn initial_inside(&mut self, ty: TypeId, leaves: &mut Vec<u64>) -> Parsed<()> {
        if self.eat("zero") {
            let count = self.b.so_far().types().measure(ty).leaves as usize;
            leaves.resize(leaves.len() + count, 0);
            return Ok(());
        }
        let start = self.peek().pos;
        match self.b.types().get(ty).clone() {
            Type::Scalar(stored) => {
                leaves.push(self.leaf(stored.value())?);
                Ok(())
            }
            Type::Vector(stored, n) => {
                let one = self.b.types().scalar(stored);
                self.row("[", "]", start, u64::from(n), leaves, |_| one)
            }
            Type::Array { element, length, .. } => {
                self.row("[", "]", start, u64::from(length.unwrap_or(0)), leaves, |_| element)
            }
            Type::Struct(s) => self.row("{", "}", start, s.fields.len() as u64, leaves, |i| s.fields[i].ty),
        }
    }

    /// As many values as the type has, in brackets.
    fn row(
        &mut self,
        open: &str,
        close: &str,
        start: Pos,
        wanted: u64,
        leaves: &mut Vec<u64>,
        ty: impl Fn(usize) -> TypeId,
    ) -> Parsed<()> {
        if !self.is(open) {
            return Err(self.unexpected(&format!("`{open}`, which begins the {wanted} values of this type, or `zero`")));
        }
        self.next();
        let mut count = 0_u64;
        self.list(close, "the value", |p| {
            if count == wanted {
                let pos = p.peek().pos;
                return Err(p.wrong_count(pos, wanted, "one too many"));
            }
            count += 1;
            p.initial(ty(count as usize - 1), leaves)
        })?;
        if count < wanted {
            return Err(self.wrong_count(start, wanted, &format!("only {count}")));
        }
        Ok(())
    }

    fn wrong_count(&mut self, pos: Pos, wanted: u64, label: &str) -> super::ParseFailed {
        self.report(Diagnostic::new(Code::K0017, format!("the type has {wanted} values here")).at(pos, label))
    }

    fn leaf(&mut self, scalar: Scalar) -> Parsed<u64> {
        let start = self.peek().pos;
        let token = self.ahead(usize::from(self.is("-")));
        if token.kind != TokenKind::Number
            && !matches!(token.text, "true" | "false" | "inf" | "nan" | "inf_f64" | "nan_f64")
        {
            return Err(self.unexpected(&format!("a value of type `{scalar}`")));
        }
        let negative = self.eat("-");
        let Const { scalar: found, bits } = self.literal(negative, Some(scalar))?;
        if found != scalar {
            let pos = self.span(start);
            let report =
                Diagnostic::new(Code::K0017, format!("this is of type `{found}`, where the table has `{scalar}`"));
            let report = report.at(pos, format!("expected a `{scalar}`"));
            let integer = scalar.is_float() && found.is_integer();
            return Err(self.report(if integer { report.help("write it with a point: `1.0`") } else { report }));
        }
        Ok(bits)
    }
}

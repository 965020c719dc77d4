//! Matrices: lists of columns. Products sum from the first column to the last, each step rounded.

use naga::TypeInner;
use tilewise_ir::kernel::{InstKind, ValueId};
use tilewise_ir::ops::Op;

use crate::ShaderImporter;
use crate::value::ShaderValue;

impl ShaderImporter<'_> {
    /// The columns of a matrix.
    pub(crate) fn columns(&mut self, matrix: &ShaderValue) -> Vec<ValueId> {
        match matrix {
            ShaderValue::Parts(columns) => columns.iter().map(|column| self.data(column)).collect(),
            other => vec![self.data(other)],
        }
    }

    /// An operator with a matrix on one side or both.
    pub(crate) fn matrix_binary(
        &mut self,
        op: Op,
        left: ShaderValue,
        right: ShaderValue,
        types: (&TypeInner, &TypeInner),
        narrow: &TypeInner,
    ) -> ShaderValue {
        use TypeInner::{Matrix, Vector};
        match (op, types.0, types.1) {
            (Op::Mul, Matrix { .. }, Vector { .. }) => {
                let (columns, vector) = (self.columns(&left), self.data(&right));
                ShaderValue::Data(self.matrix_by_vector(&columns, vector, narrow))
            }
            (Op::Mul, Vector { .. }, Matrix { .. }) => {
                let (vector, columns) = (self.data(&left), self.columns(&right));
                let dots = columns.iter().map(|&column| self.dot(vector, column, narrow)).collect();
                ShaderValue::Data(self.composed(dots))
            }
            (Op::Mul, Matrix { .. }, Matrix { .. }) => {
                let (left, right) = (self.columns(&left), self.columns(&right));
                let columns =
                    right.iter().map(|&column| ShaderValue::Data(self.matrix_by_vector(&left, column, narrow)));
                ShaderValue::Parts(columns.collect())
            }
            (_, Matrix { .. }, Matrix { .. }) => {
                let (left, right) = (self.columns(&left), self.columns(&right));
                let pairs = left.into_iter().zip(right);
                let columns = pairs.map(|(a, b)| ShaderValue::Data(self.op(op, &[a, b])));
                ShaderValue::Parts(columns.collect())
            }
            (_, Matrix { .. }, _) => {
                let (columns, scalar) = (self.columns(&left), self.data(&right));
                let columns = columns.into_iter();
                ShaderValue::Parts(columns.map(|a| ShaderValue::Data(self.wide_op(op, &[a, scalar]))).collect())
            }
            (..) => {
                let (scalar, columns) = (self.data(&left), self.columns(&right));
                let columns = columns.into_iter();
                ShaderValue::Parts(columns.map(|b| ShaderValue::Data(self.wide_op(op, &[scalar, b]))).collect())
            }
        }
    }

    /// The sum of the columns, each times its component of the vector.
    fn matrix_by_vector(&mut self, columns: &[ValueId], vector: ValueId, narrow: &TypeInner) -> ValueId {
        let mut sum = None;
        for (i, &column) in columns.iter().enumerate() {
            let factor = self.component(vector, i as u8);
            let product = self.wide_op(Op::Mul, &[column, factor]);
            let product = self.narrowed_data(product, narrow);
            sum = Some(match sum {
                None => product,
                Some(sum) => {
                    let sum = self.op(Op::Add, &[sum, product]);
                    self.narrowed_data(sum, narrow)
                }
            });
        }
        sum.unwrap_or_else(|| self.builder.invalid())
    }

    /// The sum of the products of components; narrow numbers are rounded after each step.
    pub(crate) fn dot(&mut self, a: ValueId, b: ValueId, narrow: &TypeInner) -> ValueId {
        let width = self.data_type(a).width;
        if width == 1 {
            return self.op(Op::Mul, &[a, b]);
        }
        if crate::narrow::narrowing(narrow).is_none() {
            return self.op(Op::Dot, &[a, b]);
        }
        let products = self.op(Op::Mul, &[a, b]);
        let products = self.narrowed_data(products, narrow);
        let mut sum = self.component(products, 0);
        for i in 1..width {
            let product = self.component(products, i);
            let next = self.op(Op::Add, &[sum, product]);
            sum = self.narrowed_data(next, narrow);
        }
        sum
    }

    pub(crate) fn transpose(&mut self, matrix: &ShaderValue) -> ShaderValue {
        let columns = self.columns(matrix);
        let rows = columns.first().map_or(0, |&column| self.data_type(column).width);
        let transposed = (0..rows).map(|row| {
            let parts = columns.iter().map(|&column| self.component(column, row)).collect();
            ShaderValue::Data(self.inst(InstKind::Compose(parts)))
        });
        ShaderValue::Parts(transposed.collect())
    }

    /// The product of a column and a row.
    pub(crate) fn outer(&mut self, column: ValueId, row: ValueId) -> ShaderValue {
        let columns = (0..self.data_type(row).width).map(|i| {
            let factor = self.component(row, i);
            ShaderValue::Data(self.wide_op(Op::Mul, &[column, factor]))
        });
        ShaderValue::Parts(columns.collect())
    }

    /// The determinant, by the first row and the minors below it.
    pub(crate) fn determinant(&mut self, matrix: &ShaderValue) -> ShaderValue {
        let elements = self.elements(matrix);
        let all: Vec<usize> = (0..elements.len()).collect();
        ShaderValue::Data(self.minor(&elements, &all, &all))
    }

    /// The inverse: the adjugate times the reciprocal of the determinant.
    pub(crate) fn inverse(&mut self, matrix: &ShaderValue) -> ShaderValue {
        let elements = self.elements(matrix);
        let all: Vec<usize> = (0..elements.len()).collect();
        let determinant = self.minor(&elements, &all, &all);
        let reciprocal = self.op(Op::Rcp, &[determinant]);
        let without = |left_out: usize| -> Vec<usize> { all.iter().copied().filter(|&i| i != left_out).collect() };
        let mut columns = Vec::new();
        for column in 0..all.len() {
            let mut parts = Vec::new();
            for row in 0..all.len() {
                // Element (row, column) of the inverse is the cofactor of (column, row).
                let mut part = self.minor(&elements, &without(row), &without(column));
                if (row + column) % 2 == 1 {
                    part = self.op(Op::Neg, &[part]);
                }
                parts.push(self.op(Op::Mul, &[part, reciprocal]));
            }
            columns.push(ShaderValue::Data(self.inst(InstKind::Compose(parts))));
        }
        ShaderValue::Parts(columns)
    }

    /// All elements, by column and row.
    fn elements(&mut self, matrix: &ShaderValue) -> Vec<Vec<ValueId>> {
        let columns = self.columns(matrix);
        let rows = |importer: &mut Self, column: ValueId| {
            (0..importer.data_type(column).width).map(|row| importer.component(column, row)).collect()
        };
        columns.into_iter().map(|column| rows(self, column)).collect()
    }

    /// The determinant of the elements in these columns and rows.
    fn minor(&mut self, elements: &[Vec<ValueId>], columns: &[usize], rows: &[usize]) -> ValueId {
        let &[first, ref below @ ..] = rows else { return self.builder.invalid() };
        let element = |column: usize| elements.get(column).and_then(|rows| rows.get(first)).copied();
        if let &[column] = columns {
            return element(column).unwrap_or_else(|| self.builder.invalid());
        }
        let mut sum: Option<ValueId> = None;
        for (i, &column) in columns.iter().enumerate() {
            let others: Vec<usize> = columns.iter().copied().filter(|&other| other != column).collect();
            let minor = self.minor(elements, &others, below);
            let factor = element(column).unwrap_or_else(|| self.builder.invalid());
            let product = self.op(Op::Mul, &[factor, minor]);
            sum = Some(match sum {
                None => product,
                Some(sum) if i % 2 == 1 => self.op(Op::Sub, &[sum, product]),
                Some(sum) => self.op(Op::Add, &[sum, product]),
            });
        }
        sum.unwrap_or_else(|| self.builder.invalid())
    }
}

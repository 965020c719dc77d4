//! Operations on whole vectors, expanded to steps in the order and with the roundings that the op
//! table defines.

use naga::BinaryOperator;
use tilewise_ir::ops::Op;
use tilewise_ir::types::{Data, Scalar};

use super::builder::ExprHandle;
use super::op::argument;
use super::state::{Lowerer, LoweringResult};
use super::table::VectorSteps;

impl Lowerer<'_> {
    /// Expands an operation on arguments with components of type `t` and the common width.
    pub(super) fn steps(
        &mut self,
        steps: VectorSteps,
        t: Scalar,
        width: u8,
        arguments: &[ExprHandle],
    ) -> LoweringResult<ExprHandle> {
        use BinaryOperator as B;
        let arg = |i: usize| argument(arguments, i);
        let one = |number: f64| match t {
            Scalar::F64 => number.to_bits(),
            Scalar::Bool | Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64 | Scalar::F32 => {
                u64::from((number as f32).to_bits())
            }
        };
        let made = match steps {
            VectorSteps::Dot => self.dot(width, arg(0)?, arg(1)?),
            VectorSteps::Length => {
                let square = self.dot(width, arg(0)?, arg(0)?);
                self.sqrt(t, 1, square)
            }
            VectorSteps::Distance => {
                let apart = self.b.binary(B::Subtract, arg(0)?, arg(1)?);
                let square = self.dot(width, apart, apart);
                self.sqrt(t, 1, square)
            }
            VectorSteps::Normalize => {
                let square = self.dot(width, arg(0)?, arg(0)?);
                let length = self.sqrt(t, 1, square);
                let length = self.splat(length, width);
                self.op(Op::Div, t, width, &[arg(0)?, length])?
            }
            VectorSteps::Cross => {
                let (a, b) = (arg(0)?, arg(1)?);
                let mut components = Vec::new();
                for i in 0..3u8 {
                    let (j, k) = ((i + 1) % 3, (i + 2) % 3);
                    let [aj, ak] = [j, k].map(|c| self.component(a, 3, c));
                    let [bj, bk] = [j, k].map(|c| self.component(b, 3, c));
                    let first = self.b.binary(B::Multiply, aj, bk);
                    let second = self.b.binary(B::Multiply, ak, bj);
                    components.push(self.b.binary(B::Subtract, first, second));
                }
                self.b.compose(Data { scalar: t, width: 3 }, components)
            }
            VectorSteps::Reflect => {
                let (i, normal) = (arg(0)?, arg(1)?);
                let dot = self.dot(width, normal, i);
                let two = self.constant(t, one(2.0));
                let twice = self.b.binary(B::Multiply, two, dot);
                let twice = self.splat(twice, width);
                let back = self.b.binary(B::Multiply, twice, normal);
                self.b.binary(B::Subtract, i, back)
            }
            VectorSteps::Refract => {
                let (i, normal, eta) = (arg(0)?, arg(1)?, arg(2)?);
                let d = self.dot(width, normal, i);
                let unit = self.constant(t, one(1.0));
                let square = self.b.binary(B::Multiply, d, d);
                let rest = self.b.binary(B::Subtract, unit, square);
                let etas = self.b.binary(B::Multiply, eta, eta);
                let part = self.b.binary(B::Multiply, etas, rest);
                let k = self.b.binary(B::Subtract, unit, part);
                let zero = self.zero(Data::scalar(t));
                let none = self.op(Op::Lt, t, 1, &[k, zero])?;
                let root = self.sqrt(t, 1, k);
                let along = self.b.binary(B::Multiply, eta, d);
                let along = self.b.binary(B::Add, along, root);
                let (along, eta) = (self.splat(along, width), self.splat(eta, width));
                let first = self.b.binary(B::Multiply, eta, i);
                let second = self.b.binary(B::Multiply, along, normal);
                let bent = self.b.binary(B::Subtract, first, second);
                let nothing = self.zero(Data { scalar: t, width });
                let none = self.splat(none, width);
                self.b.select(none, nothing, bent)
            }
            VectorSteps::FaceForward => {
                let (normal, i, reference) = (arg(0)?, arg(1)?, arg(2)?);
                let dot = self.dot(width, reference, i);
                let zero = self.zero(Data::scalar(t));
                let keep = self.op(Op::Lt, t, 1, &[dot, zero])?;
                let other = self.each(&format!("neg_{t}"), width, &[normal], t);
                let keep = self.splat(keep, width);
                self.b.select(keep, normal, other)
            }
        };
        Ok(made)
    }

    /// The sum of products, from the first to the last.
    fn dot(&mut self, width: u8, a: ExprHandle, b: ExprHandle) -> ExprHandle {
        let products = self.b.binary(BinaryOperator::Multiply, a, b);
        let mut sum = self.component(products, width, 0);
        for i in 1..width {
            let next = self.component(products, width, i);
            sum = self.b.binary(BinaryOperator::Add, sum, next);
        }
        sum
    }
}

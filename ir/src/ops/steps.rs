//! Rows on whole vectors as **steps**: componentwise rows in the order, and with the roundings, that
//! the doc sentence of the row defines.
//!
//! No target has instructions for these rows, so each writes the steps instead, by
//! [`VectorSteps::write`]. How it writes one componentwise row, and in which form it holds a vector,
//! it says by a [`StepWriter`]. A test holds the steps against the meaning of the rows.

use super::Op;

/// A row on whole vectors that consists of steps.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum VectorSteps {
    /// [`Op::Dot`]
    Dot,
    /// [`Op::Length`]
    Length,
    /// [`Op::Distance`]
    Distance,
    /// [`Op::Normalize`]
    Normalize,
    /// [`Op::Cross`]
    Cross,
    /// [`Op::Reflect`]
    Reflect,
    /// [`Op::Refract`]
    Refract,
    /// [`Op::FaceForward`]
    FaceForward,
}

/// What writes steps: componentwise rows for one type of components.
pub trait StepWriter {
    /// A scalar or a vector.
    type Value: Clone;
    /// The reason why a step cannot be written.
    type Error;

    /// A componentwise row, whose arguments all have this width.
    fn row(&mut self, op: Op, width: u8, args: &[Self::Value]) -> Result<Self::Value, Self::Error>;
    /// A component of a vector.
    fn component(&mut self, vector: &Self::Value, index: u8) -> Self::Value;
    /// The vector of three scalars.
    fn compose(&mut self, components: [Self::Value; 3]) -> Self::Value;
    /// The vector all of whose components are this scalar.
    fn splat(&mut self, scalar: &Self::Value, width: u8) -> Self::Value;
    /// A float.
    fn number(&mut self, number: f64) -> Self::Value;
}

impl VectorSteps {
    /// Writes the row for arguments whose vectors have this width. There are as many as the row takes.
    pub fn write<W: StepWriter>(self, w: &mut W, width: u8, args: &[W::Value]) -> Result<W::Value, W::Error> {
        let arg = |i: usize| args[i].clone();
        match self {
            VectorSteps::Dot => dot(w, width, arg(0), arg(1)),
            VectorSteps::Length => length(w, width, arg(0)),
            VectorSteps::Distance => {
                let between = w.row(Op::Sub, width, &[arg(0), arg(1)])?;
                length(w, width, between)
            }
            VectorSteps::Normalize => {
                let length = length(w, width, arg(0))?;
                let length = w.splat(&length, width);
                w.row(Op::Div, width, &[arg(0), length])
            }
            VectorSteps::Cross => {
                let component = |w: &mut W, j: u8, k: u8| {
                    let [aj, ak] = [j, k].map(|c| w.component(&args[0], c));
                    let [bj, bk] = [j, k].map(|c| w.component(&args[1], c));
                    let (first, second) = (w.row(Op::Mul, 1, &[aj, bk])?, w.row(Op::Mul, 1, &[ak, bj])?);
                    w.row(Op::Sub, 1, &[first, second])
                };
                let components = [component(w, 1, 2)?, component(w, 2, 0)?, component(w, 0, 1)?];
                Ok(w.compose(components))
            }
            VectorSteps::Reflect => {
                let (i, normal) = (arg(0), arg(1));
                let along = dot(w, width, normal.clone(), i.clone())?;
                let two = w.number(2.0);
                let twice = w.row(Op::Mul, 1, &[two, along])?;
                let twice = w.splat(&twice, width);
                let back = w.row(Op::Mul, width, &[twice, normal])?;
                w.row(Op::Sub, width, &[i, back])
            }
            VectorSteps::Refract => refract(w, width, [arg(0), arg(1), arg(2)]),
            VectorSteps::FaceForward => {
                let (normal, i, reference) = (arg(0), arg(1), arg(2));
                let along = dot(w, width, reference, i)?;
                let zero = w.number(0.0);
                let keeps = w.row(Op::Lt, 1, &[along, zero])?;
                let turned = w.row(Op::Neg, width, std::slice::from_ref(&normal))?;
                let keeps = w.splat(&keeps, width);
                w.row(Op::Select, width, &[keeps, normal, turned])
            }
        }
    }
}

/// The sum of products, from the first to the last.
fn dot<W: StepWriter>(w: &mut W, width: u8, a: W::Value, b: W::Value) -> Result<W::Value, W::Error> {
    let products = w.row(Op::Mul, width, &[a, b])?;
    let mut sum = w.component(&products, 0);
    for i in 1..width {
        let next = w.component(&products, i);
        sum = w.row(Op::Add, 1, &[sum, next])?;
    }
    Ok(sum)
}

fn length<W: StepWriter>(w: &mut W, width: u8, v: W::Value) -> Result<W::Value, W::Error> {
    let square = dot(w, width, v.clone(), v)?;
    w.row(Op::Sqrt, 1, &[square])
}

fn refract<W: StepWriter>(w: &mut W, width: u8, [i, normal, eta]: [W::Value; 3]) -> Result<W::Value, W::Error> {
    let d = dot(w, width, normal.clone(), i.clone())?;
    let one = w.number(1.0);
    let square = w.row(Op::Mul, 1, &[d.clone(), d.clone()])?;
    let rest = w.row(Op::Sub, 1, &[one.clone(), square])?;
    let etas = w.row(Op::Mul, 1, &[eta.clone(), eta.clone()])?;
    let part = w.row(Op::Mul, 1, &[etas, rest])?;
    let k = w.row(Op::Sub, 1, &[one, part])?;
    let zero = w.number(0.0);
    let none = w.row(Op::Lt, 1, &[k.clone(), zero.clone()])?;
    let root = w.row(Op::Sqrt, 1, &[k])?;
    let along = w.row(Op::Mul, 1, &[eta.clone(), d])?;
    let along = w.row(Op::Add, 1, &[along, root])?;
    let [along, eta, zero, none] = [along, eta, zero, none].map(|scalar| w.splat(&scalar, width));
    let forward = w.row(Op::Mul, width, &[eta, i])?;
    let back = w.row(Op::Mul, width, &[along, normal])?;
    let bent = w.row(Op::Sub, width, &[forward, back])?;
    w.row(Op::Select, width, &[none, zero, bent])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::OpFamily;
    use crate::types::{Data, Scalar};

    /// Evaluates the steps: values are the bits of components.
    struct StepEvaluator(Scalar);

    impl StepWriter for StepEvaluator {
        type Value = Vec<u64>;
        type Error = String;

        fn row(&mut self, op: Op, width: u8, args: &[Vec<u64>]) -> Result<Vec<u64>, String> {
            let width = usize::from(width);
            if args.iter().any(|arg| arg.len() != width) {
                return Err(format!("`{}` of vectors of other widths", op.name()));
            }
            let component = |i: usize| op.fold(self.0, args.iter().map(|arg| Some(arg[i])));
            (0..width).map(|i| component(i).ok_or_else(|| format!("no `{}`", op.name()))).collect()
        }

        fn component(&mut self, vector: &Vec<u64>, index: u8) -> Vec<u64> {
            vec![vector[usize::from(index)]]
        }

        fn compose(&mut self, components: [Vec<u64>; 3]) -> Vec<u64> {
            components.concat()
        }

        fn splat(&mut self, scalar: &Vec<u64>, width: u8) -> Vec<u64> {
            vec![scalar[0]; usize::from(width)]
        }

        fn number(&mut self, number: f64) -> Vec<u64> {
            vec![bits(self.0, number)]
        }
    }

    fn bits(scalar: Scalar, number: f64) -> u64 {
        match scalar {
            Scalar::F64 => number.to_bits(),
            Scalar::F32 => u64::from((number as f32).to_bits()),
            Scalar::I64 | Scalar::U64 => number as i64 as u64,
            Scalar::Bool | Scalar::I32 | Scalar::U32 => u64::from(number as i32 as u32),
        }
    }

    fn is_nan(scalar: Scalar, bits: u64) -> bool {
        scalar == Scalar::F64 && f64::from_bits(bits).is_nan()
            || scalar == Scalar::F32 && f32::from_bits(bits as u32).is_nan()
    }

    #[test]
    fn the_steps_of_a_row_have_its_meaning() {
        let numbers = [0.0, -0.0, 1.0, -1.0, 0.25, 3.5, -7.125, 1e20, -1e-30, 0.6, 0.8, -0.1];
        let mut rows = 0;
        for row in Op::ROWS {
            let OpFamily::Geometry(steps) = row.op.family() else { continue };
            rows += 1;
            for &scalar in row.class.iter().filter(|scalar| **scalar != Scalar::Bool) {
                for (start, width) in (0..200_usize).flat_map(|start| (2..=4).map(move |width| (start, width))) {
                    let vector = |arg: usize, width: u8| -> Vec<u64> {
                        let number =
                            |i: usize| numbers[(start * (7 + arg) + i * (3 + start) + arg * 5) % numbers.len()];
                        (0..usize::from(width)).map(|i| bits(scalar, number(i))).collect()
                    };
                    // All arguments but `eta` are vectors.
                    let width_of = |arg: usize| if steps == VectorSteps::Refract && arg == 2 { 1 } else { width };
                    let widths: Vec<u8> = (0..row.args.len()).map(width_of).collect();
                    let types: Vec<Data> = widths.iter().map(|&width| Data { scalar, width }).collect();
                    let Ok(instance) = row.op.resolve(&types) else { continue };
                    let args: Vec<Vec<u64>> = widths.iter().enumerate().map(|(i, &width)| vector(i, width)).collect();
                    let lanes: Vec<[u64; 4]> =
                        args.iter().map(|arg| std::array::from_fn(|i| arg.get(i).copied().unwrap_or(0))).collect();
                    let meaning = &row.op.eval(instance, &lanes)[..usize::from(instance.result.width)];
                    let made =
                        steps.write(&mut StepEvaluator(scalar), width, &args).unwrap_or_else(|why| panic!("{why}"));
                    let same =
                        made.iter().zip(meaning).all(|(&a, &b)| a == b || is_nan(scalar, a) && is_nan(scalar, b));
                    assert!(same && made.len() == meaning.len(), "{} of {scalar} {args:?}: {made:?}", row.name);
                }
            }
        }
        assert_eq!(rows, 8);
    }
}

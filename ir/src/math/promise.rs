//! What functions of the math libraries promise about their results, beyond what their text says: it
//! holds for all arguments for which the libraries use the result, and a target may rely on it. It
//! changes no result, only what it costs.

use crate::kernel::{Function, InstKind};
use crate::math::LIBRARIES;
use crate::ops::Op;
use crate::pos::{Pos, Source};

/// What holds of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Promise {
    /// `exact_product`: the product is a float, so that nothing is rounded, and a sum that takes it
    /// may be fused with it.
    ExactProduct,
    /// `counted`, `counted_exponent`: the conversion `(bitcast_i32(x) - 0x4b400000) as f32` is
    /// `x - 0x1.8p+23`, as x is that number and an integer below 2^22 in size; so it is for the bits of
    /// another integer from 2^23 to 2^24 and that number.
    Counted,
}

impl Promise {
    /// The promise of the function of that name.
    fn of(name: &str) -> Option<Promise> {
        match name {
            "fast_math::exact_product" => Some(Promise::ExactProduct),
            "fast_math::counted" | "fast_math::counted_exponent" => Some(Promise::Counted),
            _ => None,
        }
    }

    /// The operation that it is about.
    const fn op(self) -> Op {
        match self {
            Promise::ExactProduct => Op::Mul,
            Promise::Counted => Op::ToF32,
        }
    }
}

/// The positions of the operations about which a function of a library promises something. A
/// function of the same name in another text promises nothing.
pub(crate) fn promises_of(function: &Function, source: Option<&Source>) -> Vec<(Pos, Promise)> {
    let mut found = Vec::new();
    let text = source.and_then(|source| source.text.as_deref());
    let mut texts = LIBRARIES.iter().flat_map(|library| library.texts);
    if let (Some(promise), Some(text)) = (Promise::of(function.name()), text)
        && texts.any(|of| of.text == text)
    {
        function.body().walk(&mut |inst| {
            if matches!(&inst.kind, InstKind::Op { op, .. } if *op == promise.op()) {
                found.push((inst.pos, promise));
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::parse;

    #[test]
    fn only_texts_of_libraries_promise() {
        let call = "kernel k(a: view<f32, 1, read_write>) rank(1) { a[global[0]] = fast_math::exp(a[global[0]]); }";
        let of_library = parse("k.kir", call).unwrap_or_else(|failure| panic!("{failure}"));
        let promises: Vec<_> = of_library.promises().into_iter().map(|(_, promise)| promise).collect();
        assert!(promises.contains(&Promise::ExactProduct) && promises.contains(&Promise::Counted), "{promises:?}");
        let own = "fn fast_math::exact_product(a: f32, b: f32) -> f32 { a * b }
            kernel k(a: view<f32, 1, read_write>) rank(1) {
                a[global[0]] = fast_math::exact_product(a[global[0]], 0.1);
            }";
        let of_user = parse("k.kir", own).unwrap_or_else(|failure| panic!("{failure}"));
        assert_eq!(of_user.promises().len(), 0);
    }
}

//! View origins: the parameter from which each view of a kernel is made, and what follows for the
//! addresses of its elements.
//!
//! A view is a parameter, or made of another view by `section`, `project`, `reinterpret` or
//! `view_as`. A view that is made lies within its source, so all elements of a view lie in the
//! memory of **one parameter**. Hence parameters are the alias classes: two places can only be the
//! same memory if they lie in the same parameter ([`ViewOrigins::of_place`]), or in two whose
//! arguments overlap, which the launch knows.
//!
//! Each view begins at an element of its source, and its strides are whole elements. So every
//! address is a sum of sizes of elements: of the view's own, and of those of the views that it is
//! made of. What divides all of these divides the distance of every element from the beginning of
//! the parameter ([`ViewOrigin::grain`]).

use crate::kernel::{Kernel, ParamId, Place, Root, ValueDef, ValueId};

/// The largest alignment that is distinguished: four words at once.
const LARGEST_GRAIN: u64 = 16;

/// The origin of one view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ViewOrigin {
    /// The parameter in whose memory all its elements lie.
    pub param: ParamId,
    /// Whether it is the parameter itself.
    pub whole: bool,
    /// A power of two, at most 16, that divides the distance in bytes of every element from the
    /// beginning of the parameter's first element.
    pub grain: u64,
    /// The same for the element that all of whose indices are 0: at least `grain`, and more where
    /// indices are known.
    pub begins: u64,
}

/// The origins of the views of a kernel without calls.
#[derive(Clone, Debug)]
pub struct ViewOrigins {
    /// By value; `None` for values that are no views.
    views: Vec<Option<ViewOrigin>>,
}

impl ViewOrigins {
    /// Follows the views of a kernel without calls.
    pub fn of(kernel: &Kernel) -> ViewOrigins {
        let grain = |view: ValueId| element_size(kernel, view).map_or(1, power_of_two_in);
        let given = |value: ValueId| {
            let param = kernel.param_of(value).filter(|_| kernel.entry().value(value).ty.view().is_some())?;
            Some(ViewOrigin { param, whole: true, grain: grain(value), begins: LARGEST_GRAIN })
        };
        let mut origins = ViewOrigins { views: kernel.entry().value_ids().map(given).collect() };
        // Views are made before they are used, so one pass is enough.
        kernel.entry().body().walk(&mut |inst| {
            let (Some((source, first)), Some(result)) = (inst.kind.view_beginning(), inst.result) else { return };
            let begins = origins.element_grain(kernel, source, first);
            origins.views[result.index()] = origins.of_view(source).map(|from| ViewOrigin {
                whole: false,
                grain: from.grain.min(grain(result)),
                begins,
                ..from
            });
        });
        origins
    }

    /// The origin of a view; `None` for any other value.
    pub fn of_view(&self, view: ValueId) -> Option<ViewOrigin> {
        self.views.get(view.index()).copied().flatten()
    }

    /// A power of two, at most 16, that divides the distance of the element of a view at an index from
    /// the beginning of the parameter's first element. Further indices are 0.
    pub(super) fn element_grain(&self, kernel: &Kernel, view: ValueId, index: &[ValueId]) -> u64 {
        let (Some(origin), Some(size)) = (self.of_view(view), element_size(kernel, view)) else { return 1 };
        index.iter().map(|&index| index_grain(kernel, index, size)).fold(origin.begins, u64::min)
    }

    /// The parameter in whose memory a place lies; `None` for a place in `tile_static` memory, in a
    /// table or in a variable.
    pub fn of_place(&self, place: &Place) -> Option<ParamId> {
        match &place.root {
            Root::View { view, .. } => self.of_view(*view).map(|origin| origin.param),
            Root::Param(param) => Some(*param),
            Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => None,
        }
    }
}

/// Bytes between consecutive elements of a view without gaps.
fn element_size(kernel: &Kernel, view: ValueId) -> Option<u64> {
    let ty = kernel.entry().value(view).ty.view()?;
    Some(kernel.types().element_size(ty.element))
}

/// The largest power of two, at most [`LARGEST_GRAIN`], that divides `bytes`.
pub(super) fn power_of_two_in(bytes: u64) -> u64 {
    1 << bytes.trailing_zeros().min(LARGEST_GRAIN.trailing_zeros())
}

/// The largest such power of two that is known to divide an index times `bytes`.
pub(super) fn index_grain(kernel: &Kernel, index: ValueId, bytes: u64) -> u64 {
    power_of_two_in(match kernel.entry().value(index).def {
        ValueDef::Const(constant) => bytes.wrapping_mul(constant.bits),
        ValueDef::Param(_) | ValueDef::Inst => bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::check;
    use crate::text::parse;

    /// The views of a kernel: `name = parameter grain begins`; `!` is the parameter itself.
    fn origins(body: &str) -> String {
        let text = format!(
            "struct Odd size(6) align(2) {{ x: i32 @ 0 }}
            kernel k(a: view<u32, 2, read_write>, b: view<u8, 1, read_write>, quads: view<f32x4, 1, read>,
                odd: view<Odd, 1, read>, n: i32) rank(1) {{ {body} }}"
        );
        let kernel = parse("k.kir", &text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let kernel = kernel.inlined();
        let origins = ViewOrigins::of(kernel);
        let mut out = Vec::new();
        for id in kernel.entry().value_ids() {
            let (Some(origin), value) = (origins.of_view(id), kernel.entry().value(id)) else { continue };
            let param = &kernel.params()[origin.param.index()].name;
            let name = value.name.as_deref().unwrap_or(if origin.whole { "!" } else { "_" });
            out.push(format!("{name} = {param} {} {}", origin.grain, origin.begins));
        }
        out.join(", ")
    }

    #[test]
    fn a_view_comes_from_one_parameter_whatever_is_made_of_it() {
        assert_eq!(
            origins("let row = project(a, n); let part = section(row, [0], [4]); let square = view_as(part, [2, 2]);"),
            "! = a 4 16, row = a 4 4, part = a 4 4, square = a 4 4"
        );
        assert_eq!(origins("let x = odd[n].x; b[n] = 1u32;"), "! = odd 2 16, ! = b 1 16");
        assert_eq!(origins("let x = n + 1;"), "", "other values have no origin");
    }

    #[test]
    fn the_grain_is_that_of_the_smallest_element_on_the_way() {
        assert_eq!(
            origins(
                "let bytes = reinterpret<u8>(quads); let back = reinterpret<u32>(bytes);
                 let pairs = reinterpret<f32x2>(quads); let second = section(pairs, [1], [1]);"
            ),
            "! = quads 16 16, bytes = quads 1 16, back = quads 1 16, pairs = quads 8 16, second = quads 8 8"
        );
    }

    #[test]
    fn a_place_lies_in_a_parameter_or_in_none() {
        let text = "kernel k(a: view<i32, 2, read_write>, c: buffer<i32, read_write>, n: i32) tile(4) {
            tile_static t: i32;
            project(a, n)[n] = 1; c = 2; t = 3; var l: i32 = 0; l = 4;
        }";
        let kernel = parse("k.kir", text).unwrap_or_else(|failure| panic!("{failure}"));
        let kernel = check(kernel).unwrap_or_else(|rejected| panic!("{rejected}"));
        let origins = ViewOrigins::of(kernel.inlined());
        let mut found = Vec::new();
        kernel.inlined().entry().body().walk(&mut |inst| {
            found.extend(inst.kind.written_place().map(|place| origins.of_place(place).map(ParamId::index)));
        });
        assert_eq!(found, [Some(0), Some(1), None, None]);
    }
}

//! The first difference of the memory that two launches of a kernel leave: bit for bit, except that
//! any NaN equals any NaN where a parameter stores floats and none stores anything else.
//!
//! Which scalar a byte belongs to follows from the types of the parameters. An allocation may be
//! large, so it is compared window by window, and only of a window that differs is it determined.

use std::fmt;
use std::ops::Range;

use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, LaunchMemory, ViewArgument};
use tilewise_ir::types::{Stored, Type, TypeId, Types};

/// The first place where two memories differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryDifference {
    /// The index of the allocation.
    pub allocation: usize,
    /// The offset of the byte in it.
    pub byte: usize,
    /// A parameter that reaches the byte, and the scalar that it stores there.
    pub through: Option<(String, Stored)>,
    /// The bytes of that scalar in the first memory, or the one byte.
    pub left: Vec<u8>,
    /// The same in the second.
    pub right: Vec<u8>,
}

impl fmt::Display for MemoryDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hex = |bytes: &[u8]| bytes.iter().rev().map(|b| format!("{b:02x}")).collect::<String>();
        write!(f, "byte {} of allocation {}", self.byte, self.allocation)?;
        if let Some((name, stored)) = &self.through {
            write!(f, " (`{name}`, {stored})")?;
        }
        write!(f, ": 0x{} and 0x{}", hex(&self.left), hex(&self.right))
    }
}

/// The first difference of two memories that launches of a kernel with these arguments left.
pub fn memory_difference(
    kernel: &Kernel,
    arguments: &[Argument],
    left: &LaunchMemory,
    right: &LaunchMemory,
) -> Option<MemoryDifference> {
    let are_nan = |stored: Stored, a: &[u8], b: &[u8]| is_nan(stored, a) && is_nan(stored, b);
    first(kernel, arguments, left, right, &are_nan)
}

/// The same without differences of bytes that only floats are stored in.
pub fn difference_beside_floats(
    kernel: &Kernel,
    arguments: &[Argument],
    left: &LaunchMemory,
    right: &LaunchMemory,
) -> Option<MemoryDifference> {
    first(kernel, arguments, left, right, &|stored: Stored, _: &[u8], _: &[u8]| stored.value().is_float())
}

/// Whether the bytes of two scalars of a type count as equal.
type ScalarEquality = dyn Fn(Stored, &[u8], &[u8]) -> bool;

/// Bytes that are compared at a time.
const WINDOW: usize = 1 << 18;

/// The first difference whose scalar has not the equal values that `are_equal` accepts.
fn first(
    kernel: &Kernel,
    arguments: &[Argument],
    left: &LaunchMemory,
    right: &LaunchMemory,
    are_equal: &ScalarEquality,
) -> Option<MemoryDifference> {
    let whole = |allocation: usize, byte: usize, left: &[u8], right: &[u8]| MemoryDifference {
        allocation,
        byte,
        through: None,
        left: left.to_vec(),
        right: right.to_vec(),
    };
    if left.allocations.len() != right.allocations.len() {
        return Some(whole(left.allocations.len().min(right.allocations.len()), 0, &[], &[]));
    }
    for (allocation, (a, b)) in left.allocations.iter().zip(&right.allocations).enumerate() {
        if a.len() != b.len() {
            return Some(whole(allocation, a.len().min(b.len()), &[], &[]));
        }
        for start in (0..a.len()).step_by(WINDOW) {
            let window = start..a.len().min(start + WINDOW);
            if a[window.clone()] == b[window.clone()] {
                continue;
            }
            let scalars = ScalarMap::of(kernel, arguments, allocation, window.clone());
            for at in window.filter(|&at| a[at] != b[at]) {
                let Some(scalar) = scalars.at(at) else { return Some(whole(allocation, at, &a[at..=at], &b[at..=at])) };
                let bytes = scalar.start..scalar.start + scalar.stored.size() as usize;
                let (x, y) = (a.get(bytes.clone()).unwrap_or_default(), b.get(bytes).unwrap_or_default());
                if scalar.sole && are_equal(scalar.stored, x, y) {
                    continue;
                }
                let name = kernel.params()[scalar.param].name.to_string();
                return Some(MemoryDifference {
                    allocation,
                    byte: scalar.start,
                    through: Some((name, scalar.stored)),
                    left: x.to_vec(),
                    right: y.to_vec(),
                });
            }
        }
    }
    None
}

/// Are these the bytes of a NaN?
fn is_nan(stored: Stored, bytes: &[u8]) -> bool {
    let bits = bytes.iter().rev().fold(0u64, |bits, &b| bits << 8 | u64::from(b));
    match stored {
        Stored::F16 => bits & 0x7fff > 0x7c00,
        Stored::F32 => f32::from_bits(bits as u32).is_nan(),
        Stored::F64 => f64::from_bits(bits).is_nan(),
        Stored::Bool
        | Stored::I8
        | Stored::U8
        | Stored::I16
        | Stored::U16
        | Stored::I32
        | Stored::U32
        | Stored::I64
        | Stored::U64 => false,
    }
}

/// The scalar at a byte.
#[derive(Clone, Copy, Debug)]
struct ScalarAt {
    param: usize,
    start: usize,
    stored: Stored,
    /// No parameter reaches this byte under another type.
    sole: bool,
}

/// The scalar at each byte of a window of an allocation.
struct ScalarMap {
    window: Range<usize>,
    scalars: Vec<Option<ScalarAt>>,
}

impl ScalarMap {
    fn of(kernel: &Kernel, arguments: &[Argument], allocation: usize, window: Range<usize>) -> ScalarMap {
        let mut map = ScalarMap { scalars: vec![None; window.len()], window: window.clone() };
        let walk = TypeWalk { types: kernel.types(), window: window.start as u64..window.end as u64 };
        for (i, (param, argument)) in kernel.params().iter().zip(arguments).enumerate() {
            let mut claim = |start: u64, stored: Stored| map.claim(i, start as usize, stored);
            match (param.kind, argument) {
                (ParamKind::View(ty), Argument::View(view)) if view.allocation == allocation => {
                    walk.view(view, ty.element, &mut claim);
                }
                (ParamKind::Buffer { ty, .. }, &Argument::Buffer { allocation: of, offset, size })
                    if of == allocation =>
                {
                    walk.object(ty, offset, offset.saturating_add(size), &mut claim);
                }
                (ParamKind::View(_) | ParamKind::Buffer { .. } | ParamKind::Uniform(_), _) => {}
            }
        }
        map
    }

    fn claim(&mut self, param: usize, start: usize, stored: Stored) {
        let scalar = ScalarAt { param, start, stored, sole: true };
        for at in start.max(self.window.start)..(start + stored.size() as usize).min(self.window.end) {
            match self.scalars.get_mut(at - self.window.start) {
                Some(Some(other)) if other.start != start || other.stored != stored => other.sole = false,
                Some(free @ None) => *free = Some(scalar),
                Some(Some(_)) | None => {}
            }
        }
    }

    fn at(&self, byte: usize) -> Option<ScalarAt> {
        self.scalars.get(byte.checked_sub(self.window.start)?).copied().flatten()
    }
}

type Claim<'a> = &'a mut dyn FnMut(u64, Stored);

/// Visits the scalars of objects that reach into a window; the time depends on those only.
struct TypeWalk<'a> {
    types: &'a Types,
    window: Range<u64>,
}

impl TypeWalk<'_> {
    /// The scalars of a view's elements.
    fn view(&self, view: &ViewArgument, element: TypeId, claim: Claim<'_>) {
        if view.extent.iter().any(|&extent| extent <= 0) {
            return;
        }
        let size = self.types.element_size(element);
        let dimensions: Vec<(u64, u64)> = view
            .extent
            .iter()
            .zip(&view.strides)
            .map(|(&extent, &stride)| (extent as u64, stride.saturating_mul(size)))
            .collect();
        self.dimensions(&dimensions, view.offset, element, claim);
    }

    /// The same of the elements from an address on: a count and a stride in bytes for each dimension.
    fn dimensions(&self, dimensions: &[(u64, u64)], at: u64, element: TypeId, claim: Claim<'_>) {
        let Some((&(count, stride), inner)) = dimensions.split_first() else {
            return self.object(element, at, u64::MAX, claim);
        };
        let last = |&(count, stride): &(u64, u64)| (count - 1).saturating_mul(stride);
        let span = inner.iter().map(last).fold(self.types.element_size(element), u64::saturating_add);
        for i in self.reached(at, count, stride, span) {
            self.dimensions(inner, at.saturating_add(i.saturating_mul(stride)), element, claim);
        }
    }

    /// The scalars of an object; the runtime-sized array in it ends at `end`.
    fn object(&self, ty: TypeId, at: u64, end: u64, claim: Claim<'_>) {
        match self.types.get(ty) {
            &Type::Scalar(stored) => claim(at, stored),
            &Type::Vector(stored, width) => {
                (0..u64::from(width)).for_each(|i| claim(at + i * u64::from(stored.size()), stored));
            }
            &Type::Array { element, length, stride } => {
                let stride = u64::from(stride);
                let fitting = || end.saturating_sub(at) / stride.max(1);
                let count = length.map_or_else(fitting, u64::from);
                for i in self.reached(at, count, stride, self.types.size(element)) {
                    self.object(element, at + i * stride, end, claim);
                }
            }
            Type::Struct(described) => {
                for field in &described.fields {
                    self.object(field.ty, at.saturating_add(u64::from(field.offset)), end, claim);
                }
            }
        }
    }

    /// Of objects of `span` bytes each, the numbers of those that reach into the window.
    fn reached(&self, at: u64, count: u64, stride: u64, span: u64) -> Range<u64> {
        if at >= self.window.end {
            return 0..0;
        }
        if stride == 0 {
            return if at.saturating_add(span) > self.window.start { 0..count } else { 0..0 };
        }
        // The first whose end is behind the window's begin, and the first that begins behind its end.
        let before = (self.window.start + 1).saturating_sub(at.saturating_add(span));
        let first = before.div_ceil(stride).min(count);
        first..(self.window.end - at).div_ceil(stride).min(count).max(first)
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::text;

    use super::*;

    fn kernel(text: &str) -> Kernel {
        text::parse("k.kir", text).unwrap()
    }

    fn memory(words: &[u32]) -> LaunchMemory {
        LaunchMemory::new(vec![words.iter().flat_map(|word| word.to_le_bytes()).collect()])
    }

    fn view(offset: u64, count: i32) -> Argument {
        Argument::View(ViewArgument { offset, ..ViewArgument::dense(0, &[count]) })
    }

    /// Two NaN of `f32`, which are also small negative integers.
    const NANS: [u32; 2] = [0xffff_ffff, 0xffff_fffe];

    #[test]
    fn nan_is_any_nan_where_floats_are_stored_and_only_there() {
        let difference = |ty: &str| {
            let kernel = kernel(&format!("kernel k(a: view<{ty}, 1, read_write>) rank(1) {{}}"));
            memory_difference(&kernel, &[view(0, 1)], &memory(&NANS[..1]), &memory(&NANS[1..]))
        };
        assert_eq!(difference("f32"), None);
        for ty in ["i32", "u32"] {
            assert!(difference(ty).is_some(), "{ty}");
        }
        let both = kernel("kernel k(a: view<f32, 1, read_write>, b: view<i32, 1, read_write>) rank(1) {}");
        let found = memory_difference(&both, &[view(0, 1), view(0, 1)], &memory(&NANS[..1]), &memory(&NANS[1..]));
        assert!(found.is_some());
    }

    #[test]
    fn beside_floats_only_other_bytes_count() {
        let kernel = kernel("kernel k(a: view<f32, 1, read_write>, b: view<u32, 1, read_write>) rank(1) {}");
        let arguments = [view(0, 1), view(4, 1)];
        let one = memory(&[1.0f32.to_bits(), 5, 9]);
        let beside = |words: &[u32]| difference_beside_floats(&kernel, &arguments, &one, &memory(words));
        assert_eq!(beside(&[2.0f32.to_bits(), 5, 9]), None);
        let found = beside(&[2.0f32.to_bits(), 6, 9]).unwrap();
        assert_eq!((found.byte, found.through), (4, Some(("b".to_owned(), Stored::U32))));
        // No parameter reaches the last word.
        assert_eq!(beside(&[1.0f32.to_bits(), 5, 8]).unwrap().through, None);
    }

    #[test]
    fn a_window_finds_the_scalars_that_the_whole_has() {
        let kernel = kernel("kernel k(a: view<f32x2, 2, read_write>, b: view<u32, 1, read>) rank(1) {}");
        let strided = ViewArgument { offset: 8, ..ViewArgument::dense(0, &[3, 5]) };
        let strided = ViewArgument { strides: vec![7, 1], ..strided };
        let arguments = [Argument::View(strided), view(100, 9)];
        let size = 200;
        let whole = ScalarMap::of(&kernel, &arguments, 0, 0..size);
        for step in [1, 3, 8, 31] {
            for start in (0..size).step_by(step) {
                let part = ScalarMap::of(&kernel, &arguments, 0, start..size.min(start + step));
                for at in start..size.min(start + step) {
                    let shown = |map: &ScalarMap| map.at(at).map(|s| (s.param, s.start, s.stored, s.sole));
                    assert_eq!(shown(&part), shown(&whole), "byte {at} from {start}");
                }
            }
        }
        assert!(whole.at(0).is_none() && whole.at(8).is_some() && whole.at(8 + 40).is_none());
    }

    #[test]
    fn a_difference_behind_the_first_window_is_found_at_its_scalar() {
        let kernel = kernel("kernel k(a: view<u32, 1, read_write>) rank(1) {}");
        let count = 3 * WINDOW / 4;
        let one = memory(&vec![0; count]);
        let mut other = one.clone();
        other.allocations[0][2 * WINDOW + 5] = 1;
        let found = memory_difference(&kernel, &[view(0, count as i32)], &one, &other).unwrap();
        assert_eq!((found.byte, found.right), (2 * WINDOW + 4, vec![0, 1, 0, 0]));
    }
}

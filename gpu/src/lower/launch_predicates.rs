//! Predicates about the launch parameters that let a kernel omit checks: whether an upper bound of
//! an index is no larger than the extent that it indexes, and the sizes of captured integers that
//! bound loops. A launch evaluates them into its [key](super::ModuleKey); then such indices need no
//! bounds check, and such loops no budget.
//!
//! The key holds only the requested predicates, so launches that differ in other parameters share a
//! pipeline.

use tilewise_ir::analysis::captured::{CapturedLoads, CapturedNumber};
use tilewise_ir::analysis::facts::{IndexBound, KernelFacts};
use tilewise_ir::analysis::finite::Finite;
use tilewise_ir::analysis::range::IntegerRange;
use tilewise_ir::check::Checked;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::kernel::{Inst, InstKind, Kernel, ParamId, ParamKind, Place, Root, ValueId};
use tilewise_ir::launch::{Argument, Domain};
use tilewise_ir::types::Type;

/// The predicate that a number is no larger than an extent.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Fit {
    /// The number.
    pub number: IndexBound,
    /// The view.
    pub view: ParamId,
    /// The dimension of its extent.
    pub dimension: u32,
}

/// The predicate that a view with these extents fits the elements of a view of rank 1 that is a
/// parameter: the shape of a texture.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ShapeFit {
    /// The view.
    pub view: ParamId,
    /// The extents.
    pub extent: Vec<CapturedNumber>,
}

impl ShapeFit {
    /// The predicate for a `view_as`, if a launch knows what it takes.
    pub(super) fn of(kernel: &Kernel, loads: &CapturedLoads, view: ValueId, extent: &[ValueId]) -> Option<ShapeFit> {
        let extent = extent.iter().map(|&size| loads.number(kernel, size)).collect::<Option<_>>()?;
        Some(ShapeFit { view: kernel.param_of(view)?, extent })
    }

    /// The shape in a launch, if it fits.
    fn known(&self, domain: &Domain, arguments: &[Argument]) -> Option<KnownShape> {
        let Argument::View(view) = arguments.get(self.view.index())? else { return None };
        let [length] = view.extent[..] else { return None };
        let size = |size: &CapturedNumber| i32::try_from(size.value(arguments)?).ok();
        let sizes: Vec<i32> = self.extent.iter().map(size).collect::<Option<_>>()?;
        let product = sizes.iter().try_fold(1_i64, |all, &size| all.checked_mul(i64::from(size)))?;
        let covers =
            sizes.len() == domain.extent.len() && sizes.iter().zip(&domain.extent).all(|(has, wants)| has >= wants);
        let more = i64::from(fault::planted(Fault::ShapeFitsNearly));
        let fits = view.unit_stride() && product <= i64::from(length) + more;
        fits.then(|| KnownShape { shape: self.clone(), covers })
    }
}

/// A shape that fits in a launch.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct KnownShape {
    /// The shape.
    pub shape: ShapeFit,
    /// Whether it is at least as large as the domain in each dimension: then a thread's own index is in
    /// range.
    pub covers: bool,
}

/// The predicates that a kernel requests.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LaunchPredicates {
    fits: Vec<Fit>,
    shapes: Vec<ShapeFit>,
    /// Captured integers whose size is useful.
    sizes: Vec<ParamId>,
}

impl LaunchPredicates {
    /// Collects the predicates of a kernel.
    pub fn of(kernel: &Checked<Kernel>) -> LaunchPredicates {
        let (kernel, facts) = (kernel.inlined(), kernel.facts());
        let mut wants = LaunchPredicates::default();
        kernel.entry().body().walk(&mut |inst| wants.access(kernel, facts, inst));
        let loads = CapturedLoads::of(kernel);
        kernel.entry().body().walk(&mut |inst| {
            if let InstKind::ViewAs { view, extent } = &inst.kind
                && let Some(shape) = ShapeFit::of(kernel, &loads, *view, extent)
                && !wants.shapes.contains(&shape)
            {
                wants.shapes.push(shape);
            }
        });
        let finite = Finite::of(kernel, facts);
        let mut endless = false;
        kernel.entry().body().walk(&mut |inst| endless |= finite.is_open(inst));
        if endless {
            let params = kernel.numbered_params().filter(|(_, param)| match param.kind {
                ParamKind::Uniform(ty) => {
                    matches!(*kernel.types().get(ty), Type::Scalar(stored) if stored.value().is_integer())
                }
                ParamKind::View(_) | ParamKind::Buffer { .. } => false,
            });
            wants.sizes = params.map(|(id, _)| id).collect();
        }
        wants
    }

    /// Requests the predicates that would remove the bounds checks of an instruction.
    fn access(&mut self, kernel: &Kernel, facts: &KernelFacts, inst: &Inst) {
        let Some(fact) = facts.inst(inst.id).filter(|fact| fact.reached) else { return };
        let mut at = 0;
        inst.kind.places(&mut |place| {
            let first = at;
            place.place_values(&mut |_| at += 1);
            let Some((view, rank)) = indexed(kernel, place) else { return };
            for d in 0..rank {
                let own = IndexBound::Extent(view, d);
                let Some(below) = fact.below.get(first + 1 + d as usize).filter(|below| !below.contains(&own)) else {
                    continue;
                };
                for &number in below {
                    let fit = Fit { number, view, dimension: d };
                    if !self.fits.contains(&fit) {
                        self.fits.push(fit);
                    }
                }
            }
        });
    }

    /// The predicates that hold for a launch.
    pub(super) fn fits(&self, kernel: &Kernel, arguments: &[Argument]) -> Vec<Fit> {
        let number = |bound: IndexBound| bound.number(kernel, arguments);
        let holds = |fit: &&Fit| {
            let extent = number(IndexBound::Extent(fit.view, fit.dimension));
            extent.zip(number(fit.number)).is_some_and(|(extent, number)| number <= extent)
        };
        self.fits.iter().filter(holds).copied().collect()
    }

    /// The shapes that fit in a launch.
    pub(super) fn shapes(&self, domain: &Domain, arguments: &[Argument]) -> Vec<KnownShape> {
        self.shapes.iter().filter_map(|shape| shape.known(domain, arguments)).collect()
    }

    /// The size classes of captured integers in a launch, by parameter number; empty if none are
    /// requested.
    pub(super) fn sizes(&self, kernel: &Kernel, arguments: &[Argument]) -> Vec<Option<IntegerSize>> {
        let Some(last) = self.sizes.last() else { return Vec::new() };
        let mut sizes = vec![None; last.index() + 1];
        for &param in &self.sizes {
            sizes[param.index()] = IndexBound::Param(param).number(kernel, arguments).and_then(IntegerSize::of);
        }
        sizes
    }
}

/// The view parameter that a place indexes, if it is one, and its rank.
pub(super) fn indexed(kernel: &Kernel, place: &Place) -> Option<(ParamId, u32)> {
    let Root::View { view, index } = &place.root else { return None };
    Some((kernel.param_of(*view)?, index.len() as u32))
}

/// The size class of an integer: launches with numbers of the same classes share a pipeline.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct IntegerSize {
    /// Whether it is at least 1.
    positive: bool,
    /// It is at most 2 to the power of this.
    bits: u32,
}

impl IntegerSize {
    /// `None` for a negative number, or one beyond the last class.
    fn of(number: i128) -> Option<IntegerSize> {
        let bits = [8, 16, 24, 28, 30, 31].into_iter().find(|&bits| number <= 1 << bits)?;
        (number >= 0).then_some(IntegerSize { positive: number > 0, bits })
    }

    pub(super) fn range(self) -> IntegerRange {
        IntegerRange { lo: i128::from(self.positive), hi: 1 << self.bits }
    }
}

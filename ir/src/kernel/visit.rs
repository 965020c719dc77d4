//! Traversal of kernels: the operands, places and blocks of an instruction, in the order of the
//! text form.
//!
//! Each traversal has a shared and a mutable version. One macro generates both, so they cannot
//! differ.

use super::{Block, CallArgument, FunctionId, Inst, InstKind, LabelId, LocalId, Place, Root, Step, ValueId};
use crate::stack::with_block;
use crate::types::TypeId;

macro_rules! walks {
    ($operands:ident $places:ident $place_values:ident $blocks:ident; $iter:ident; $($mutable:tt)?) => {
        impl Place {
            /// Calls `f` on the values in the place: the view, its index, then the indices in the
            /// path.
            pub fn $place_values(& $($mutable)? self, f: &mut dyn FnMut(& $($mutable)? ValueId)) {
                match & $($mutable)? self.root {
                    Root::View { view, index } => {
                        f(view);
                        index.$iter().for_each(&mut *f);
                    }
                    Root::Param(_) | Root::Tile(_) | Root::Table(_) | Root::Local(_) | Root::Ref(_) => {}
                }
                for step in self.path.$iter() {
                    match step {
                        Step::Index(index) => f(index),
                        Step::Field(_) | Step::Component(_) => {}
                    }
                }
            }
        }

        impl InstKind {
            /// Calls `f` on the places that the instruction itself names, in text order.
            pub fn $places(& $($mutable)? self, f: &mut dyn FnMut(& $($mutable)? Place)) {
                match self {
                    InstKind::Length(place) | InstKind::Load(place) => f(place),
                    InstKind::Store { place, .. } | InstKind::Atomic { place, .. } | InstKind::CompareExchange { place, .. } => f(place),
                    InstKind::Copy { to, from } => {
                        f(to);
                        f(from);
                    }
                    InstKind::Call { args, .. } => {
                        for arg in args.$iter() {
                            match arg {
                                CallArgument::Place(place) => f(place),
                                CallArgument::Value(_) => {}
                            }
                        }
                    }
                    InstKind::Op { .. } | InstKind::Compose(_) | InstKind::Splat { .. } | InstKind::Swizzle { .. }
                    | InstKind::ComponentAt { .. } | InstKind::Builtin(_) | InstKind::ViewExtent { .. }
                    | InstKind::Section { .. } | InstKind::Project { .. } | InstKind::Reinterpret { .. }
                    | InstKind::ViewAs { .. } | InstKind::Declare { .. } | InstKind::Barrier(_) | InstKind::Fence(_)
                    | InstKind::Print(_) | InstKind::Error(_) | InstKind::Abort | InstKind::If { .. }
                    | InstKind::Loop { .. } | InstKind::Switch { .. } | InstKind::Scope { .. }
                    | InstKind::Break { .. } | InstKind::Continue { .. } | InstKind::Return(_) => {}
                }
            }

            /// Calls `f` on the values that the instruction itself uses, in text order; excludes
            /// nested blocks and the values that they yield.
            pub fn $operands(& $($mutable)? self, f: &mut dyn FnMut(& $($mutable)? ValueId)) {
                match self {
                    InstKind::Op { args, .. } | InstKind::Compose(args) => args.$iter().for_each(f),
                    InstKind::Splat { value, .. } | InstKind::Swizzle { value, .. } => f(value),
                    InstKind::ComponentAt { value, index } => {
                        f(value);
                        f(index);
                    }
                    InstKind::Builtin(_) | InstKind::Barrier(_) | InstKind::Fence(_) | InstKind::Abort => {}
                    InstKind::ViewExtent { view, .. } | InstKind::Reinterpret { view, .. } => f(view),
                    InstKind::Section { view, origin, extent } => {
                        f(view);
                        origin.$iter().for_each(&mut *f);
                        extent.$iter().for_each(f);
                    }
                    InstKind::Project { view, index } => {
                        f(view);
                        f(index);
                    }
                    InstKind::ViewAs { view, extent } => {
                        f(view);
                        extent.$iter().for_each(f);
                    }
                    InstKind::Length(place) | InstKind::Load(place) => place.$place_values(f),
                    InstKind::Store { place, value } => {
                        place.$place_values(f);
                        f(value);
                    }
                    InstKind::Copy { to, from } => {
                        to.$place_values(f);
                        from.$place_values(f);
                    }
                    InstKind::Atomic { place, value, .. } => {
                        place.$place_values(f);
                        if let Some(value) = value {
                            f(value);
                        }
                    }
                    InstKind::CompareExchange { place, expected, new, equal: _ } => {
                        place.$place_values(f);
                        f(expected);
                        f(new);
                    }
                    InstKind::Declare { init, .. } => {
                        if let super::Init::Value(value) = init {
                            f(value);
                        }
                    }
                    InstKind::Print(message) | InstKind::Error(message) => message.values.$iter().for_each(f),
                    InstKind::Call { args, .. } => {
                        for arg in args.$iter() {
                            match arg {
                                CallArgument::Value(value) => f(value),
                                CallArgument::Place(place) => place.$place_values(f),
                            }
                        }
                    }
                    InstKind::If { condition, .. } => f(condition),
                    InstKind::Switch { selector, .. } => f(selector),
                    InstKind::Loop { .. } | InstKind::Scope { .. } | InstKind::Continue { .. } => {}
                    InstKind::Break { value, .. } | InstKind::Return(value) => {
                        if let Some(value) = value {
                            f(value);
                        }
                    }
                }
            }

            /// Calls `f` on the blocks directly inside the instruction, in text order. They borrow
            /// from the instruction.
            pub fn $blocks<'a>(&'a $($mutable)? self, f: &mut dyn FnMut(&'a $($mutable)? Block)) {
                match self {
                    InstKind::If { then, otherwise, .. } => {
                        f(then);
                        f(otherwise);
                    }
                    InstKind::Loop { condition, body, continuing, .. } => {
                        if let Some(condition) = condition {
                            f(condition);
                        }
                        f(body);
                        f(continuing);
                    }
                    InstKind::Switch { cases, default, .. } => {
                        for case in cases.$iter() {
                            f(& $($mutable)? case.body);
                        }
                        f(default);
                    }
                    InstKind::Scope { body, .. } => f(body),
                    InstKind::Op { .. } | InstKind::Compose(_) | InstKind::Splat { .. } | InstKind::Swizzle { .. }
                    | InstKind::ComponentAt { .. } | InstKind::Builtin(_) | InstKind::ViewExtent { .. }
                    | InstKind::Section { .. } | InstKind::Project { .. } | InstKind::Reinterpret { .. }
                    | InstKind::ViewAs { .. } | InstKind::Length(_) | InstKind::Load(_) | InstKind::Store { .. }
                    | InstKind::Copy { .. } | InstKind::Atomic { .. } | InstKind::CompareExchange { .. }
                    | InstKind::Declare { .. } | InstKind::Barrier(_) | InstKind::Fence(_) | InstKind::Print(_)
                    | InstKind::Error(_) | InstKind::Abort | InstKind::Call { .. } | InstKind::Break { .. }
                    | InstKind::Continue { .. } | InstKind::Return(_) => {}
                }
            }
        }
    };
}

/// An id that only some kinds of instructions have.
enum OwnNumber<'a> {
    Second(&'a mut ValueId),
    Type(&'a mut TypeId),
    Local(&'a mut LocalId),
    Function(&'a mut FunctionId),
    Label(&'a mut LabelId),
    Nothing,
}

impl InstKind {
    /// The instruction's own id, besides operands, places and blocks.
    fn own_mut(&mut self) -> OwnNumber<'_> {
        match self {
            InstKind::CompareExchange { equal, .. } => OwnNumber::Second(equal),
            InstKind::Reinterpret { element, .. } => OwnNumber::Type(element),
            InstKind::Declare { local, .. } => OwnNumber::Local(local),
            InstKind::Call { function, .. } => OwnNumber::Function(function),
            InstKind::Loop { label, .. }
            | InstKind::Scope { label, .. }
            | InstKind::Break { label, .. }
            | InstKind::Continue { label } => OwnNumber::Label(label),
            InstKind::Op { .. }
            | InstKind::Compose(_)
            | InstKind::Splat { .. }
            | InstKind::Swizzle { .. }
            | InstKind::ComponentAt { .. }
            | InstKind::Builtin(_)
            | InstKind::ViewExtent { .. }
            | InstKind::Section { .. }
            | InstKind::Project { .. }
            | InstKind::ViewAs { .. }
            | InstKind::Length(_)
            | InstKind::Load(_)
            | InstKind::Store { .. }
            | InstKind::Copy { .. }
            | InstKind::Atomic { .. }
            | InstKind::Barrier(_)
            | InstKind::Fence(_)
            | InstKind::Print(_)
            | InstKind::Error(_)
            | InstKind::Abort
            | InstKind::If { .. }
            | InstKind::Switch { .. }
            | InstKind::Return(_) => OwnNumber::Nothing,
        }
    }

    /// The value that the instruction defines besides its result, mutably.
    pub fn second_result_mut(&mut self) -> Option<&mut ValueId> {
        if let OwnNumber::Second(second) = self.own_mut() { Some(second) } else { None }
    }

    /// The type that the instruction names, mutably.
    pub fn named_type_mut(&mut self) -> Option<&mut TypeId> {
        if let OwnNumber::Type(ty) = self.own_mut() { Some(ty) } else { None }
    }

    /// The local that the instruction declares, mutably.
    pub fn declared_local_mut(&mut self) -> Option<&mut LocalId> {
        if let OwnNumber::Local(local) = self.own_mut() { Some(local) } else { None }
    }

    /// The function that the instruction calls, mutably.
    pub fn callee_mut(&mut self) -> Option<&mut FunctionId> {
        if let OwnNumber::Function(function) = self.own_mut() { Some(function) } else { None }
    }

    /// The label that the instruction declares or names, mutably.
    pub fn label_mut(&mut self) -> Option<&mut LabelId> {
        if let OwnNumber::Label(label) = self.own_mut() { Some(label) } else { None }
    }

    /// The same as [`blocks`](InstKind::blocks).
    pub fn each_block<'a>(&'a self, f: &mut dyn FnMut(&'a Block)) {
        self.blocks(f);
    }
}

walks!(operands places place_values blocks; iter;);
walks!(operands_mut places_mut place_values_mut blocks_mut; iter_mut; mut);

impl Block {
    /// Calls `f` on every instruction in the block and in nested blocks, in preorder.
    pub fn walk(&self, f: &mut dyn FnMut(&Inst)) {
        for inst in &self.insts {
            f(inst);
            inst.kind.blocks(&mut |block| with_block(|| block.walk(f)));
        }
    }

    /// Like [`walk`](Block::walk), mutably.
    pub fn walk_mut(&mut self, f: &mut dyn FnMut(&mut Inst)) {
        for inst in &mut self.insts {
            f(inst);
            inst.kind.blocks_mut(&mut |block| with_block(|| block.walk_mut(f)));
        }
    }
}

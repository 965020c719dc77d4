//! Bindings that several variables have: in SPIR-V and GLSL they are one object under several types. naga takes each
//! pair of numbers once, so that all but the first of them are moved to bindings that no variable has, and each stands
//! in the kernel with its own: the launch gives both parameters one memory.

use std::collections::{BTreeMap, BTreeSet};

use naga::{AddressSpace, GlobalVariable, ImageClass, Module, ResourceBinding, TypeInner};

use crate::entry::BindingSlot;

/// The bindings that variables were moved to, and those that they have in the shader.
#[derive(Clone, Debug, Default)]
pub(crate) struct SharedBindings {
    own: BTreeMap<(u32, u32), (u32, u32)>,
}

impl SharedBindings {
    /// Gives each variable of a module a binding of its own.
    pub(crate) fn part(module: &mut Module) -> SharedBindings {
        let slot = |binding: &ResourceBinding| (binding.group, binding.binding);
        let all: BTreeSet<(u32, u32)> =
            module.global_variables.iter().filter_map(|(_, one)| one.binding.as_ref().map(slot)).collect();
        let (mut seen, mut own) = (BTreeSet::new(), BTreeMap::new());
        let mut free = (0..=u32::MAX).rev();
        for (_, variable) in module.global_variables.iter_mut() {
            let Some(binding) = &mut variable.binding else { continue };
            let here = slot(binding);
            if seen.insert(here) {
                continue;
            }
            let Some(next) = free.find(|&number| !all.contains(&(here.0, number))) else { break };
            own.insert((here.0, next), here);
            binding.binding = next;
        }
        SharedBindings { own }
    }

    /// Where the shader binds a variable.
    pub(crate) fn slot_of(&self, variable: &GlobalVariable) -> BindingSlot {
        match &variable.binding {
            Some(binding) => {
                let here = (binding.group, binding.binding);
                let (group, binding) = self.own.get(&here).copied().unwrap_or(here);
                BindingSlot::Resource { group, binding }
            }
            None => BindingSlot::Immediate,
        }
    }
}

/// How a variable can stand at a binding that another one has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum BindingShare {
    /// As a parameter of its own, of the same memory.
    Memory,
    /// As the other's parameter.
    Same,
    /// Not at all: they are not one object.
    Refused,
}

/// How the second of two variables at a binding can stand there.
pub(crate) fn share(module: &Module, first: &GlobalVariable, second: &GlobalVariable) -> BindingShare {
    match (first.space, second.space) {
        (AddressSpace::Storage { .. }, AddressSpace::Storage { .. })
        | (AddressSpace::Uniform, AddressSpace::Uniform) => BindingShare::Memory,
        (AddressSpace::Handle, AddressSpace::Handle) if first.ty == second.ty => BindingShare::Same,
        (AddressSpace::Handle, AddressSpace::Handle) => {
            match (&module.types[first.ty].inner, &module.types[second.ty].inner) {
                // One image, which one variable reads and the other writes.
                (
                    &TypeInner::Image { dim, arrayed, class: ImageClass::Storage { format, .. } },
                    &TypeInner::Image {
                        dim: other_dim,
                        arrayed: other_arrayed,
                        class: ImageClass::Storage { format: other_format, .. },
                    },
                ) if (dim, arrayed, format) == (other_dim, other_arrayed, other_format) => BindingShare::Memory,
                _ => BindingShare::Refused,
            }
        }
        _ => BindingShare::Refused,
    }
}

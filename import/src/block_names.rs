//! Variables of SPIR-V and GLSL without a name of their own, as a block without an instance name is: they have the name
//! of their block, or that of its first member that has one.

use naga::{Module, Type, TypeInner};

/// Gives variables without a name that of their block. An empty name is none.
pub(crate) fn name_after_blocks(module: &mut Module) {
    let Module { types, global_variables, functions, entry_points, .. } = module;
    for (_, variable) in global_variables.iter_mut() {
        variable.name =
            variable.name.take().filter(|name| !name.is_empty()).or_else(|| block_name(&types[variable.ty]));
    }
    let functions = functions.iter_mut().map(|(_, function)| function);
    for function in functions.chain(entry_points.iter_mut().map(|entry| &mut entry.function)) {
        for (_, variable) in function.local_variables.iter_mut() {
            variable.name = variable.name.take().filter(|name| !name.is_empty());
        }
    }
}

/// The name of a block, or of its first member that has one.
fn block_name(ty: &Type) -> Option<String> {
    let TypeInner::Struct { members, .. } = &ty.inner else { return None };
    let names = [&ty.name].into_iter().chain(members.iter().map(|member| &member.name));
    names.flatten().find(|name| !name.is_empty()).cloned()
}

//! Makes memory and arguments from the inputs of a run, and reads the scalars of a parameter back
//! from memory.

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use tilewise_ir::kernel::{Kernel, Param, ParamKind};
use tilewise_ir::launch::{Argument, Domain, LaunchMemory, ViewArgument, element_count};
use tilewise_ir::types::{Stored, Type, TypeId, Types};

use crate::data::{self, MOST};
use crate::header::{HeaderRun, InputPlace, InputShape, RunInput};
use crate::{Complaint, FilePlace};

/// The pattern of bytes that no input sets, which exposes stores to them.
const UNSET: u8 = 0xa5;

/// The maximum number of bytes of all inputs of a run together.
const MOST_BYTES: u64 = MOST * 16;

/// Memory and arguments of a launch.
#[derive(Debug)]
pub struct BoundRun {
    /// All memory, as it is before the launch.
    pub memory: LaunchMemory,
    /// One for each parameter.
    pub arguments: Vec<Argument>,
    /// All objects with contents: parameters other than uniforms, and memory.
    pub objects: Vec<NamedData>,
    /// For each byte of each allocation: may the launch write it?
    pub writable: Vec<Vec<bool>>,
}

/// A named parameter or memory, as scalars.
#[derive(Debug)]
pub struct NamedData {
    /// The name.
    pub name: String,
    /// The name that people know: of a shader's variable, the one in the shader.
    pub own_name: String,
    /// The index of its allocation.
    pub allocation: usize,
    /// The bytes of the allocation that it takes, with gaps and the padding behind its last scalar.
    pub bytes: Range<u64>,
    /// The offset and type of each scalar, in order.
    pub leaves: Vec<(u64, Stored)>,
    /// Scalars per element.
    pub per_element: usize,
    /// The type of all scalars that its type has, if they have one: also where there are no elements.
    pub scalar: Option<Stored>,
    /// The extent, of a view.
    pub extent: Option<Vec<i32>>,
    /// Is it a parameter that the launch may write?
    pub writable: bool,
}

impl NamedData {
    /// The types of the scalars.
    pub fn types(&self) -> Vec<Stored> {
        self.leaves.iter().map(|leaf| leaf.1).collect()
    }

    /// The bits of the scalars in `memory`.
    pub fn contents(&self, memory: &LaunchMemory) -> Vec<u64> {
        let bytes = memory.allocations.get(self.allocation).map_or(&[][..], Vec::as_slice);
        self.leaves.iter().map(|&(at, stored)| crate::value::read(bytes, at, stored).unwrap_or(0)).collect()
    }

    /// The index of scalar number `i` in failures: `[2, 3]`, with `.4` for the fifth scalar of an
    /// element.
    pub fn index(&self, i: usize) -> String {
        let per = self.per_element.max(1);
        let mut rest = (i / per) as u64;
        let mut out = match &self.extent {
            Some(extent) => {
                let mut index = vec![0u64; extent.len()];
                for (d, &e) in extent.iter().enumerate().rev() {
                    let e = e.max(1) as u64;
                    index[d] = rest % e;
                    rest /= e;
                }
                let index: Vec<String> = index.iter().map(ToString::to_string).collect();
                format!("[{}]", index.join(", "))
            }
            None => format!("[{rest}]"),
        };
        if per > 1 {
            out += &format!(".{}", i % per);
        }
        out
    }
}

/// Domain, memory and arguments of a run.
pub fn prepare(kernel: &Kernel, run: &HeaderRun) -> Result<(Domain, BoundRun), Vec<Complaint>> {
    let Some(domain) = &run.domain else {
        return Err(vec![Complaint::new(run.at, "this run has no domain", "add a line such as `//! domain 4x6`")]);
    };
    Ok((Domain::new(domain.clone()), bind(kernel, run)?))
}

/// Binds the inputs of `run` to the parameters of `kernel`.
pub fn bind(kernel: &Kernel, run: &HeaderRun) -> Result<BoundRun, Vec<Complaint>> {
    let mut binder = HeaderBinder {
        kernel,
        run,
        inputs: run.inputs.iter().map(|input| (input.name.as_str(), &**input)).collect(),
        scalars_left: MOST,
        bytes_left: MOST_BYTES,
        out: BoundRun {
            memory: LaunchMemory::default(),
            arguments: Vec::new(),
            objects: Vec::new(),
            writable: Vec::new(),
        },
        allocations: HashMap::new(),
        complaints: Vec::new(),
    };
    binder.all();
    if binder.complaints.is_empty() { Ok(binder.out) } else { Err(binder.complaints) }
}

struct HeaderBinder<'a> {
    kernel: &'a Kernel,
    run: &'a HeaderRun,
    /// The inputs by their names.
    inputs: HashMap<&'a str, &'a RunInput>,
    /// The rest of the limits, for further inputs.
    scalars_left: u64,
    bytes_left: u64,
    out: BoundRun,
    /// The allocations of inputs that have memory of their own.
    allocations: HashMap<&'a str, usize>,
    complaints: Vec<Complaint>,
}

impl<'a> HeaderBinder<'a> {
    fn complain(&mut self, at: FilePlace, message: impl Into<String>, help: impl Into<String>) {
        self.complaints.push(Complaint::new(at, message, help));
    }

    fn all(&mut self) {
        for input in &self.run.inputs {
            let is_memory = matches!(input.place, InputPlace::Memory(..));
            let param = self.kernel.params().iter().find(|param| *param.name == *input.name);
            match param {
                None if !is_memory => {
                    let own = |param: &Param| format!("`{}`", self.run.shader.own_name(&param.name));
                    let names: Vec<String> = self.kernel.params().iter().map(own).collect();
                    let help = if names.is_empty() {
                        format!("the kernel `{}` has no parameters", self.kernel.name())
                    } else {
                        format!("the parameters of the kernel `{}` are: {}", self.kernel.name(), names.join(", "))
                    };
                    self.complain(input.at, format!("the kernel has no parameter `{}`", input.name), help);
                }
                Some(_) if is_memory => {
                    let message = format!("`{}` is a parameter, and memory needs a name of its own", input.name);
                    self.complain(input.at, message, "give it another name");
                }
                _ => {}
            }
        }
        self.refuse_two_memories();
        let run = self.run;
        for input in run.inputs.iter().filter(|input| !matches!(input.place, InputPlace::In { .. })) {
            self.own(input);
        }
        for param in self.kernel.params() {
            match self.inputs.get(&*param.name) {
                Some(&input) => self.param(param, input),
                None if let Some(other) = self.at_same_binding(&param.name) => self.shared(param, other),
                None if let Some(size) = self.size_of_texture(param) => {
                    self.out.arguments.push(Argument::Uniform(size.into_iter().flat_map(u32::to_le_bytes).collect()));
                }
                None => {
                    let own = self.run.shader.own_name(&param.name);
                    let help = match param.kind {
                        ParamKind::View(view) => {
                            let extent = vec!["4"; view.rank as usize].join(", ");
                            format!("add a line such as `//! {own}: [{extent}] = zero`")
                        }
                        ParamKind::Uniform(_) if let Some(texture) = self.run.shader.sized_texture(&param.name) => {
                            let size = format!("`//! {own} = (width height depth levels)`");
                            format!("add {size}, or write `//! {texture}: [4, 4] = ..` for one level")
                        }
                        ParamKind::Uniform(_) if self.run.shader.is_sampler(&param.name) => {
                            format!("add a line such as `//! {own} = sampler linear repeat`")
                        }
                        ParamKind::Buffer { .. } | ParamKind::Uniform(_) => {
                            format!("add a line such as `//! {own} = 1`")
                        }
                    };
                    self.complain(self.run.at, format!("the parameter `{own}` has no input"), help);
                }
            }
        }
    }

    /// The input of a parameter that has the same binding as this one, and so the same memory.
    fn at_same_binding(&self, param: &str) -> Option<&'a RunInput> {
        self.run.shader.at_same_binding(param).find_map(|other| self.inputs.get(other).copied())
    }

    /// Complains about two inputs with contents for one binding.
    fn refuse_two_memories(&mut self) {
        let run = self.run;
        let with_contents = |input: &&RunInput| matches!(input.place, InputPlace::Own(_));
        for (at, input) in run.inputs.iter().enumerate() {
            let others: Vec<&str> = run.shader.at_same_binding(&input.name).collect();
            let mut before = run.inputs[..at].iter().map(|input| &**input).filter(with_contents);
            if with_contents(&&**input)
                && let Some(first) = before.find(|before| others.contains(&before.name.as_str()))
            {
                let names = [first, input].map(|input| run.shader.own_name(&input.name));
                let message = format!("`{}` and `{}` have one binding, and so the same memory", names[0], names[1]);
                self.complain(input.at, message, "give one of them its contents");
            }
        }
    }

    /// Binds a parameter without an input to the memory of another one.
    fn shared(&mut self, param: &Param, other: &'a RunInput) {
        let params = self.kernel.params();
        let Some(kind) = params.iter().find(|param| *param.name == *other.name).map(|param| param.kind) else { return };
        // The other one complains itself about what is wrong with it.
        let complaints = self.complaints.len();
        let shape = match (param.kind, kind) {
            (ParamKind::Uniform(ty), ParamKind::Uniform(other_ty)) => {
                let Some(mut bytes) = self.uniform_bytes(other, other_ty) else {
                    return self.complaints.truncate(complaints);
                };
                let (want, have) = (self.kernel.types().size(ty) as usize, bytes.len());
                if have < want {
                    let [own, other_own] =
                        [&*param.name, other.name.as_str()].map(|name| self.run.shader.own_name(name));
                    let message = format!("`{own}` has {want} bytes, and `{other_own}` of the same binding {have}");
                    return self.complain(
                        other.at,
                        message,
                        format!("give `{own}` its contents: it is the longer one"),
                    );
                }
                bytes.truncate(want);
                return self.out.arguments.push(Argument::Uniform(bytes));
            }
            (ParamKind::Buffer { .. }, ParamKind::Buffer { ty, .. }) => match self.buffer_layout(other, ty) {
                Some(layout) => Some(InputShape::Bytes(layout.size)),
                None => return self.complaints.truncate(complaints),
            },
            _ => other.shape.clone(),
        };
        let place = InputPlace::In { other: other.name.clone(), offset: 0, strides: None };
        let name = param.name.to_string();
        self.param(param, &RunInput { at: other.at, name, shape, place, fresh: false });
    }

    /// Width, height, depth and levels of a texture whose input has two or three dimensions: it has one
    /// level.
    fn size_of_texture(&self, param: &Param) -> Option<[u32; 4]> {
        let input = self.inputs.get(self.run.shader.sized_texture(&param.name)?)?;
        let Some(InputShape::Extent(extent)) = &input.shape else { return None };
        let mut sizes = extent.iter().rev().map(|&size| size.max(0) as u32);
        let (width, height) = (sizes.next()?, sizes.next()?);
        let depth = sizes.next().unwrap_or(1);
        sizes.next().is_none().then_some([width, height, depth, 1])
    }

    fn add_allocation(&mut self, size: u64) -> usize {
        self.out.memory.allocations.push(vec![UNSET; size as usize]);
        self.out.writable.push(vec![false; size as usize]);
        self.out.memory.allocations.len() - 1
    }

    /// Allocates memory for an input that has its own.
    fn own(&mut self, input: &'a RunInput) {
        let param = self.kernel.params().iter().find(|param| *param.name == *input.name);
        let (layout, data) = match (&input.place, param.map(|param| param.kind)) {
            (InputPlace::Memory(stored, data), None) => (self.scalars(input, *stored), data),
            (InputPlace::Own(data), Some(ParamKind::View(view))) => (self.view_layout(input, view.element), data),
            (InputPlace::Own(data), Some(ParamKind::Buffer { ty, .. })) => (self.buffer_layout(input, ty), data),
            // Uniforms are passed with the launch; for all others there is a complaint already.
            _ => return,
        };
        let Some(layout) = layout else { return };
        if self.spend(input, layout.leaves.len() as u64, layout.size).is_none() {
            return;
        }
        let allocation = self.add_allocation(layout.size);
        if input.fresh {
            self.out.memory.fresh.resize(allocation, false);
            self.out.memory.fresh.push(true);
        }
        self.allocations.insert(&input.name, allocation);
        self.fill(allocation, &layout.leaves, data);
        if let InputPlace::Memory(stored, _) = &input.place {
            let name = input.name.clone();
            self.out.objects.push(NamedData {
                own_name: name.clone(),
                name,
                allocation,
                bytes: 0..layout.size,
                leaves: layout.leaves,
                per_element: 1,
                scalar: Some(*stored),
                extent: None,
                writable: false,
            });
        }
    }

    fn fill(&mut self, allocation: usize, leaves: &[(u64, Stored)], data: &data::HeaderData) {
        let types: Vec<Stored> = leaves.iter().map(|leaf| leaf.1).collect();
        match data::fill(data, &types) {
            Ok(bits) => {
                let bytes = &mut self.out.memory.allocations[allocation];
                for (&(at, stored), bits) in leaves.iter().zip(bits) {
                    crate::value::write(bytes, at, stored, bits);
                }
            }
            Err(complaint) => self.complaints.push(complaint),
        }
    }

    fn scalars(&mut self, input: &RunInput, stored: Stored) -> Option<BindLayout> {
        let Some(InputShape::Extent(extent)) = &input.shape else { return None };
        let count = self.count(input, extent)?;
        let size = u64::from(stored.size());
        Some(BindLayout { size: count * size, leaves: (0..count).map(|i| (i * size, stored)).collect() })
    }

    /// The product of an extent, within the limits of the suite.
    fn count(&mut self, input: &RunInput, extent: &[i32]) -> Option<u64> {
        if extent.iter().any(|&e| e < 0) {
            self.complain(input.at, format!("`{}` has a negative size", input.name), "sizes are 0 or more");
            return None;
        }
        let count = element_count(extent.iter().map(|&e| e as u64));
        let Some(count) = count.filter(|&count| count <= MOST) else {
            self.too_large(input);
            return None;
        };
        Some(count)
    }

    /// Complains about an input that exceeds the limits, before memory for it is allocated.
    fn too_large(&mut self, input: &RunInput) {
        let help = format!("the inputs of a run have at most {MOST} scalars and {MOST_BYTES} bytes together");
        self.complain(input.at, format!("`{}` is too large for a test", input.name), help);
    }

    /// Is this number of scalars and bytes within the limits for one input?
    fn allow(&mut self, input: &RunInput, scalars: u64, bytes: u64) -> Option<()> {
        let fits = scalars <= MOST && bytes <= MOST_BYTES;
        if !fits {
            self.too_large(input);
        }
        fits.then_some(())
    }

    /// Takes this number of scalars and bytes from the limits for all inputs.
    fn spend(&mut self, input: &RunInput, scalars: u64, bytes: u64) -> Option<()> {
        match (self.scalars_left.checked_sub(scalars), self.bytes_left.checked_sub(bytes)) {
            (Some(scalars), Some(bytes)) => {
                (self.scalars_left, self.bytes_left) = (scalars, bytes);
                Some(())
            }
            _ => {
                self.too_large(input);
                None
            }
        }
    }

    fn view_layout(&mut self, input: &RunInput, element: TypeId) -> Option<BindLayout> {
        let extent = self.extent(input)?;
        let count = self.count(input, &extent)?;
        let types = self.kernel.types();
        let stride = types.element_size(element);
        let scalars = count.saturating_mul(types.measure(element).leaves);
        self.allow(input, scalars, count.saturating_mul(stride))?;
        Some(BindLayout { size: count * stride, leaves: elements(types, element, stride, 0, count) })
    }

    /// The extent that the input of a view must give.
    fn extent(&mut self, input: &RunInput) -> Option<Vec<i32>> {
        if let Some(InputShape::Extent(extent)) = &input.shape {
            if extent.len() > 1 && self.run.shader.has_levels(&input.name) {
                return Some(vec![i32::try_from(self.count(input, extent)?).unwrap_or(i32::MAX)]);
            }
            return Some(extent.clone());
        }
        self.complain(
            input.at,
            format!("`{}` is a view, and its extent is not said", input.name),
            format!("write `//! {}: [4] ..`", input.name),
        );
        None
    }

    fn buffer_layout(&mut self, input: &RunInput, ty: TypeId) -> Option<BindLayout> {
        let types = self.kernel.types();
        let fixed = types.size(ty);
        let fixed_scalars = types.measure(ty).leaves;
        self.allow(input, fixed_scalars, fixed)?;
        let tail = tail(types, ty, 0);
        let (size, count) = match (&input.shape, tail) {
            (None, None) => (fixed, 0),
            (None, Some(_)) => {
                let help = format!("write `//! {}: [4] = ..`", input.name);
                self.complain(
                    input.at,
                    format!("`{}` ends in a runtime-sized array, and its length is not said", input.name),
                    help,
                );
                return None;
            }
            (Some(InputShape::Bytes(size)), None) => (*size, 0),
            (Some(InputShape::Bytes(size)), Some((at, stride, _))) => (*size, size.saturating_sub(at) / stride.max(1)),
            (Some(InputShape::Extent(extent)), Some((at, stride, _))) if extent.len() == 1 => {
                let count = self.count(input, extent)?;
                ((at + count * stride).max(fixed), count)
            }
            (Some(InputShape::Extent(_)), _) => {
                let message = format!("`{}` is a buffer, and this is no size of one", input.name);
                self.complain(input.at, message, "a buffer of fixed size has none; one that ends in a runtime-sized array has `[N]`; any may have `N bytes`");
                return None;
            }
        };
        let tail_scalars = tail.map_or(0, |(.., element)| count.saturating_mul(types.measure(element).leaves));
        self.allow(input, fixed_scalars.saturating_add(tail_scalars), size)?;
        let mut leaves = scalars(types, ty);
        if let Some((at, stride, element)) = tail {
            leaves.extend(elements(types, element, stride, at, count));
        }
        leaves.retain(|&(at, stored)| at + u64::from(stored.size()) <= size);
        Some(BindLayout { size, leaves })
    }

    fn param(&mut self, param: &Param, input: &RunInput) {
        match param.kind {
            ParamKind::Uniform(ty) => self.uniform(input, ty),
            ParamKind::View(view) => {
                let Some((allocation, offset)) = self.place(input) else { return };
                let Some(extent) = self.extent(input) else { return };
                let Some(count) = self.count(input, &extent) else { return };
                let scalars = count.saturating_mul(self.kernel.types().measure(view.element).leaves);
                let apart = matches!(input.place, InputPlace::In { .. });
                if apart && self.spend(input, scalars, 0).is_none() {
                    return;
                }
                let dense = ViewArgument::dense(allocation, &extent);
                let strides = match &input.place {
                    InputPlace::In { strides: Some(strides), .. } => strides.clone(),
                    _ => dense.strides,
                };
                let argument = ViewArgument::new(allocation, offset, extent, strides);
                let element = view.element;
                self.object(param, &argument, element);
                self.out.arguments.push(Argument::View(argument));
            }
            ParamKind::Buffer { ty, .. } => {
                let Some((allocation, offset)) = self.place(input) else { return };
                let Some(layout) = self.buffer_layout(input, ty) else { return };
                let apart = matches!(input.place, InputPlace::In { .. });
                if apart && self.spend(input, layout.leaves.len() as u64, 0).is_none() {
                    return;
                }
                let size = layout.size;
                let leaves = layout.leaves.iter().map(|&(at, stored)| (at.saturating_add(offset), stored)).collect();
                let per_element = tail(self.kernel.types(), ty, 0)
                    .filter(|tail| tail.0 == 0)
                    .map_or(1, |tail| scalars_of(self.kernel.types(), tail.2));
                let bytes = offset..offset.saturating_add(size);
                self.add_object(
                    param,
                    (allocation, bytes),
                    leaves,
                    (per_element, only_scalar(self.kernel.types(), ty)),
                    None,
                );
                self.out.arguments.push(Argument::Buffer { allocation, offset, size });
            }
        }
    }

    fn uniform(&mut self, input: &RunInput, ty: TypeId) {
        if let Some(bytes) = self.uniform_bytes(input, ty) {
            self.out.arguments.push(Argument::Uniform(bytes));
        }
    }

    fn uniform_bytes(&mut self, input: &RunInput, ty: TypeId) -> Option<Vec<u8>> {
        let InputPlace::Own(data) = &input.place else {
            self.complain(
                input.at,
                format!("`{}` is a value and lies in no memory", input.name),
                format!("write `//! {} = ..`", input.name),
            );
            return None;
        };
        if input.fresh {
            let message = format!("`{}` is a value, and only memory is `fresh`", input.name);
            self.complain(input.at, message, format!("write `//! {} = ..`", input.name));
        }
        if input.shape.is_some() {
            self.complain(
                input.at,
                format!("`{}` is a value and has no extent", input.name),
                format!("write `//! {} = ..`", input.name),
            );
        }
        let types = self.kernel.types();
        let (scalars, bytes) = (types.measure(ty).leaves, types.size(ty));
        self.allow(input, scalars, bytes)?;
        self.spend(input, scalars, bytes)?;
        let leaves = self::scalars(types, ty);
        let stored: Vec<Stored> = leaves.iter().map(|leaf| leaf.1).collect();
        match data::fill(data, &stored) {
            Ok(bits) => {
                let mut bytes = vec![UNSET; types.size(ty) as usize];
                for (&(at, stored), bits) in leaves.iter().zip(bits) {
                    crate::value::write(&mut bytes, at, stored, bits);
                }
                Some(bytes)
            }
            Err(complaint) => {
                self.complaints.push(complaint);
                None
            }
        }
    }

    /// The allocation of an input, and its first byte.
    fn place(&mut self, input: &RunInput) -> Option<(usize, u64)> {
        let mut at = 0u64;
        let mut here = input;
        // A chain longer than the number of inputs is a cycle.
        for _ in 0..=self.run.inputs.len() {
            let InputPlace::In { other, offset, .. } = &here.place else {
                return self.allocations.get(here.name.as_str()).map(|&allocation| (allocation, at));
            };
            at = at.saturating_add(*offset);
            match self.inputs.get(other.as_str()) {
                Some(&next) => here = next,
                None => {
                    let help = format!(
                        "name a parameter that has an input, or declare it: `//! memory {other}: f32 [16] = zero`"
                    );
                    self.complain(here.at, format!("there is no memory called `{other}`"), help);
                    return None;
                }
            }
        }
        self.complain(
            input.at,
            format!("`{}` lies in itself", input.name),
            "one of them needs memory of its own: `= DATA`",
        );
        None
    }

    fn object(&mut self, param: &Param, view: &ViewArgument, element: TypeId) {
        let types = self.kernel.types();
        let stride = types.element_size(element);
        let per_element = scalars_of(types, element);
        let mut leaves = Vec::new();
        // No more than the limits, which the caller has compared.
        let count = element_count(view.extent.iter().map(|&e| e.max(0) as u64)).unwrap_or(0);
        let one = if count == 0 { Vec::new() } else { scalars(types, element) };
        for i in 0..count {
            let mut rest = i;
            let mut at = 0u64;
            for (&e, &s) in view.extent.iter().zip(&view.strides).rev() {
                at = at.saturating_add((rest % e as u64).saturating_mul(s));
                rest /= e as u64;
            }
            let base = at.saturating_mul(stride).saturating_add(view.offset);
            leaves.extend(one.iter().map(|&(at, stored)| (base.saturating_add(at), stored)));
        }
        let last = view
            .extent
            .iter()
            .zip(&view.strides)
            .fold(0u64, |last, (&e, &s)| last.saturating_add((e.max(1) as u64 - 1).saturating_mul(s)));
        let size = if count == 0 { 0 } else { last.saturating_add(1).saturating_mul(stride) };
        let bytes = view.offset..view.offset.saturating_add(size);
        let per_element = (per_element, only_scalar(types, element));
        self.add_object(param, (view.allocation, bytes), leaves, per_element, Some(view.extent.clone()));
    }

    fn add_object(
        &mut self,
        param: &Param,
        (allocation, bytes): (usize, Range<u64>),
        mut leaves: Vec<(u64, Stored)>,
        (per_element, scalar): (usize, Option<Stored>),
        extent: Option<Vec<i32>>,
    ) {
        let have = self.out.writable[allocation].len() as u64;
        // The launch refuses a view that reaches beyond its memory.
        leaves.retain(|&(at, stored)| at.saturating_add(u64::from(stored.size())) <= have);
        let writable = param.kind.is_writable();
        if writable {
            for &(at, stored) in &leaves {
                self.out.writable[allocation][at as usize..][..stored.size() as usize].fill(true);
            }
        }
        let (name, own_name) = (param.name.to_string(), self.run.shader.own_name(&param.name).to_owned());
        self.out.objects.push(NamedData {
            name,
            own_name,
            allocation,
            bytes,
            leaves,
            per_element,
            scalar,
            extent,
            writable,
        });
    }
}

struct BindLayout {
    size: u64,
    leaves: Vec<(u64, Stored)>,
}

/// The number of scalars of a type, which need not be within the limits: perhaps there is none such.
fn scalars_of(types: &Types, ty: TypeId) -> usize {
    types.measure(ty).leaves.min(MOST) as usize
}

/// The type of all scalars of a type, if they have one. Each type is looked at once, however often it is a part.
fn only_scalar(types: &Types, ty: TypeId) -> Option<Stored> {
    let (mut only, mut open, mut seen) = (None, vec![ty], HashSet::new());
    while let Some(ty) = open.pop() {
        if !seen.insert(ty) {
            continue;
        }
        let stored = match types.get(ty) {
            Type::Scalar(stored) | Type::Vector(stored, _) => *stored,
            Type::Array { element, .. } => {
                open.push(*element);
                continue;
            }
            Type::Struct(s) => {
                open.extend(s.fields.iter().map(|field| field.ty));
                continue;
            }
        };
        if only.is_some_and(|only| only != stored) {
            return None;
        }
        only = Some(stored);
    }
    only
}

/// The scalars of a type. The caller has compared their number with the limits.
fn scalars(types: &Types, ty: TypeId) -> Vec<(u64, Stored)> {
    let mut scalars = Vec::new();
    types.leaves(ty, &mut |at, stored| scalars.push((at, stored)));
    scalars
}

/// The scalars of `count` elements, `stride` bytes apart, from byte `at`.
fn elements(types: &Types, element: TypeId, stride: u64, at: u64, count: u64) -> Vec<(u64, Stored)> {
    // Nobody has to write out the scalars of an element that does not exist: there may be very many.
    let one = if count == 0 { Vec::new() } else { scalars(types, element) };
    (0..count).flat_map(|i| one.iter().map(move |&(leaf, stored)| (at + i * stride + leaf, stored))).collect()
}

/// Offset, stride and element of the runtime-sized array that a type is or ends in, if it begins at byte
/// `at`.
pub fn tail(types: &Types, ty: TypeId, at: u64) -> Option<(u64, u64, TypeId)> {
    match types.get(ty) {
        Type::Array { element, length: None, stride } => Some((at, u64::from(*stride), *element)),
        Type::Struct(s) => s.fields.last().and_then(|field| tail(types, field.ty, at + u64::from(field.offset))),
        Type::Array { .. } | Type::Scalar(_) | Type::Vector(..) => None,
    }
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use tilewise_ir::text::parse;
    use tilewise_ir::types::Stored;

    use super::bind;
    use crate::data::{DataForm, HeaderData};
    use crate::header::{HeaderRun, InputPlace, InputShape, RunInput};

    #[test]
    fn an_extent_without_elements_is_bound_however_large_it_is() {
        let text = "struct Pair { a: i32, b: f32 }
            kernel k(a: view<f32x2, 4, read>, b: view<Pair, 4, read>, c: view<[i32; 3], 4, read>) rank(1) {}";
        let kernel = parse("k.kir", text).expect("it parses");
        for extent in [vec![0, i32::MAX, i32::MAX, i32::MAX], vec![i32::MAX, i32::MAX, i32::MAX, 0]] {
            let at = crate::FilePlace { line: 1, column: 1 };
            let mut run = HeaderRun { domain: Some(vec![1]), ..HeaderRun::default() };
            run.inputs.extend(["a", "b", "c"].map(|name| {
                RunInput {
                    name: name.to_owned(),
                    shape: Some(InputShape::Extent(extent.clone())),
                    place: InputPlace::Own(HeaderData { at, form: DataForm::Zero }),
                    fresh: false,
                    at,
                }
                .into()
            }));
            let bound = bind(&kernel, &run).expect("nothing is bound");
            let found: Vec<_> = bound.objects.iter().map(|object| (object.leaves.len(), object.scalar)).collect();
            assert_eq!(found, [(0, Some(Stored::F32)), (0, None), (0, Some(Stored::I32))]);
        }
    }

    #[test]
    fn the_scalars_of_elements_that_do_not_exist_are_not_written_out() {
        let names: Vec<String> = (0..40).map(|i| format!("a{i}")).collect();
        let list = |kind: &str| names.iter().map(|name| format!("{name}: {kind}")).collect::<Vec<_>>().join(", ");
        for kind in ["view<[u8; 4000000], 1, read>", "buffer<[[u8; 4000000]], read>"] {
            let text = format!("kernel k({}) rank(1) {{}}", list(kind));
            let kernel = parse("k.kir", &text).expect("it parses");
            let at = crate::FilePlace { line: 1, column: 1 };
            let mut run = HeaderRun { domain: Some(vec![1]), ..HeaderRun::default() };
            run.inputs.extend(names.iter().map(|name| {
                RunInput {
                    name: name.clone(),
                    shape: Some(InputShape::Extent(vec![0])),
                    place: InputPlace::Own(HeaderData { at, form: DataForm::Zero }),
                    fresh: false,
                    at,
                }
                .into()
            }));
            let start = Instant::now();
            let bound = bind(&kernel, &run).expect("nothing is bound");
            assert!(start.elapsed() < Duration::from_secs(1), "{kind}: {:?}", start.elapsed());
            assert_eq!(bound.objects.len(), 40);
            assert!(bound.objects.iter().all(|object| object.leaves.is_empty() && object.per_element == 4_000_000));
        }
    }
}

//! What rustdoc shows of `tilewise`: each name at the top of the crate has an example that is run and asserts something, and who knows C++ AMP finds its names by searching.

mod items;

use self::items::{Item, declared, items};
use crate::{no_breach, read};

/// Where each name of C++ AMP leads, except for those of short vectors, which are in [`VECTORS`].
const NAMES: &[(&str, &str)] = &[
    ("index", "Index"),
    ("extent", "Extent"),
    ("size", "Extent::size"),
    ("contains", "Extent::contains"),
    ("tiled_extent", "TiledExtent"),
    ("get_tile_extent", "TiledExtent::tile_extent"),
    ("tile_dim0", "TiledExtent::TILE_DIM0"),
    ("tile_dim1", "TiledExtent::TILE_DIM1"),
    ("tile_dim2", "TiledExtent::TILE_DIM2"),
    ("pad", "TiledExtent::pad"),
    ("truncate", "TiledExtent::truncate"),
    ("tiled_index", "TiledIndex"),
    ("tile_barrier", "TileBarrier"),
    ("wait", "TileBarrier::wait"),
    ("wait_with_all_memory_fence", "TileBarrier::wait_with_all_memory_fence"),
    ("wait_with_global_memory_fence", "TileBarrier::wait_with_global_memory_fence"),
    ("wait_with_tile_static_memory_fence", "TileBarrier::wait_with_tile_static_memory_fence"),
    ("all_memory_fence", "all_memory_fence"),
    ("global_memory_fence", "global_memory_fence"),
    ("tile_static_memory_fence", "tile_static_memory_fence"),
    ("tile_static", "TileStatic"),
    ("restrict", "amp"),
    ("parallel_for_each", "parallel_for_each"),
    ("array", "Array"),
    ("staging_array", "ArrayBuilder::staging_for"),
    ("data", "Array::host"),
    ("data", "Array::host_mut"),
    ("copy_to", "Array::copy_to"),
    ("get_extent", "Array::extent"),
    ("get_accelerator_view", "Array::accelerator_view"),
    ("get_associated_accelerator_view", "Array::associated_accelerator_view"),
    ("get_cpu_access_type", "Array::cpu_access_type"),
    ("array_view", "ArrayView"),
    ("data", "ArrayView::host"),
    ("data", "ArrayView::host_mut"),
    ("get_ref", "ArrayView::host"),
    ("get_extent", "ArrayView::extent"),
    ("get_cpu_access_type", "ArrayView::cpu_access_type"),
    ("get_source_accelerator_view", "ArrayView::source_accelerator_view"),
    ("projection", "ArrayView::project"),
    ("section", "ArrayView::section"),
    ("reinterpret_as", "ArrayView::reinterpret_as"),
    ("view_as", "ArrayView::view_as"),
    ("copy_to", "ArrayView::copy_to"),
    ("synchronize", "ArrayView::synchronize"),
    ("synchronize_async", "ArrayView::synchronize_async"),
    ("synchronize_to", "ArrayView::synchronize_to"),
    ("synchronize_to_async", "ArrayView::synchronize_to_async"),
    ("refresh", "ArrayView::refresh"),
    ("discard_data", "ArrayView::discard_data"),
    ("copy", "copy"),
    ("copy", "copy_iter"),
    ("copy", "copy_extend"),
    ("copy_async", "copy_async"),
    ("copy_async", "copy_async_from"),
    ("copy_async", "copy_async_into"),
    ("completion_future", "Completion"),
    ("get", "Completion::get"),
    ("wait", "Completion::wait"),
    ("wait_for", "Completion::wait_timeout"),
    ("wait_until", "Completion::wait_timeout"),
    ("then", "Completion::then"),
    ("atomic_exchange", "AtomicRef::exchange"),
    ("atomic_compare_exchange", "AtomicRef::compare_exchange"),
    ("atomic_fetch_add", "AtomicRef::fetch_add"),
    ("atomic_fetch_sub", "AtomicRef::fetch_sub"),
    ("atomic_fetch_max", "AtomicRef::fetch_max"),
    ("atomic_fetch_min", "AtomicRef::fetch_min"),
    ("atomic_fetch_and", "AtomicRef::fetch_and"),
    ("atomic_fetch_or", "AtomicRef::fetch_or"),
    ("atomic_fetch_xor", "AtomicRef::fetch_xor"),
    ("atomic_fetch_inc", "AtomicRef::fetch_inc"),
    ("atomic_fetch_dec", "AtomicRef::fetch_dec"),
    ("accelerator", "Accelerator"),
    ("default_accelerator", "Accelerator::DEFAULT"),
    ("cpu_accelerator", "Accelerator::CPU"),
    ("direct3d_ref", "Accelerator::REFERENCE"),
    ("direct3d_warp", "Accelerator::JIT"),
    ("get_all", "Accelerator::all"),
    ("set_default", "Accelerator::set_default"),
    ("get_auto_selection_view", "Accelerator::auto_selection_view"),
    ("device_path", "Accelerator::path"),
    ("get_device_path", "Accelerator::path"),
    ("get_description", "Accelerator::description"),
    ("get_version", "Accelerator::version"),
    ("get_is_debug", "Accelerator::is_debug"),
    ("get_is_emulated", "Accelerator::is_emulated"),
    ("get_has_display", "Accelerator::has_display"),
    ("get_supports_double_precision", "Accelerator::supports_double_precision"),
    ("get_supports_limited_double_precision", "Accelerator::supports_limited_double_precision"),
    ("get_supports_cpu_shared_memory", "Accelerator::supports_cpu_shared_memory"),
    ("get_dedicated_memory", "Accelerator::dedicated_memory"),
    ("get_default_cpu_access_type", "Accelerator::default_cpu_access_type"),
    ("set_default_cpu_access_type", "Accelerator::set_default_cpu_access_type"),
    ("get_default_view", "Accelerator::default_view"),
    ("create_view", "Accelerator::create_view"),
    ("accelerator_view", "AcceleratorView"),
    ("get_accelerator", "AcceleratorView::accelerator"),
    ("get_queuing_mode", "AcceleratorView::queuing_mode"),
    ("get_is_auto_selection", "AcceleratorView::is_auto_selection"),
    ("flush", "AcceleratorView::flush"),
    ("wait", "AcceleratorView::wait"),
    ("create_marker", "AcceleratorView::create_marker"),
    ("access_type", "AccessType"),
    ("access_type_none", "AccessType::None"),
    ("access_type_read", "AccessType::Read"),
    ("access_type_write", "AccessType::Write"),
    ("access_type_read_write", "AccessType::ReadWrite"),
    ("access_type_auto", "AccessType::Auto"),
    ("queuing_mode", "QueuingMode"),
    ("queuing_mode_immediate", "QueuingMode::Immediate"),
    ("queuing_mode_automatic", "QueuingMode::Automatic"),
    ("runtime_exception", "Error"),
    ("out_of_memory", "Error::OutOfMemory"),
    ("invalid_compute_domain", "Error::InvalidComputeDomain"),
    ("unsupported_feature", "Error::UnsupportedFeature"),
    ("accelerator_view_removed", "Error::AcceleratorViewRemoved"),
    ("get_view_removed_reason", "Error::AcceleratorViewRemoved"),
    ("direct3d_printf", "set_print_hook"),
    ("direct3d_errorf", "Error::Aborted"),
    ("short_vector", "ShortVector"),
    ("short_vector_traits", "ShortVectorTraits"),
    ("direct3d_abort", "Error::Aborted"),
    ("fast_math", "fast_math"),
];

/// Names of short vectors: a macro hands them on, so they are looked for in its list.
const VECTORS: [&str; 6] = ["int", "uint", "float", "double", "norm", "unorm"];

/// Is there a block that is run and asserts something?
fn has_example(docs: &str) -> bool {
    let mut open: Option<&str> = None;
    for line in docs.lines().map(str::trim) {
        match (open, line.strip_prefix("```")) {
            (None, Some(info)) => open = Some(info.trim()),
            (Some(_), Some(_)) => open = None,
            (Some("" | "rust"), None) if line.contains("assert") => return true,
            _ => {}
        }
    }
    false
}

/// The names at the top of the crate, and whether each is one of the macros.
pub(crate) fn top() -> Vec<(String, bool)> {
    let source = read("tilewise/src/lib.rs");
    let code: String = source.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let mut out = Vec::new();
    for statement in code.split(';').filter(|statement| !statement.contains("doc(hidden)")) {
        let Some((_, path)) = statement.split_once("pub use ") else { continue };
        let Some((from, names)) = path.trim_end_matches('}').rsplit_once("::") else { continue };
        let names = path.split_once('{').map_or(names, |(_, names)| names.trim_end_matches('}'));
        let named = names.split(',').map(str::trim).filter(|name| !name.is_empty());
        out.extend(named.map(|name| (name.to_owned(), from.starts_with("tilewise_macros"))));
    }
    out
}

#[test]
fn every_name_at_the_top_has_an_example_that_is_run() {
    let (ours, top) = (items("tilewise/src"), top());
    assert!(top.len() > 60, "only {} names are found in tilewise/src/lib.rs", top.len());
    let here = declared(&read("tilewise/src/lib.rs")).expect("it is Rust");
    let mut breaches = Vec::new();
    for (name, is_macro) in &top {
        let all = if *is_macro { &here } else { &ours };
        let constructor = format!("{name}::new");
        let of_name = |item: &&Item| (item.path == *name || item.path == constructor) && item.is_public;
        let found: Vec<&Item> = all.iter().filter(of_name).filter(|item| !item.is_hidden).collect();
        let only_modules = found.iter().all(|item| item.is_module);
        if !found.iter().any(|item| item.is_module == only_modules && has_example(&item.docs)) {
            breaches.push(format!("`{name}` has no example"));
        }
    }
    no_breach(
        "What is at the top of `tilewise` shows its use in a block of its documentation that is run and asserts something:",
        &breaches,
    );
}

#[test]
fn every_name_of_cpp_amp_is_found_by_searching() {
    let mut all = items("tilewise/src");
    all.extend(items("macros/src"));
    let mut breaches = Vec::new();
    for (name, path) in NAMES {
        let found: Vec<&Item> = all.iter().filter(|item| item.path == *path && item.is_public).collect();
        let own = path.rsplit("::").next().unwrap_or(path);
        let known =
            own.eq_ignore_ascii_case(name) || found.iter().any(|item| item.aliases.iter().any(|alias| alias == name));
        if found.is_empty() {
            breaches.push(format!("`{path}` does not exist: where is `{name}`?"));
        } else if !known {
            breaches.push(format!("`{path}` needs `#[doc(alias = \"{name}\")]`"));
        }
    }
    let vectors = read("tilewise/src/api/vector/mod.rs");
    for name in VECTORS.iter().flat_map(|scalar| (2..=4).map(move |width| format!("{scalar}_{width}"))) {
        if !vectors.contains(&format!("\"{name}\"")) {
            breaches.push(format!("tilewise/src/api/vector/mod.rs: the list of vectors does not name `{name}`"));
        }
    }
    if !read("tilewise/src/api/vector/types.rs").contains("#[doc(alias = $alias)]") {
        breaches.push("tilewise/src/api/vector/types.rs: the names of vectors in C++ AMP are not handed on".to_owned());
    }
    no_breach("Each name of C++ AMP leads to what it became, by its own name or an alias:", &breaches);
}

#[test]
fn items_are_read_with_what_is_said_of_them() {
    let source = "
        /// A pair.
        #[doc(alias = \"couple\")]
        pub struct Pair<T>(T, T);
        impl<T> Pair<T> { both! {
            /// ```
            /// assert!(true);
            /// ```
            #[doc(alias(\"a\", \"b\"))]
            pub const fn first[first_marked: X](self) -> T { self.0 }
        } fn inner(&self) {} }
        impl<T> From<T> for Pair<T> { fn from(of: T) -> Self { of } }
        pub enum Kind { #[doc(alias = \"nothing\")] None, Some(u32) }
        mod apart { pub(crate) struct Hidden; }
    ";
    let found = declared(source).expect("it is Rust");
    let shown = |item: &Item| format!("{} {}", item.path, item.aliases.join(" ")).trim().to_owned();
    let shown: Vec<String> = found.iter().map(shown).collect();
    let expected = ["Pair couple", "Pair::first a b", "Pair::inner", "Pair::from", "Kind", "Kind::None nothing"];
    assert_eq!(shown[..6], expected);
    assert!(has_example(&found[1].docs) && !has_example(&found[0].docs));
    assert!(found.iter().any(|item| item.path == "Hidden" && !item.is_public));
    assert!(!has_example("```text\nassert\n```\nassert"));
}

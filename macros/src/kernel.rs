//! `kernel!` and `parallel_for_each!`: the code around the closure.

use proc_macro2::{Span, TokenStream};
use quote::{quote, quote_spanned};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::{Expr, ExprClosure, Pat, Token};
use tilewise_ast::{Mode, SyntaxParam, SyntaxTree};

use crate::at::{at, own};
use crate::walk::{PatternUse, SyntaxWalk, pattern_span};

/// Allows the lints about the style of generated code.
pub(crate) fn allowed() -> TokenStream {
    quote!(#[allow(
        unused_parens,
        unused_braces,
        unused_qualifications,
        clippy::assign_op_pattern,
        clippy::blocks_in_conditions,
        clippy::double_parens,
        clippy::let_and_return,
        clippy::let_unit_value,
        clippy::init_numbered_fields,
        clippy::needless_borrow,
        clippy::needless_borrows_for_generic_args,
        clippy::redundant_closure_call,
        clippy::redundant_pattern,
        clippy::unit_arg,
        reason = "the code is generated in the shape of the user's"
    )])
}

/// Imports the methods that the closure's code calls.
pub(crate) fn scope() -> TokenStream {
    quote!(
        #[allow(unused_imports, reason = "needed by some of the code")]
        use ::tilewise::macro_support::{
            AbsentCollections as _, AbsentOfIterators as _, AbsentOfOptions as _, AbsentOfSlices as _,
            AbsentOfTuples as _, ArrayElements as _, ArrayIterators as _, ArrayMap as _, ArrayMethods as _,
            ArrayParts as _, AskedLength as _, AskedRanges as _, AtomicOfName as _, AtomicOfValue as _,
            BehindReferences as _, ByteMethods as _, CharFunctions as _, CharMethods as _, CheckedMethods as _,
            ChoiceMethods as _, CmpMethod as _, CopiedChoices as _, CopiedOptions as _, Copies as _,
            FilledMethods as _, FlatIterators as _, HeapConversion as _, HeapMethods as _, HostMethods as _,
            IntegerResults as _, IntoIterMethod as _, IntoMethod as _, IteratorMethods as _, NestedOption as _,
            NoIndexMut as _, NoLogarithm as _, NoRadix as _, NumberedChar as _, OptionChanges as _, OptionMethods as _,
            OrderingMethods as _, OtherElements as _, PartialCmpMethod as _, PanickingOfResults as _,
            PartBehindTwo as _, PartOfReference as _, PatternBehindTwo as _, PatternMismatch as _,
            PatternOfReference as _, PeekedItems as _, PrintedItem as _, PartsOfSlices as _, ReferenceChoices as _,
            ReferenceOptions as _, ReferredElements as _, ResultMethods as _, SignedResults as _, SliceMethods as _,
            SliceRuns as _, TotalCmpMethod as _, TruthMethods as _, UnsignedResults as _, ViewHandles as _,
            WriteElement as _, Zeros as _, methods::*,
        };
    )
}

/// Puts the kernel into the list of the program's kernels. None of the user's tokens is in the unsafe block,
/// and lints see the code of a macro of another crate, so `#![forbid(unsafe_code)]` allows it.
fn registered() -> TokenStream {
    quote_spanned! {Span::mixed_site()=>
        // SAFETY: the form is the closure `move || RustFunction { .. }` that stands above. It captures
        // witnesses and links, which the same macro declares: types of the user's have no values, and what
        // the user wrote as a value stands in a `const` block, which has no names of variables.
        let __kernel = unsafe { ::tilewise::macro_support::registered(__kernel) };
    }
}

/// `kernel!(|i: Index<1>| ..)`
pub(crate) fn kernel(closure: &ExprClosure) -> TokenStream {
    match parts(closure) {
        Ok(MacroParts { items, before, witness, closure, function }) => {
            let (allowed, scope, registered) = (allowed(), scope(), registered());
            quote_spanned! {Span::mixed_site()=> {
                #scope
                #items
                #before
                #allowed
                let __kernel = ::tilewise::macro_support::kernel(#witness, #closure, __bindings, #function);
                #registered
                __kernel
            }}
        }
        Err(errors) => quote!({ #errors }),
    }
}

/// `parallel_for_each!(domain, |i| ..)`
pub(crate) fn parallel_for_each(input: &LaunchInput) -> TokenStream {
    let domain = &input.domain;
    let launch = match &input.on {
        Some(on) => quote_spanned!(own(on.span())=> ::tilewise::Launch::new(#domain).on(#on)),
        None => quote_spanned!(own(domain.span())=> ::tilewise::macro_support::launch(#domain)),
    };
    match parts(&input.closure) {
        Ok(MacroParts { items, before, witness, closure, function }) => {
            let (allowed, scope, registered) = (allowed(), scope(), registered());
            // The items of the kernel are not those of the domain.
            let inside = quote_spanned! {Span::mixed_site()=>
                #before
                #allowed
                let __kernel = ::tilewise::macro_support::kernel_of(&__launch, #witness, #closure, __bindings, #function);
                #registered
                __launch.go(&__kernel)
            };
            let inside = if items.is_empty() { inside } else { quote!({ #items #inside }) };
            quote_spanned! {Span::mixed_site()=> {
                #scope
                let __launch = #launch;
                #inside
            }}
        }
        Err(errors) => quote!({ #errors }),
    }
}

/// The input of `parallel_for_each!`.
pub(crate) struct LaunchInput {
    on: Option<Expr>,
    domain: Expr,
    closure: ExprClosure,
}

impl Parse for LaunchInput {
    fn parse(input: ParseStream<'_>) -> syn::Result<LaunchInput> {
        let mut before: Vec<Expr> = Vec::new();
        loop {
            match input.parse::<Expr>()? {
                Expr::Closure(closure) => {
                    let _: Option<Token![,]> = input.parse()?;
                    let (on, domain) = target_and_domain(before, &closure)?;
                    return Ok(LaunchInput { on, domain, closure });
                }
                other => before.push(other),
            }
            if input.is_empty() {
                let last = before.last().map_or_else(|| input.span(), Spanned::span);
                let help = "a kernel that is a value is launched by the function `parallel_for_each(domain, &kernel)`";
                return Err(syn::Error::new(last, format!("a closure is expected at the end; {help}")));
            }
            input.parse::<Token![,]>()?;
        }
    }
}

/// `domain`, or `&view, domain`, or `(&view, domain)`.
fn target_and_domain(mut before: Vec<Expr>, closure: &ExprClosure) -> syn::Result<(Option<Expr>, Expr)> {
    if let [Expr::Tuple(pair)] = &before[..]
        && pair.elems.len() == 2
    {
        before = pair.elems.iter().cloned().collect();
    }
    match <[Expr; 2]>::try_from(before) {
        Ok([on, domain]) => Ok((Some(on), domain)),
        Err(mut before) if before.len() == 1 => Ok((None, before.remove(0))),
        Err(before) => {
            let span = before.get(2).map_or_else(|| closure.or1_token.span, Spanned::span);
            Err(syn::Error::new(span, "a domain, or an accelerator view and a domain, is expected before the closure"))
        }
    }
}

/// The code that the two macros share.
struct MacroParts {
    /// The items of the body.
    items: TokenStream,
    /// Witnesses and captures.
    before: TokenStream,
    /// The witness of the parameter.
    witness: TokenStream,
    closure: TokenStream,
    function: TokenStream,
}

fn parts(closure: &ExprClosure) -> Result<MacroParts, TokenStream> {
    let mut walk = SyntaxWalk::new(true);
    let open = closure.or1_token.span;
    if let Some(token) = &closure.asyncness {
        walk.error(token.span, "a kernel does not wait: there is no `async` in it");
    }
    let pattern = match closure.inputs.first() {
        Some(pattern) if closure.inputs.len() == 1 => pattern.clone(),
        _ => {
            walk.error(open, "the closure of a kernel has one parameter, the index of its thread: `|idx| { .. }`");
            syn::parse_quote!(_)
        }
    };
    let (witness, ty) = walk.witness(open);
    let inner = if let Pat::Type(typed) = &pattern { &typed.pat } else { &pattern };
    if let Pat::Tuple(_) | Pat::Slice(_) = inner {
        let message = "the closure of a kernel gets an `Index`, and no tuple or array: write `|Index([y, x])|`, or `|i|` and `i[0]`, `i[1]`";
        return Err(syn::Error::new(pattern_span(inner), message).to_compile_error());
    }
    let param = SyntaxParam {
        pattern: walk.pattern(inner, PatternUse { ty: Some(ty), ..PatternUse::default() }),
        ty: walk.slot(ty),
        mode: Mode::Value,
    };
    // A body that comes from a macro's `$body:block` is in an invisible group.
    let body: syn::Block = match ungrouped(&closure.body) {
        Expr::Block(block) if block.label.is_none() => block.block.clone(),
        other => syn::parse_quote!({ #other }),
    };
    walk.refuse_conditions(&body);
    let (body_code, body) = walk.block(&body);
    if let Some(errors) = walk.mistakes() {
        return Err(errors);
    }
    let captured = captures(&walk);
    let (captures, locals) = walk.names.take();
    let tree = SyntaxTree {
        name: "kernel".to_owned(),
        params: vec![param],
        captures,
        locals,
        result: None,
        body,
        at: at(open),
        tracks_caller: false,
        texture_unit: false,
        gives_self: false,
    };
    let function = walk.function(&tree, open);
    let (declarations, output, (or1, or2)) =
        (walk.declarations(), &closure.output, (&closure.or1_token, &closure.or2_token));
    let site = Span::mixed_site();
    Ok(MacroParts {
        items: walk.items(),
        before: quote_spanned!(site=> #declarations let __bindings = ::tilewise::macro_support::Bindings::NEW; #captured),
        witness: quote!(#witness),
        closure: quote_spanned!(site=> move #or1 #pattern #or2 #output #body_code),
        function: quote_spanned!(site=> move || #function),
    })
}

/// `let (__bindings, out) = __bindings.and(&out, witness);` for each name.
fn captures(walk: &SyntaxWalk) -> TokenStream {
    let one = |captured: &crate::walk::Captured| {
        let (name, source, witness) = (&captured.name, &captured.source, &captured.witness);
        let span = own(name.span());
        let bindings = proc_macro2::Ident::new("__bindings", Span::mixed_site());
        if let Some((link, _)) = &captured.function {
            return quote_spanned! {span=>
                let __type = ::tilewise::macro_support::handed::type_of(&#source);
                let (__as, #bindings, #name @ _) = {
                    use ::tilewise::macro_support::handed::{CaptureFunction as _, CaptureValue as _, Captured};
                    (&&Captured(&#source)).captured(#bindings, #witness)
                };
                {
                    #[allow(unused_imports, reason = "taken where there is no function of the name")]
                    use ::tilewise::macro_support::handed::NoFunction as #name;
                    {
                        #[allow(unused_imports, reason = "for a function of the name")]
                        use self::*;
                        let _ = || #link.handed(__as, #name::named_amp(::tilewise::macro_support::handed::value_of(__type)));
                    }
                }
            };
        }
        // `name @ _`: if a constant has the name, rustc reports the constant, and not that the
        // pattern is refutable.
        quote_spanned! {span=>
            #[allow(clippy::redundant_pattern, reason = "rustc then names a constant of that name")]
            let (#bindings, #name @ _) = #bindings.and(&#source, #witness);
        }
    };
    walk.names.captures().iter().map(one).collect()
}

/// An expression without the invisible groups around it.
fn ungrouped(expr: &Expr) -> &Expr {
    match expr {
        Expr::Group(group) => ungrouped(&group.expr),
        other => other,
    }
}

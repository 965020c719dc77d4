//! The declarations of witnesses and links: in small kernels before the closure, in large ones where they are used.
//!
//! rustc looks at every type that it has not inferred yet each time it checks a call. With all witnesses of a kernel
//! before its closure, the time for a kernel would grow with the square of its statements. So each run of statements
//! with [`MANY`] of them declares its own, and keeps their types in one witness of a tuple, which stands further out, and
//! may be one of many itself:
//! ```text
//! let __k9 = macro_support::Witness::NEW;            // before the closure
//! let __w1 = macro_support::Witness::NEW; .. __k9.is(&((__w1, __l0, ..), (..)));    // before the statements
//! let ((__w1, __l0, ..), (..)) = __k9.kept();        // before the `RustFunction`
//! ```
//! A name can be declared so if only the closure's code and the `RustFunction` use it.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{quote, quote_spanned};

use super::SyntaxWalk;
use crate::at::own;

/// What rustc infers.
#[derive(Clone, Copy)]
pub(super) enum InferredKind {
    /// The type of a value.
    Witness,
    /// The target of a call.
    Link,
}

/// The names of a walk.
#[derive(Default)]
pub(super) struct InferredNames {
    /// Declarations before the closure, whatever its size.
    outer: TokenStream,
    /// Names that are not declared yet.
    open: Vec<(Ident, InferredKind)>,
    /// The witnesses of tuples, each with the names that are its parts.
    kept: Vec<(Ident, TokenStream)>,
}

/// So many names are declared together.
const MANY: usize = 16;

impl InferredNames {
    /// Notes a name; one that is `outer` is declared before the closure.
    pub(super) fn declare(&mut self, name: Ident, kind: InferredKind, outer: bool) {
        if outer {
            self.outer.extend(declaration(&name, kind));
        } else {
            self.open.push((name, kind));
        }
    }

    /// Code that declares these names and keeps their types; and the witness that has them.
    fn close(&mut self, names: &[(Ident, InferredKind)]) -> (TokenStream, Ident) {
        let witness = Ident::new(&format!("__k{}", self.kept.len()), Span::mixed_site());
        let declarations = names.iter().map(|(name, kind)| declaration(name, *kind));
        let mut parts: Vec<TokenStream> = names.iter().map(|(name, _)| quote!(#name)).collect();
        while parts.len() > 1 {
            parts = parts.chunks(8).map(|part| quote!((#(#part,)*))).collect();
        }
        let parts: TokenStream = parts.into_iter().collect();
        let code = quote_spanned!(Span::mixed_site()=> #(#declarations)* #witness.is(&#parts););
        self.kept.push((witness.clone(), parts));
        (code, witness)
    }

    /// The declarations before the closure.
    pub(super) fn before(&self) -> TokenStream {
        let open = self.open.iter().map(|(name, kind)| declaration(name, *kind));
        [self.outer.clone()].into_iter().chain(open).collect()
    }

    /// Declares the names of all tuples again.
    pub(super) fn kept(&self) -> TokenStream {
        // A tuple may have the witnesses of earlier ones.
        let one = |(witness, parts): &(Ident, TokenStream)| quote_spanned!(Span::mixed_site()=> let #parts = #witness.kept(););
        self.kept.iter().rev().map(one).collect()
    }
}

fn declaration(name: &Ident, kind: InferredKind) -> TokenStream {
    let span = own(name.span());
    match kind {
        InferredKind::Witness => quote_spanned!(span=> let #name = ::tilewise::macro_support::Witness::NEW;),
        InferredKind::Link => quote_spanned!(span=> let #name = ::tilewise::macro_support::LinkedCall::NEW;),
    }
}

/// The code of statements, which declares the names of many.
pub(super) struct CodeInParts {
    /// Number of names that are open around it.
    from: usize,
    /// The statements since the last declarations.
    last: TokenStream,
    /// The statements before those, in parts of parts, and the witnesses of tuples in each: the earliest come last.
    parts: Vec<(TokenStream, Vec<(Ident, InferredKind)>)>,
}

impl CodeInParts {
    /// No statements yet.
    pub(super) fn of(walk: &SyntaxWalk) -> CodeInParts {
        CodeInParts { from: walk.inferred.open.len(), last: TokenStream::new(), parts: Vec::new() }
    }

    /// Where the next statement is written.
    pub(super) fn end(&mut self) -> &mut TokenStream {
        &mut self.last
    }

    /// To be called behind each statement: declares the names of the last ones, if they are many.
    pub(super) fn divide(&mut self, walk: &mut SyntaxWalk) {
        if walk.inferred.open.len() < self.from + MANY {
            return;
        }
        let mut part = (std::mem::take(&mut self.last), walk.inferred.open.split_off(self.from));
        for at in 0.. {
            let (declarations, witness) = walk.inferred.close(&part.1);
            if at == self.parts.len() {
                self.parts.push((TokenStream::new(), Vec::new()));
            }
            let (code, names) = &mut self.parts[at];
            code.extend([declarations, part.0]);
            names.push((witness, InferredKind::Witness));
            if names.len() < MANY {
                break;
            }
            part = std::mem::take(&mut self.parts[at]);
        }
    }

    /// All statements. What is not declared in them is open for the statements around.
    pub(super) fn finish(mut self, walk: &mut SyntaxWalk) -> TokenStream {
        let mut all = TokenStream::new();
        while let Some((code, names)) = self.parts.pop() {
            all.extend(code);
            walk.inferred.open.extend(names);
        }
        all.extend(self.last);
        all
    }
}

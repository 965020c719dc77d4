//! The functions that JavaScript calls. Texts cross as UTF-8 in memory: the page writes a request into a
//! buffer of this module, and reads the answer from another.
//!
//! ```text
//! const at = tilewise_request(length);            // a buffer of `length` bytes
//! new Uint8Array(memory.buffer, at, length).set(text);
//! tilewise_run(0);                                // 0: .kir, 1: WGSL
//! new Uint8Array(memory.buffer, tilewise_answer(), tilewise_answer_length());
//! ```
//! A panic ends the call with a trap; then the answer is the panic's message.

#![allow(unsafe_code, reason = "exported functions have names of their own in a WebAssembly module")]

use std::cell::RefCell;

use crate::answer::{PageMessage, TextPlace};
use crate::launch::rejected;
use crate::{EXAMPLES, MAX_BYTES, TextLanguage, run_text};

thread_local! {
    static REQUEST: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static ANSWER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

fn set_answer(bytes: Vec<u8>) {
    ANSWER.with(|answer| {
        if let Ok(mut answer) = answer.try_borrow_mut() {
            *answer = bytes;
        }
    });
}

/// The address of a buffer for a request of `length` bytes, until the next call. It is empty if the request is
/// longer than any text may be.
// SAFETY: no other function of the module has this name; rustc and the linker would refuse a second.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_request(length: usize) -> *mut u8 {
    let length = if length > MAX_BYTES { 0 } else { length };
    REQUEST.with_borrow_mut(|request| {
        *request = vec![0; length];
        request.as_mut_ptr()
    })
}

/// Runs the text of the request: a shader if `language` is 1. The answer is a [`TextAnswer`](crate::TextAnswer) as
/// JSON.
// SAFETY: as for `tilewise_request`.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_run(language: u32) {
    if cfg!(target_family = "wasm") {
        std::panic::set_hook(Box::new(|info| set_answer(info.to_string().into_bytes())));
    }
    let language = if language == 1 { TextLanguage::Wgsl } else { TextLanguage::Kir };
    let request = REQUEST.take();
    let answer = match std::str::from_utf8(&request) {
        Ok(text) => run_text(language, text),
        Err(_) => rejected(vec![PageMessage::plain(TextPlace::default(), "the text is not UTF-8", "")]),
    };
    set_answer(json(&answer));
}

/// Makes the answer the list of examples, as JSON.
// SAFETY: as for `tilewise_request`.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_examples() {
    set_answer(json(&EXAMPLES));
}

/// The address of the last answer, until the next call.
// SAFETY: as for `tilewise_request`.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_answer() -> *const u8 {
    ANSWER.with_borrow(Vec::as_ptr)
}

/// The bytes of the last answer.
// SAFETY: as for `tilewise_request`.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_answer_length() -> usize {
    ANSWER.with_borrow(Vec::len)
}

/// The limit on the bytes of a text.
// SAFETY: as for `tilewise_request`.
#[unsafe(no_mangle)]
pub extern "C" fn tilewise_longest() -> usize {
    MAX_BYTES
}

fn json(value: &impl serde::Serialize) -> Vec<u8> {
    // The types have no maps with other keys than texts, which is all that could fail.
    serde_json::to_vec(value).unwrap_or_default()
}

//! scratch
use std::cell::RefCell;
use std::time::Instant;
thread_local! { static LAPS: RefCell<(Option<Instant>, Vec<(&'static str, f64)>)> = const { RefCell::new((None, Vec::new())) }; }
pub fn lap(name: &'static str) {
    LAPS.with(|l| { let mut l = l.borrow_mut(); let now = Instant::now(); if let Some(b) = l.0 { let d = (now - b).as_secs_f64()*1e6; l.1.push((name, d)); } l.0 = Some(Instant::now()); });
}
pub fn take() -> Vec<(&'static str, f64)> { LAPS.with(|l| { let mut l = l.borrow_mut(); l.0 = None; std::mem::take(&mut l.1) }) }

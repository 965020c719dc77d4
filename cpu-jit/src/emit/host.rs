//! What machine code knows of whoever runs it.

use std::ffi::c_void;
use std::sync::atomic::AtomicU32;

/// What a thread says: `state` is [`HostCalls::state`]; the number of the message in [`LaneProgram::messages`](crate::lanes::LaneProgram::messages); a bit for each
/// lane that says it, lane 0 the lowest; lane 0's linear thread index; the values, one 64-bit word for each lane of each value, the lanes of a value
/// side by side. A word holds a number's bits, zero-extended; those of lanes that say nothing hold anything. The words are gone when it returns.
pub type Tell = unsafe extern "C" fn(state: *mut c_void, message: u32, lanes: u32, thread: i64, words: *const u64);

/// The other side of a running program. Whoever calls [`MachineCode::call`](super::MachineCode::call) makes one; several calls may share it if `tell` allows that.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct HostCalls {
    /// Points to a number that is not 0 when programs are to end.
    pub stop: *const AtomicU32,
    /// Whatever `tell` needs.
    pub state: *mut c_void,
    /// Takes messages. It must not unwind.
    pub tell: Tell,
}

//! Buffers: device memory with an owner.

use std::sync::Arc;

use tilewise_ir::launch::AllocationFacts;

use super::device::{DeviceShared, locked};
use super::failed::DeviceFailure;
use super::pool::{LentBuffer, Purpose};
use super::texture::BufferTextures;
use super::thread_safe::ThreadSafe;
use crate::lower::{HEAD, TAIL};

/// Bytes in the memory of a device. Clones are the same bytes; when the last is dropped, they
/// return to the device's pool.
#[derive(Clone, Debug)]
pub struct Buffer(ThreadSafe<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    shared: Arc<DeviceShared>,
    /// `None` only during the drop.
    piece: Option<LentBuffer>,
    wgpu: wgpu::Buffer,
    number: u64,
    bytes: u64,
    textures: BufferTextures,
}

impl Buffer {
    pub(super) fn allocate(shared: &Arc<DeviceShared>, bytes: u64, zeroed: bool) -> Result<Buffer, DeviceFailure> {
        let most = shared.largest();
        if bytes > most {
            return Err(DeviceFailure::Unsupported(format!(
                "{bytes} bytes in one array are more than the {most} that the adapter `{}` binds: use several",
                shared.adapter.name()
            )));
        }
        let size = u64::from(HEAD) + bytes.next_multiple_of(4) + u64::from(TAIL);
        let piece = shared.lend(Purpose::Storage, size).map_err(|failed| match failed {
            DeviceFailure::OutOfMemory(_) => DeviceFailure::OutOfMemory(bytes),
            other => other,
        })?;
        if zeroed && piece.used {
            locked(&shared.submitting).insert(piece.number, (piece.buffer.clone(), size));
        }
        let (wgpu, number) = (piece.buffer.clone(), piece.number);
        Ok(Buffer(ThreadSafe::new(Arc::new(Inner {
            shared: Arc::clone(shared),
            piece: Some(piece),
            wgpu,
            number,
            bytes,
            textures: BufferTextures::default(),
        }))))
    }

    /// The size in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes
    }

    /// The facts for [`validate`](tilewise_ir::launch::validate()): the user's bytes begin [`HEAD`]
    /// bytes into a piece, which keeps the alignment of bound buffers.
    pub(super) fn facts(&self) -> AllocationFacts {
        AllocationFacts { size: self.bytes(), alignment: u64::from(HEAD) }
    }

    pub(super) fn wgpu(&self) -> &wgpu::Buffer {
        &self.0.wgpu
    }

    /// Its textures, which are copies of its contents.
    pub(super) fn textures(&self) -> &BufferTextures {
        &self.0.textures
    }

    pub(super) fn number(&self) -> u64 {
        self.0.number
    }

    /// Whether it belongs to that device.
    pub(super) fn is_of(&self, shared: &DeviceShared) -> bool {
        self.0.shared.number == shared.number
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if let Some(piece) = self.piece.take() {
            self.shared.give(piece);
        }
    }
}

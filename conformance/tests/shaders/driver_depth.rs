//! Fills depth textures on a driver: no copy may write them, so each layer is drawn.

use std::borrow::Cow;

/// One triangle covers the target; the depth of a pixel is a number of the buffer.
const DRAW: &str = "
@group(0) @binding(0) var<storage, read> depths: array<f32>;
@group(0) @binding(1) var<uniform> place: vec4u;
@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.5, 1.0);
}
@fragment fn depth(@builtin(position) at: vec4f) -> @builtin(frag_depth) f32 {
    return depths[place.x + u32(at.y) * place.y + u32(at.x)];
}";

fn buffer(device: &wgpu::Device, queue: &wgpu::Queue, usage: wgpu::BufferUsages, bytes: &[u8]) -> wgpu::Buffer {
    let descriptor = wgpu::BufferDescriptor {
        label: None,
        size: bytes.len() as u64,
        usage: usage | wgpu::BufferUsages::COPY_DST,
        mapped_at_creation: false,
    };
    let buffer = device.create_buffer(&descriptor);
    queue.write_buffer(&buffer, 0, bytes);
    buffer
}

/// Draws these depths into all layers of a level.
pub(crate) fn fill(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    level: u32,
    size: wgpu::Extent3d,
    depths: &[u8],
) {
    let source = wgpu::ShaderSource::Wgsl(Cow::Borrowed(DRAW));
    let module = device.create_shader_module(wgpu::ShaderModuleDescriptor { label: None, source });
    let stage = wgpu::PipelineCompilationOptions::default;
    let pipeline = device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
        label: None,
        layout: None,
        vertex: wgpu::VertexState {
            module: &module,
            entry_point: Some("cover"),
            compilation_options: stage(),
            buffers: &[],
        },
        primitive: wgpu::PrimitiveState::default(),
        depth_stencil: Some(wgpu::DepthStencilState {
            format: wgpu::TextureFormat::Depth32Float,
            depth_write_enabled: Some(true),
            depth_compare: Some(wgpu::CompareFunction::Always),
            stencil: wgpu::StencilState::default(),
            bias: wgpu::DepthBiasState::default(),
        }),
        multisample: wgpu::MultisampleState::default(),
        fragment: Some(wgpu::FragmentState {
            module: &module,
            entry_point: Some("depth"),
            compilation_options: stage(),
            targets: &[],
        }),
        multiview_mask: None,
        cache: None,
    });
    let numbers = buffer(device, queue, wgpu::BufferUsages::STORAGE, depths);
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    for layer in 0..size.depth_or_array_layers {
        let place = [layer * size.width * size.height, size.width, 0, 0];
        let place: Vec<u8> = place.into_iter().flat_map(u32::to_le_bytes).collect();
        let place = buffer(device, queue, wgpu::BufferUsages::UNIFORM, &place);
        let view = texture.create_view(&wgpu::TextureViewDescriptor {
            dimension: Some(wgpu::TextureViewDimension::D2),
            base_mip_level: level,
            mip_level_count: Some(1),
            base_array_layer: layer,
            array_layer_count: Some(1),
            ..wgpu::TextureViewDescriptor::default()
        });
        let entries = [
            wgpu::BindGroupEntry { binding: 0, resource: numbers.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: place.as_entire_binding() },
        ];
        let layout = pipeline.get_bind_group_layout(0);
        let group =
            device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout: &layout, entries: &entries });
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            depth_stencil_attachment: Some(wgpu::RenderPassDepthStencilAttachment {
                view: &view,
                depth_ops: Some(wgpu::Operations { load: wgpu::LoadOp::Clear(0.0), store: wgpu::StoreOp::Store }),
                stencil_ops: None,
            }),
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&pipeline);
        pass.set_bind_group(0, &group, &[]);
        pass.draw(0..3, 0..1);
    }
    queue.submit([encoder.finish()]);
}

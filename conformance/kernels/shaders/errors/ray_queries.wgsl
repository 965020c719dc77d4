// Ray queries are refused where they are declared and used.
enable wgpu_ray_query;
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
@group(0) @binding(1) var scene: acceleration_structure;
//                    ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ error[K0902]: ray queries are not supported
@compute @workgroup_size(1)
fn main() {
    var query: ray_query;
//  ^^^^^^^^^^^^^^^^^^^^ error[K0902]: ray queries are not supported
    rayQueryInitialize(&query, scene, RayDesc(0u, 255u, 0.1, 10.0, vec3f(0.0), vec3f(0.0, 0.0, 1.0)));
//  ^^^^^^^^^^^^^^^^^^ error[K0902]: ray queries are not supported
    v[0] = select(0u, 1u, rayQueryProceed(&query));
//                        ^^^^^^^^^^^^^^^ error[K0902]: ray queries are not supported
}

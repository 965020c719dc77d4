// A pointer to a buffer that may be written is no pointer to one that may only be read.
requires unrestricted_pointer_parameters;
@group(0) @binding(0) var<storage, read_write> v: array<u32>;
fn first(p: ptr<storage, array<u32>>) -> u32 { return (*p)[0]; }
@compute @workgroup_size(1) fn main() { v[1] = first(&v); }
//                                                    ^ error[K0901]: the parameter `p` of `first` is a pointer of another type

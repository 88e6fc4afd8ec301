export { About } from './about.ts';
export * from './codes.ts';
export * from './metadata.ts';
export * from './nested.ts';
export * from './numbers.ts';
export { Nullable, Optional } from './rule.ts';
export * from './text.ts';
export * from './times.ts';
export * from './together.ts';

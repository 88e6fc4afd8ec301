export { Engine } from './engine.ts';
export { FORMAT } from './format.ts';

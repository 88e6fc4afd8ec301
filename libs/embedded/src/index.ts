export { Engine, type Statement } from './engine.ts';

export { Engine, type Statement } from './engine.ts';
export { FORMAT } from './format.ts';
export { DataFolderUnavailable } from './failure.ts';

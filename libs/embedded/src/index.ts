export { Engine, type Statement } from './engine.ts';
export { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
export { type Names } from './names.ts';
export { Phrases } from './phrases.ts';
export { createPrivately } from './private-file.ts';
export { rewriteFirstFormat, type Copying, type FirstFormat, type RewriteOptions } from './first-format.ts';

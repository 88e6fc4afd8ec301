export { Engine, type Statement } from './engine.ts';
export { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
export { Phrases } from './phrases.ts';

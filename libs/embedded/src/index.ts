export { Engine, type Statement } from './engine.ts';
export { changedPages, type ChangedPages } from './changes/wal-file.ts';
export { type Span, type WalPosition } from './changes/spans.ts';
export { type WalChanges } from './changes/wal-changes.ts';
export { GroupCommit, type GroupCommitOptions } from './group-commit.ts';
export { type Names } from './packing/names.ts';
export { Phrases } from './packing/phrases.ts';
export { createPrivately } from './private-file.ts';
export { freeBytesOf, inMiB } from './disk-space.ts';
export { FORMAT, formatOf, newerFormat } from './format.ts';
export { readFolder } from './read-folder.ts';
export {
  bytesToRewrite,
  FIRST_FORMAT_COPY,
  rewriteFirstFormat,
  type Copying,
  type FirstFormat,
  type RewriteOptions,
} from './first-format.ts';

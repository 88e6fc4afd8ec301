import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { createPrivately, GroupCommit, type GroupCommitOptions } from '@svc/embedded';

export type StorageOptions = Pick<GroupCommitOptions, 'sync'>;

/** The simulator's file (SQLite). Change it only inside `write`, whose promise resolves once the change is on disk. */
export class Storage {
  readonly db: DatabaseSync;
  private readonly commits: GroupCommit;
  private readonly statements = new Map<string, StatementSync>();

  /** `:memory:`: no file. `sync: null`: nothing is synced. */
  constructor(file: string, options: StorageOptions = {}) {
    if (file !== ':memory:') createPrivately(file);
    this.db = new DatabaseSync(file);
    this.commits = new GroupCommit(this.db, { path: file, ...options });
  }

  write<T>(work: () => T): Promise<T> {
    return this.commits.write(work);
  }

  /** Says inside of `write` that a row of the table changes. */
  wrote(table: string, key: string): void {
    this.commits.wrote(table, key);
  }

  /** Resolves when all rows of the table are on the disk as they are read. */
  async settled(table: string): Promise<void> {
    await this.commits.syncOf(table);
  }

  sql(text: string): StatementSync {
    const known = this.statements.get(text);
    if (known) return known;
    const made = this.db.prepare(text);
    this.statements.set(text, made);
    return made;
  }

  close(): void {
    this.commits.close();
    this.statements.clear();
    this.db.close();
  }
}

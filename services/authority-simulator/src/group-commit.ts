import type { DatabaseSync } from 'node:sqlite';

interface Waiting {
  work: () => unknown;
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

/**
 * Runs the writes of one event-loop turn in one transaction and resolves after its commit, so that a sent response is on disk and
 * concurrent calls share one sync.
 */
export class GroupCommit {
  private waiting: Waiting[] = [];

  constructor(private readonly db: DatabaseSync) {}

  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.waiting.push({ work, resolve: resolve as (value: unknown) => void, reject });
      if (this.waiting.length === 1) setImmediate(() => this.commit());
    });
  }

  private commit(): void {
    const turn = this.waiting;
    this.waiting = [];
    const answers: (() => void)[] = [];
    try {
      this.db.exec('BEGIN IMMEDIATE');
      for (const { work, resolve } of turn) {
        const value = work();
        answers.push(() => resolve(value));
      }
      this.db.exec('COMMIT');
    } catch (error) {
      if (this.db.isOpen && this.db.isTransaction) this.db.exec('ROLLBACK');
      for (const { reject } of turn) reject(error);
      return;
    }
    for (const answer of answers) answer();
  }
}

/** Wakes those who wait for a commit, in a later turn than the callers whose appends are acknowledged. */
export class Wake {
  private readonly waiting = new Set<() => void>();
  private scheduled = false;

  all(): void {
    if (this.scheduled || this.waiting.size === 0) return;
    this.scheduled = true;
    setImmediate(() => {
      this.scheduled = false;
      for (const go of this.waiting) go();
      this.waiting.clear();
    });
  }

  /** Resolves after the next `all`, or when the signal aborts. */
  wait(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const go = (): void => {
        signal.removeEventListener('abort', go);
        this.waiting.delete(go);
        resolve();
      };
      this.waiting.add(go);
      signal.addEventListener('abort', go, { once: true });
    });
  }
}

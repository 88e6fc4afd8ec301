export interface UnreadLimits {
  /** Bytes of answers in one piece that the readers of one account have not taken yet, and of all together. */
  unreadPerAccount: number;
  unreadInAll: number;
}

/** Answers in one piece that are under way: what their readers have not taken is held in memory. */
export interface Unread {
  /** Bytes of an account's answers. */
  of(account: string): number;
  /**
   * Counts one more, until what it returns is called. Beyond the bounds the oldest answer is cut: of the account itself where it has too
   * many bytes, else of the account that has most. The answer that comes is never cut for itself.
   */
  add(account: string, bytes: number, cut: () => void): () => void;
}

interface Answer {
  bytes: number;
  cut: () => void;
}

interface Share {
  bytes: number;
  /** The oldest first. */
  answers: Set<Answer>;
}

export function createUnread({ unreadPerAccount, unreadInAll }: UnreadLimits): Unread {
  const shares = new Map<string, Share>();
  let total = 0;

  const remove = (account: string, answer: Answer): void => {
    const share = shares.get(account);
    if (!share?.answers.delete(answer)) return;
    share.bytes -= answer.bytes;
    total -= answer.bytes;
    if (share.answers.size === 0) shares.delete(account);
  };

  const cutOldest = (account: string): void => {
    const [oldest] = shares.get(account)?.answers ?? [];
    if (oldest === undefined) return;
    remove(account, oldest);
    oldest.cut();
  };

  /** The account that has most, of those that have another answer than `kept`. */
  const largest = (kept: Answer): string | undefined => {
    let [found, most]: [string | undefined, number] = [undefined, 0];
    for (const [account, { bytes, answers }] of shares)
      if (bytes > most && !(answers.size === 1 && answers.has(kept))) [found, most] = [account, bytes];
    return found;
  };

  return {
    of: (account) => shares.get(account)?.bytes ?? 0,
    add(account, bytes, cut) {
      const answer = { bytes, cut };
      const share = shares.get(account) ?? { bytes: 0, answers: new Set() };
      shares.set(account, share);
      share.answers.add(answer);
      share.bytes += bytes;
      total += bytes;
      while (share.bytes > unreadPerAccount && share.answers.size > 1) cutOldest(account);
      for (let from = largest(answer); total > unreadInAll && from !== undefined; from = largest(answer)) cutOldest(from);
      return () => remove(account, answer);
    },
  };
}

export interface UnreadLimits {
  /** Maximum bytes of responses in one piece that the clients of one account have not read; `unreadInAll`: of all accounts together. */
  unreadPerAccount: number;
  unreadInAll: number;
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

/** Counts the responses in one piece that memory holds until their clients have read them. */
export function createUnread({ unreadPerAccount, unreadInAll }: UnreadLimits) {
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

  /** The account with the most bytes, of those that have a response other than `kept`. */
  const largest = (kept: Answer): string | undefined => {
    let [found, most]: [string | undefined, number] = [undefined, 0];
    for (const [account, { bytes, answers }] of shares)
      if (bytes > most && !(answers.size === 1 && answers.has(kept))) [found, most] = [account, bytes];
    return found;
  };

  return {
    of: (account: string): number => shares.get(account)?.bytes ?? 0,
    /** Bytes of the responses of all accounts. */
    inAll: (): number => total,
    /**
     * Counts a response until the returned function is called. Above a bound it cuts the oldest response: of this account if it has too many
     * bytes, else of the account with the most bytes. Never cuts the response that is added.
     */
    add(account: string, bytes: number, cut: () => void): () => void {
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

export type Unread = ReturnType<typeof createUnread>;

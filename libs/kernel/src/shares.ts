/**
 * The most that one holder may have of `limit` while the others have `others`: four fifths of what they leave of seven eighths. A single
 * holder gets 70 %; n holders that all want more converge to nearly 7/8 ÷ n each. A new holder gets a share at once, without a revocation.
 */
export const shareOf = (limit: number, others: number): number => Math.max(0, Math.floor((limit * 7) / 10 - (others * 4) / 5));

/** Whether a holder may take one more. The last eighth is reserved for holders that have none. */
export const mayTake = (own: number, others: number, limit: number): boolean => (own === 0 ? others < limit : own < shareOf(limit, others));

/**
 * What one holder may hold of something limited while the others hold so much: four fifths of what they leave of seven eighths. A single
 * one gets 70 %, n that all want more end at nearly 7/8 ÷ n each, and whoever comes next finds something at once, without anything
 * having to be taken away.
 */
export const shareOf = (limit: number, others: number): number => Math.max(0, Math.floor((limit * 7) / 10 - (others * 4) / 5));

/** Whether a holder may have one more. The last eighth is for the first of those who have none. */
export const mayTake = (own: number, others: number, limit: number): boolean => (own === 0 ? others < limit : own < shareOf(limit, others));

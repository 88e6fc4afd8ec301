import type { Figures, Posting } from '../postings/posting.ts';

/** A document that was registered or voided. */
export type CountedPosting = Posting & { figures: Figures };

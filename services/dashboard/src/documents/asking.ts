import { useState } from 'react';
import { type Document, isMoving } from './documents.ts';

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

interface Asked {
  state: { data?: Document | undefined; dataUpdateCount: number };
}

const [MOVING_MS, LISTED_MS] = [5_000, 30_000];

/** When a list is asked for again: soon while one of its documents changes by itself. */
export const listedEvery = ({ state: { data } }: { state: { data?: { data: readonly Document[] } | undefined } }): number =>
  data?.data.some(isMoving) ? MOVING_MS : LISTED_MS;

/** When a document that changes by itself is asked for again: after 1, 2, 4 … 30 s of each version. */
export function useAsking(): (query: Asked) => number | false {
  const [asking] = useState(() => {
    let version: number | undefined;
    let began = 0;
    return ({ state: { data, dataUpdateCount: count } }: Asked): number | false => {
      if (!data || !isMoving(data)) return false;
      if (data.version !== version) [version, began] = [data.version, count];
      return Math.min(LONGEST_MS, FIRST_MS * 2 ** (count - began));
    };
  });
  return asking;
}

import { useState } from 'react';
import { type Environment, useEnvironment } from '../../api/environment.ts';
import { shown } from '../../api/shown.ts';
import type { BasketLine } from './lines.ts';

/** Baskets that are not paid, of the member who is shown. They outlive the page of the till, and nothing else: before all pages are loaded again, the browser asks. */
const held = new Map<Environment, readonly BasketLine[]>();
const ask = (event: BeforeUnloadEvent): void => event.preventDefault();

function hold(env: Environment, lines: readonly BasketLine[]): void {
  if (lines.length > 0) held.set(env, lines);
  else held.delete(env);
  if (held.size > 0) addEventListener('beforeunload', ask);
  else removeEventListener('beforeunload', ask);
}

shown.whenChanged((now, before) => {
  if (now?.member !== before?.member) for (const env of held.keys()) hold(env, []);
});

/** The basket of the environment, and what sets it, also after the page was left. */
export function useBasket(): [readonly BasketLine[], (lines: readonly BasketLine[]) => void] {
  const env = useEnvironment();
  const [lines, setLines] = useState(() => held.get(env) ?? []);
  return [
    lines,
    (next) => {
      hold(env, next);
      setLines(next);
    },
  ];
}

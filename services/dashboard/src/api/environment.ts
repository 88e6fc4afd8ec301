import { useSearch } from '@tanstack/react-router';

export type Environment = 'test' | 'live';

/** The environment that the page shows and acts in. It stands in the address, so that a link and a reload keep it; without it, nothing is live. */
export function useEnvironment(): Environment {
  const { live } = useSearch({ strict: false }) as { live?: string };
  return live === 'true' ? 'live' : 'test';
}

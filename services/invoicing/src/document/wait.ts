import { DomainError, type Clock } from '@svc/kernel';

const FIRST_MS = 50;
const LONGEST_MS = 250;

interface Wait<Resource> {
  clock: Clock;
  seconds: number;
  first: Resource;
  /** Of the caller. */
  socket: { readonly destroyed: boolean };
}

/** Looks at a document until its outcome is known, the time is over or the caller has gone, and answers it as it was last seen. */
export async function awaitOutcome<Resource>(
  { clock, seconds, first, socket }: Wait<Resource>,
  look: () => Promise<Resource>,
  isKnown: (resource: Resource) => boolean,
): Promise<Resource> {
  const until = clock.now() + seconds * 1_000;
  let seen = first;
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const left = until - clock.now();
    if (isKnown(seen) || left <= 0 || socket.destroyed) return seen;
    await clock.sleep(Math.min(wait, left));
    seen = await look().catch((error: unknown) => {
      if (error instanceof DomainError && error.code === 'service_unavailable') return seen; // what was asked is done
      throw error;
    });
  }
}

import type { Clock } from '@svc/kernel';

const FIRST_MS = 50;
const LONGEST_MS = 250;

/** Looks at a document until its outcome is known or the time is over, and answers it as it is then. */
export async function awaitOutcome<Resource>(
  { clock, seconds }: { clock: Clock; seconds: number },
  look: () => Promise<Resource>,
  isKnown: (resource: Resource) => boolean,
): Promise<Resource> {
  const until = clock.now() + seconds * 1_000;
  for (let wait = FIRST_MS; ; wait = Math.min(wait * 1.5, LONGEST_MS)) {
    const seen = await look();
    const left = until - clock.now();
    if (isKnown(seen) || left <= 0) return seen;
    await clock.sleep(Math.min(wait, left));
  }
}

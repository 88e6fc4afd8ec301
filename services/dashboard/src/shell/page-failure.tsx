import { Failure } from '../ui/failure.tsx';

/** A page that could not be shown: its code did not load, or it has a defect. */
export const PageFailure = ({ error, reset }: { error: unknown; reset: () => void }) => (
  <Failure error={error instanceof Error ? error : new Error(String(error))} again={reset} />
);

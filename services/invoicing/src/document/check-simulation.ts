import { simulationProblem } from '@svc/contracts/document/simulation';
import { invalid } from '@svc/kernel';
import type { Identity } from '@svc/service';

/** Throws validation_error for a `metadata.simulate` that the sandbox does not know. In live documents it is plain metadata. */
export function checkSimulation({ livemode }: Pick<Identity, 'livemode'>, metadata: Parameters<typeof simulationProblem>[0]): void {
  const problem = livemode ? undefined : simulationProblem(metadata);
  if (problem) throw invalid([problem]);
}

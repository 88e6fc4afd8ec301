import type { DocumentStore } from '@svc/document-store';
import type { SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import type { Projection, Row } from './projection.ts';
import { runProjection, type RunningProjection } from './run-projection.ts';

/** Nest's injection token of `Projections`. */
export const PROJECTIONS = Symbol('Projections');

/** The read models that this process has started. */
export interface Projections {
  of<R extends Row>(projection: Projection<R>): RunningProjection<R>;
}

export interface StartableProjections extends Projections {
  start(projection: Projection<Row>): RunningProjection<Row>;
}

export function createProjections(documents: DocumentStore, context: SubscriptionContext): StartableProjections {
  const running = new Map<string, RunningProjection<Row>>();
  return {
    start(projection) {
      const started = runProjection(projection, documents, context);
      running.set(projection.name, started);
      return started;
    },
    of<R extends Row>({ name }: Projection<R>): RunningProjection<R> {
      const found = running.get(name);
      if (!found) throw new Error(`the projection ${name} is not started`);
      return found as unknown as RunningProjection<R>;
    },
  };
}

import type { DocumentStore } from '@svc/document-store';
import type { SubscriptionContext } from '../subscription/exclusive-subscription.ts';
import type { Projection, Row } from './projection.ts';
import { runEarlier, runProjection, type RunningProjection } from './run-projection.ts';

export const PROJECTIONS = Symbol('Projections');

/** The read models that this process has started. */
export interface Projections {
  of<R extends Row>(projection: Projection<R>): RunningProjection<R>;
}

export interface StartableProjections extends Projections {
  start(projection: Projection<Row>): RunningProjection<Row>;
  /**
   * Lists are read from the read model `name` of the release before until `endEarlier`, where it has the fields that they need. No other process may keep it
   * up to date.
   */
  serveEarlier(projection: Projection<Row>, name: string): void;
  endEarlier(projection: Projection<Row>): Promise<void>;
}

export function createProjections(documents: DocumentStore, context: SubscriptionContext): StartableProjections {
  const running = new Map<string, RunningProjection<Row>>();

  function of<R extends Row>({ name }: Projection<R>): RunningProjection<R> {
    const found = running.get(name);
    if (!found) throw new Error(`the projection ${name} is not started`);
    return found as unknown as RunningProjection<R>;
  }

  return {
    of,

    start(projection) {
      const started = runProjection(projection, documents, context);
      running.set(projection.name, started);
      return started;
    },

    serveEarlier(projection, name) {
      of(projection).earlier = runEarlier(projection, name, documents, context);
    },

    async endEarlier(projection) {
      const { earlier } = of(projection);
      delete of(projection).earlier;
      await earlier?.subscription.stop();
    },
  };
}

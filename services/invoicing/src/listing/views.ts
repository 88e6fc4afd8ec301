import type { Documents } from '@svc/document-store';
import type { FollowingContext } from '../following/following.ts';
import { runView, type RunningView } from './run-view.ts';
import type { Row, View } from './view.ts';

/** Nest's injection token of `Views`. */
export const VIEWS = Symbol('Views');

/** The read models that this process serves, once they were started. */
export interface Views {
  of<R extends Row>(view: View<R>): RunningView<R>;
}

export interface StartableViews extends Views {
  start(): RunningView<Row>[];
}

export function createViews(views: readonly View<Row>[], documents: Documents, context: FollowingContext): StartableViews {
  const running = new Map<string, RunningView<Row>>();
  return {
    start() {
      for (const view of views) running.set(view.name, runView(view, documents, context));
      return [...running.values()];
    },
    of<R extends Row>({ name }: View<R>): RunningView<R> {
      const found = running.get(name);
      if (!found) throw new Error(`the view ${name} is not started`);
      return found as unknown as RunningView<R>;
    },
  };
}

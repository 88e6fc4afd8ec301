import { Catch, UseFilters, applyDecorators, type ExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { Topic } from '@svc/contracts/events/envelope';
import { throwError, type Observable } from 'rxjs';

/** Who reads what. The group is part of the pattern: an app gives all its handlers to a transport, and Nest would chain handlers of two groups on one topic. */
export interface Subscription {
  /** The service's name, followed by `.r<n>` when it is rebuilt. */
  group: string;
  topic: Topic;
}

/** Nest's own filter would turn an error into "Internal server error" before the bus sees it, and the dead letter would show only that. */
@Catch()
class KeepsTheError implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * A controller's method that takes batches of a topic, or of each of several: `EventPattern({ group, topic })`, except that errors reach the dead letter
 * unchanged. The batch is in order; the method must leave each event either done or not done, throws to receive it again, and must
 * expect repeats. Other groups share the event objects: it must not change them. `@Ctx()` gives it a `BatchContext`.
 */
export const Consumes = (...subscriptions: Subscription[]): MethodDecorator =>
  applyDecorators(EventPattern(subscriptions), UseFilters(new KeepsTheError()));

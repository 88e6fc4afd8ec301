import { Catch, UseFilters, applyDecorators, type ExceptionFilter } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import type { Topic } from '@svc/contracts/events/envelope';
import { throwError, type Observable } from 'rxjs';

/** Who reads what. The group is part of the pattern: one app hands all its handlers to a transport, and two groups on one topic must not be chained. */
export interface Subscription {
  /** The service, `.r<n>` behind it when rebuilt. */
  group: string;
  topic: Topic;
}

/** Nest's own filter would turn an error into "Internal server error" before the bus sees it, and that is all a dead letter would say. */
@Catch()
class KeepsTheError implements ExceptionFilter {
  catch(error: unknown): Observable<never> {
    return throwError(() => error);
  }
}

/**
 * A controller's method that takes batches of a topic: `EventPattern({ group, topic })`, but what it throws reaches the dead letter
 * as it is. The batch is in order; the method must leave each event done or not done, throws to be given it again, and meets
 * repeats. Events are shared with the other groups: it does not change them. `@Ctx()` gives it a `BatchContext`.
 */
export const Consumes = (subscription: Subscription): MethodDecorator =>
  applyDecorators(EventPattern(subscription), UseFilters(new KeepsTheError()));

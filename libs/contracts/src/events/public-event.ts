import type { Class } from '../schema/class.ts';
import type { Topic } from './envelope.ts';

/** One type of public event. A release may add optional fields to its data; any other change needs a new type, `…v2`. */
export interface PublicEventType<Type extends string = string, Data extends object = object> {
  /** `<context>.<kebab>.v<n>` */
  type: Type;
  /** The `n` in the type. */
  version: number;
  topic: Topic;
  /** The class of `data`. The envelope is `PublicEvent`. */
  data: Class<Data>;
}

export const publicEvent = <Type extends string, Data extends object>(
  event: Omit<PublicEventType<Type, Data>, 'version'>,
): PublicEventType<Type, Data> => ({ ...event, version: Number(/\.v(\d+)$/.exec(event.type)?.[1]) });

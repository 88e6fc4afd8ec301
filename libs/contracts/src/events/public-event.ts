import type { Class } from '../schema/class.ts';
import type { Topic } from './envelope.ts';

/** What is published under one type name. It never changes but by optional fields; else there is a new type, `…v2`. */
export interface PublicEventType<Type extends string = string, Data extends object = object> {
  /** `<context>.<kebab>.v<n>` */
  type: Type;
  /** The n of the type. */
  version: number;
  topic: Topic;
  /** The class of `data`; what is around it is `PublicEvent`. */
  data: Class<Data>;
}

export const publicEvent = <Type extends string, Data extends object>(
  event: Omit<PublicEventType<Type, Data>, 'version'>,
): PublicEventType<Type, Data> => ({ ...event, version: Number(/\.v(\d+)$/.exec(event.type)?.[1]) });

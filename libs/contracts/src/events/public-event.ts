import type { Class } from '../schema/class.ts';
import { IsAnyText, IsPrefixedId, IsTimestamp, IsWhole, Nested, OneOf, Optional } from '../schema/decorators/index.ts';
import type { PublicEvent, Topic } from './envelope.ts';

/** An event class: what is published under one type name. It never changes but by optional fields; else there is a new type, `…v2`. */
export interface PublicEventClass<Type extends string = string, Data extends object = object> extends Class<
  PublicEvent<Data> & { type: Type }
> {
  /** `<context>.<kebab>.v<n>` */
  readonly type: Type;
  /** The n of the type. */
  readonly version: number;
  readonly topic: Topic;
  /** The class of `data`. */
  readonly data: Class<Data>;
}

interface Published<Type extends string, Data extends object> {
  type: Type;
  source: 'invoicing' | 'fiscal-submission';
  topic: Topic;
  data: Class<Data>;
}

/** Makes the class of a public event: the CloudEvents envelope around `data`. */
export function publicEvent<Type extends string, Data extends object>(published: Published<Type, Data>): PublicEventClass<Type, Data> {
  const { type, source, topic, data } = published;
  class Event {
    static readonly type = type;
    static readonly version = Number(/\.v(\d+)$/.exec(type)?.[1]);
    static readonly topic = topic;
    static readonly data = data;
    @OneOf(['1.0']) specversion: string;
    @IsPrefixedId('evt') id: string;
    @OneOf([source]) source: string;
    @OneOf([type]) type: string;
    @IsAnyText(64) subject: string;
    @IsTimestamp() time: string;
    @OneOf(['application/json']) datacontenttype: string;
    @OneOf(['live', 'test']) env: string;
    @IsPrefixedId('acct') account: string;
    @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) sequence: number;
    @Optional() @IsAnyText(64) traceparent?: string;
    @Nested(() => data) data: object;
  }
  Object.defineProperty(Event, 'name', { value: className(type) });
  return Event as unknown as PublicEventClass<Type, Data>;
}

/** `invoicing.invoice-created.v1` → `InvoiceCreatedV1` */
const className = (type: string): string =>
  type
    .split(/[.-]/)
    .slice(1)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

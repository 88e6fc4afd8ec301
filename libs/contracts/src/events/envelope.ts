import { type Env, prefixed, type Uid } from '@svc/kernel';
import { documentKinds, type DocumentKind } from '../documents.ts';
import { DocumentEntry } from '../document/entry.ts';
import { AnyObject, IsFlag, IsText, IsTimestamp, IsWhole, Matches, Nested, OneOf, Optional } from '../schema/decorators/index.ts';

/** A public event: CloudEvents 1.0 in JSON. `data` is the whole resource after the event. */
export class PublicEvent<Data extends object = object> {
  @OneOf(['1.0']) specversion: '1.0';
  /** `evt_…`, from the id of the stored event. An event that is published again has the same id and the same bytes, except `republished`. */
  @IsText(300) id: string;
  /** The service that publishes it: `invoicing`, `fiscal-submission`. */
  @IsText(300) source: string;
  /** `<context>.<kebab>.v<n>` */
  @Matches('^[a-z][a-z-]{0,63}\\.[a-z][a-z0-9-]{0,127}\\.v[1-9]\\d{0,3}$', 200, 'Send <context>.<name>.v<n>.') type: string;
  /** Id of the resource: the ordering key. */
  @IsText(300) subject: string;
  /** When it happened, ISO 8601. */
  @IsTimestamp() time: string;
  @OneOf(['application/json']) datacontenttype: 'application/json';
  @OneOf(['live', 'test']) env: Env;
  @IsText(300) account: string;
  /** The resource's version after the event. Consumers ignore an event with a lower one than the last that they handled. */
  @IsWhole({ min: 1, max: Number.MAX_SAFE_INTEGER }) sequence: number;
  @Optional() @IsText(300) traceparent?: string;
  /** It happened before the system was restored from a backup, so it was probably published before: subscribers are not sent it again. */
  @Optional() @IsFlag() republished?: boolean;
  /** Of an event of a document. Release 0.1.0 publishes none (until 0.3). */
  @Optional() @Nested(() => DocumentEntry) entry?: DocumentEntry;
  @AnyObject() data: Data;
}

/** The fields of an event besides tenant and trace. */
export interface EventFields extends Pick<PublicEvent, 'source' | 'type' | 'subject' | 'time' | 'sequence' | 'entry' | 'data'> {
  uid: Uid;
  republished?: boolean;
}

/** A public event with the tenant and trace of the stored event that it is made from. */
export const enveloped = (
  { env, account, traceparent }: Pick<PublicEvent, 'env' | 'account' | 'traceparent'>,
  { uid, source, type, subject, time, sequence, republished, entry, data }: EventFields,
): PublicEvent => ({
  specversion: '1.0',
  id: prefixed('evt', uid),
  source,
  type,
  subject,
  time,
  datacontenttype: 'application/json',
  env,
  account,
  sequence,
  ...(traceparent === undefined ? {} : { traceparent }),
  ...(republished ? { republished } : {}),
  ...(entry === undefined ? {} : { entry }),
  data,
});

/** Of each document. */
export const documentTopics = Object.fromEntries(documentKinds.map((kind) => [kind, `invoicing.${kind}`])) as {
  [Kind in DocumentKind]: `invoicing.${Kind}`;
};

export const topics = {
  ...documentTopics,
  customer: 'invoicing.customer',
  /** Events of documents once more, with `entry`, for those who fold the history: those that release 0.1.0 published without it (until 0.3), and what operators republish. */
  history: 'invoicing.history',
  /** What operators have said of number series. */
  series: 'invoicing.series',
  /** Until when everything is published: marks of the relay, no events. */
  published: 'invoicing.published',
  registration: 'invoicing.registration',
  fiscalRegistration: 'fiscal.registration',
  setting: 'audit.setting',
} as const;
export type Topic = (typeof topics)[keyof typeof topics];

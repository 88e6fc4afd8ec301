import { topics } from '@svc/contracts/events/envelope';
import type { Admin, KafkaMessage, Producer } from 'kafkajs';
import type { Mark } from '../publishing/mark.ts';
import type { DeliveryOptions } from '../delivery.ts';
import { committedOf, partitionOf, reportMissing } from './topics.ts';

/** Publishes a mark of a source on the topic of marks, which is compacted by source: the last one stays. It is no event. */
export async function sendMark(producer: Pick<Producer, 'send'>, topic: string, source: string, mark: Mark): Promise<void> {
  const messages = [{ partition: partitionOf(source), key: source, value: JSON.stringify(mark), headers: { type: 'mark' } }];
  await producer.send({ topic, acks: -1, messages }).catch(reportMissing(topic));
}

export const isOfMarks = ({ topic }: { topic: string }): boolean => topic === topics.published;

/** What a broker accepts with an offset. */
const MOST_METADATA = 4_096;

/** What a group commits with the offset behind the marks that it has read: the last of them, so that each of its members knows it, and a restart too. */
export const metadataOf = (messages: readonly Pick<KafkaMessage, 'value'>[]): string | null =>
  messages.findLast(({ value }) => value !== null && value.length <= MOST_METADATA)?.value?.toString() ?? null;

/** The members of its groups that a process has, by group. */
type Readers = ReadonlyMap<string, { groupId: string; deliveries: ReadonlyMap<string, Pick<DeliveryOptions, 'subscription'>> }>;

/** The last mark that each group has read, by its name; those that have read none are not among them. */
export async function marksRead(admin: Admin, readers: Readers): Promise<Map<string, Mark>> {
  const read = new Map<string, Mark>();
  for (const [group, { groupId, deliveries }] of readers)
    for (const [topic, { subscription }] of deliveries) {
      if (!isOfMarks(subscription)) continue;
      const committed = await committedOf(admin, groupId, topic).catch(reportMissing(topic));
      const [text] = committed.flatMap(({ metadata }) => (metadata ? [metadata] : []));
      const mark = text === undefined ? undefined : markFrom(text);
      if (mark) read.set(group, mark);
    }
  return read;
}

function markFrom(text: string): Mark | undefined {
  try {
    const { until, put_aside } = JSON.parse(text) as Partial<Mark>;
    return typeof until === 'number' && typeof put_aside === 'object' ? { until, put_aside } : undefined;
  } catch {
    return undefined;
  }
}

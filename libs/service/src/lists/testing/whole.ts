import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonText } from '@svc/kernel';
import { JsonStream } from '../../answers/json-stream.ts';

/** The list as an object, whether it is returned as one, as text or streamed. */
export async function wholeOf<Item>(answer: ListEnvelope<Item> | JsonText | JsonStream): Promise<ListEnvelope<Item>> {
  if (answer instanceof JsonText) return JSON.parse(answer.text) as ListEnvelope<Item>;
  if (!(answer instanceof JsonStream)) return answer;
  const pieces = (await answer.toArray()) as Buffer[];
  return JSON.parse(Buffer.concat(pieces).toString()) as ListEnvelope<Item>;
}

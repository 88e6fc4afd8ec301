import type { ListEnvelope } from '@svc/contracts/http/list';
import { JsonStream } from '../../answers/json-stream.ts';

/** The list as an object, whether it is returned as one or streamed. */
export async function wholeOf<Item>(answer: ListEnvelope<Item> | JsonStream): Promise<ListEnvelope<Item>> {
  if (!(answer instanceof JsonStream)) return answer;
  const pieces = (await answer.toArray()) as Buffer[];
  return JSON.parse(Buffer.concat(pieces).toString()) as ListEnvelope<Item>;
}

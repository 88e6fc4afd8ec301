/** Everything that comes, as an array: for what is bounded by a limit. */
export async function allOf<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

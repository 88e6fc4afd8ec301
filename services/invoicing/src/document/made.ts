/** By the data of an event, as this process appended it: the resource after it. */
const resources = new WeakMap<object, object>();

/**
 * The resource after an event, which is not to be changed: the answer to the command makes it, and the relay, which has the same event, finds it here.
 * An event that was read back makes one of its own.
 */
export function madeOnce<Resource extends object>(data: object, make: () => Resource): Resource {
  const known = resources.get(data) as Resource | undefined;
  if (known) return known;
  const resource = make();
  resources.set(data, resource);
  return resource;
}

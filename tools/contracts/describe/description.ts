import { openApiDocument } from '@svc/contracts/openapi/document';
import { openRoutes } from '@svc/contracts/routes';
import { goldenStored } from './golden-stored.ts';
import { goldenPublic, publicEventSchemas } from './public-events.ts';
import { storedEventSchemas } from './stored-events.ts';

/** The services that promise something to others; webhooks and reports of the others are in the published API. */
const services: Record<string, () => Promise<[string, unknown][]>> = {
  gateway: async () => [['openapi.json', openApiDocument({ served: openRoutes, publicUrl: 'https://api.example.com', version: 'v1' })]],
  invoicing: () => events('invoicing', 'invoicing.'),
  'fiscal-submission': () => events('fiscal-submission', 'fiscal.'),
};
export const described = Object.keys(services);

async function events(service: 'invoicing' | 'fiscal-submission', context: string): Promise<[string, unknown][]> {
  return [...publicEventSchemas(context), ...storedEventSchemas(service), ...goldenPublic(context), ...(await goldenStored(service))];
}

const kept = new Map<string, Promise<ReadonlyMap<string, string>>>();

/** The text of each file, by its path, in the order of paths. Made once, since the sources stay the same while a process runs. */
export function descriptionOf(service: string): Promise<ReadonlyMap<string, string>> {
  const made = kept.get(service) ?? describe(service);
  kept.set(service, made);
  return made;
}

async function describe(service: string): Promise<ReadonlyMap<string, string>> {
  const files = (await services[service]?.()) ?? [];
  const texts = files.map(([path, content]) => [path, `${JSON.stringify(content, null, 1)}\n`] as const);
  return new Map(texts.sort(([a], [b]) => (a < b ? -1 : 1)));
}

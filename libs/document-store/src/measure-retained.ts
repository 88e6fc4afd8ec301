import { Gauge } from 'prom-client';
import type { Collection, Doc } from './port.ts';

interface Retained {
  name: string;
  collection: Pick<Collection<Doc>, 'size'>;
}

const measured = new Set<Retained>();

/** Every replica reports the same figures. Rejects where the database does not answer: then the metric is absent. */
const gaugeOf = (name: string, help: string, figure: 'documents' | 'bytes'): Gauge =>
  new Gauge({
    name,
    help,
    labelNames: ['collection'],
    async collect() {
      const all = [...measured];
      const sizes = await Promise.all(all.map(({ collection }) => collection.size()));
      this.reset();
      for (const [n, one] of all.entries()) if (measured.has(one)) this.set({ collection: one.name }, sizes[n]?.[figure] ?? 0);
    },
  });

const gauges = [
  gaugeOf('svc_retained_documents', 'About how many documents there are in collections that keep theirs for a time', 'documents'),
  gaugeOf('svc_retained_bytes', 'About how many bytes the documents of these collections take, without indexes', 'bytes'),
];

/** Exports the sizes of collections until the returned function is called. */
export function measureRetained(retained: readonly Retained[]): () => void {
  for (const one of retained) measured.add(one);
  return () => {
    for (const one of retained) measured.delete(one);
    if (measured.size === 0) for (const gauge of gauges) gauge.reset();
  };
}

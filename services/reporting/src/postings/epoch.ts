import type { Collection, Doc } from '@svc/document-store';
import type { Env } from '@svc/kernel';

/** The epoch in which a tenant's rows are stored is the `version`; 0 without a row. `_id`: environment and account. */
export type Epochs = Collection<Doc>;

export const EPOCHS = 'epochs_v1';

interface Tenant {
  account: string;
  env: Env;
}

export const tenantId = ({ account, env }: Tenant): string => `${env}.${account}`;

/** The epochs of tenants, by `tenantId`; to be stored at once with what is stored in them. */
export async function epochsOf(epochs: Epochs, tenants: readonly Tenant[]): Promise<(tenant: Tenant) => number> {
  const ids = [...new Set(tenants.map(tenantId))];
  const found = new Map<string, number>();
  if (ids.length > 0) for await (const { _id, version } of epochs.find({ _id: { $in: ids } })) found.set(_id, version);
  return (tenant) => found.get(tenantId(tenant)) ?? 0;
}

/**
 * Ends the epoch of a tenant and returns it: what any replica stores from now on is of a later one, whatever the clocks of the replicas are. Only what one of them
 * stores at this instant may still be of it.
 */
export async function endEpoch(epochs: Epochs, tenant: Tenant): Promise<number> {
  const _id = tenantId(tenant);
  const epoch = (await epochs.get(_id))?.version ?? 0;
  await epochs.write([{ put: { _id, version: epoch + 1 } }]); // Does nothing where another one has ended it since.
  return epoch;
}

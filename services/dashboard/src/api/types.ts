import type { components } from '@svc/client/console';

type Schemas = components['schemas'];
/** A resource of the interface by its name in the document. */
export type Resource<Name extends keyof Schemas> = Schemas[Name];

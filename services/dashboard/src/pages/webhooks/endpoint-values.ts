import { changedFields } from '../../ui/change.ts';
import type { Resource } from '../../api/types.ts';
import type { Endpoint } from './endpoints.ts';

/** A header that is sent with each event. The value of a stored one is never shown: '' leaves it as it is. */
export interface Header {
  /** Of the form alone. */
  key: string;
  name: string;
  value: string;
  isStored: boolean;
}

export interface EndpointValues {
  url: string;
  events: string[];
  description: string;
  headers: Header[];
  /** '': no limit of its own. */
  rate: string;
}

export const emptyEndpoint: EndpointValues = { url: '', events: [], description: '', headers: [], rate: '' };

/** What a form shows of an endpoint. */
export const valuesOf = ({ url, events, description, header_names: names, rate_per_second: rate }: Endpoint): EndpointValues => ({
  ...{ url, events: [...events], description: description ?? '', rate: rate === null ? '' : String(rate) },
  headers: names.map((name) => ({ key: name, name, value: '', isStored: true })),
});

export const newHeader = (): Header => ({ key: crypto.randomUUID(), name: '', value: '', isStored: false });

const settingsOf = ({ url, events, description, rate }: EndpointValues) => ({
  ...{ url: url.trim(), events: events as Resource<'EventSubscription'>[], description: description.trim() || null },
  rate_per_second: rate === '' ? null : Number(rate),
});

/** What a form of a new endpoint sends. */
export function creationOf(values: EndpointValues): Resource<'CreateWebhook'> {
  const set = values.headers.filter(({ name }) => name.trim() !== '');
  return {
    ...settingsOf(values),
    ...(set.length > 0 && { headers: Object.fromEntries(set.map(({ name, value }) => [name.trim(), value])) }),
  };
}

/** What a person has changed in a form, on top of what others have changed meanwhile. Of headers each by itself. */
export function mergedValues({ before, now, mine }: Record<'before' | 'now' | 'mine', EndpointValues>): EndpointValues {
  const isIn = ({ name }: Header, values: EndpointValues): boolean => values.headers.some((one) => one.name === name);
  const stored = now.headers.filter((one) => isIn(one, mine) || !isIn(one, before));
  const own = mine.headers.filter((one) => !one.isStored || one.value !== '');
  const headers = [...stored.filter((one) => !own.some(({ name }) => name === one.name)), ...own];
  return { ...now, ...changedFields(before, mine), headers };
}

/** What a form changes of an endpoint: what is as it was is not sent. A header that was taken away is sent as null. */
export function changesOf(endpoint: Endpoint, values: EndpointValues): Resource<'UpdateWebhook'> {
  const changed = changedFields(settingsOf(valuesOf(endpoint)), settingsOf(values));
  const headers = Object.fromEntries([
    ...endpoint.header_names.filter((name) => !values.headers.some((one) => one.name === name)).map((name) => [name, null]),
    ...values.headers.filter(({ name, value }) => name.trim() !== '' && value !== '').map(({ name, value }) => [name.trim(), value]),
  ]) as Record<string, string | null>;
  return { ...changed, ...(Object.keys(headers).length > 0 && { headers }) };
}

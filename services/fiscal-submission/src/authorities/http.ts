/** A call to the world outside. Header names are in lower case. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** For everything: connecting, sending, the whole answer. */
  deadlineMs: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Rejects with `NotSent` when the request certainly never left; with anything else when that is not certain. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** No connection was made: the other side has seen nothing. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** The same connection with headers added to every request; what has no value is left out. */
export const withHeaders =
  (http: Http, headers: Record<string, string | undefined>): Http =>
  (request) => {
    const added = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return http({ ...request, headers: { ...request.headers, ...Object.fromEntries(added) } });
  };

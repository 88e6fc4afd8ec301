/** Whom a connection trusts, and as whom it is made. */
export interface Tls {
  /** Certificates, in PEM, of those who may have issued the server's: no others are accepted. */
  anchors: readonly string[];
  /** In PEM. */
  client?: { key: string; certificate: string };
}

/** An outgoing HTTP call. Header names are in lower case. */
export interface HttpRequest {
  method: 'GET' | 'POST';
  url: string;
  headers: Record<string, string>;
  body?: string;
  /** Absent: as the machine trusts, without a client certificate. */
  tls?: Tls | undefined;
  /** For connecting, sending and the whole response. */
  deadlineMs: number;
}

export interface HttpResponse {
  status: number;
  headers: Record<string, string | undefined>;
  body: Buffer;
}

/** Rejects with `NotSent` when the request certainly never left, with any other error when it may have. */
export type Http = (request: HttpRequest) => Promise<HttpResponse>;

/** No connection was made, so the other side has received nothing. */
export class NotSent extends Error {
  override readonly name = 'NotSent';
}

/** An `Http` that adds headers to every request; headers without a value are omitted. */
export const withHeaders =
  (http: Http, headers: Record<string, string | undefined>): Http =>
  (request) => {
    const added = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== undefined);
    return http({ ...request, headers: { ...request.headers, ...Object.fromEntries(added) } });
  };

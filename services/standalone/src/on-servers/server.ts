/** A server that replaces a part of the embedded engine. */
export interface OpenServer {
  name: string;
  check(): Promise<true | string>;
  /** True when it can be used for the first time, else why not yet. */
  opens(): Promise<true | string>;
  close(): Promise<void>;
}

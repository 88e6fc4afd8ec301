import { TextList } from '../schema/decorators/index.ts';

/** The path at which a service reports the bytes that accounts have stored there, to the gateway only. */
export const STORED_BYTES = '/internal/stored-bytes';
export const MOST_ACCOUNTS = 400;

export class StoredBytesRequest {
  @TextList(64, { min: 1, max: MOST_ACCOUNTS }) accounts: string[];
}

/** Reads the bytes that up to 400 accounts have stored at a service. */
export type StoredBytes = (accounts: readonly string[]) => Promise<Record<string, number>>;

/** UTF-8 bytes by account, of both environments together; an account without any may be missing. */
export interface StoredBytesResponse {
  bytes: Record<string, number>;
}

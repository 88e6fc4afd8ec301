import type { ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';

/**
 * Ends the body of a response when its client has taken nothing of it for so long, and when the connection is closed. A body of which nothing is made for a while
 * goes on: its client reads, and waits.
 */
export function cutUnread(response: ServerResponse, body: Readable, unreadMs: number): void {
  response.setTimeout(unreadMs, () => {
    if (response.writableNeedDrain) body.destroy();
  });
  response.once('close', () => body.destroy());
}

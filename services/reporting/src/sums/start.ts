import { startJobs, type JobQueue } from '@svc/document-store';
import { nextTurn, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import { sumBlock, type Summing } from './sum-block.ts';

/** Blocks that one process takes at a time: each takes up to a tenth of a second of its processor. */
const AT_ONCE = 10;

/** Sums blocks that are due, in any process. */
export const startSums = (summing: Summing & { clock: Clock; logger: Logger }): JobQueue =>
  startJobs({
    ...{ name: 'due:posting_blocks', collection: summing.blocks, clock: summing.clock, logger: summing.logger, batch: AT_ONCE },
    async handle(due) {
      for (const block of due) await sumBlock(summing, block, () => nextTurn(block.account));
    },
  });

import { startJobs, type JobQueue } from '@svc/document-store';
import { nextTurn, type Clock } from '@svc/kernel';
import type { Logger } from '@svc/service';
import type { Block } from '../postings/block.ts';
import { sumBlock, type Summing } from './sum-block.ts';

/** Blocks that one process takes at a time: each takes up to a tenth of a second of its processor. */
const AT_ONCE = 10;
const AFTER_ERROR_MS = 10 * 60_000;

type Running = Summing & { clock: Clock; logger: Logger };

/** Sums blocks that are due, in any process. */
export const startSums = (summing: Running): JobQueue =>
  startJobs({
    ...{ name: 'due:posting_blocks', collection: summing.blocks, clock: summing.clock, logger: summing.logger, batch: AT_ONCE },
    async handle(due) {
      for (const block of due) await sumOrPutOff(summing, block);
    },
  });

/** One that fails holds up no other: reports read its postings. */
async function sumOrPutOff(summing: Running, block: Block): Promise<void> {
  const { blocks, clock, logger } = summing;
  const { _id, account } = block;
  await sumBlock(summing, block, () => nextTurn(account)).catch(async (error: unknown) => {
    logger.error(
      { err: error, block: _id },
      'a block of postings was not summed: reports read it posting by posting until it is tried again',
    );
    await blocks.claim({ _id }, { set: { due_at: clock.now() + AFTER_ERROR_MS } });
  });
}

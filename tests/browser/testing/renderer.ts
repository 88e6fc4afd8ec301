import type { Page } from 'playwright-core';

/** Milliseconds of the renderer's main thread that something takes until it is drawn, divided by `times`. */
export async function spentMs(page: Page, run: () => Promise<void>, times: number): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const spent = async (): Promise<number> => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
  };
  const before = await spent();
  await run();
  await page.evaluate('new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))');
  const after = await spent();
  await session.detach();
  return Math.round(((after - before) * 10_000) / times) / 10;
}

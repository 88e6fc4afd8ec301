import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { isOf, pageOf } from './pictures.ts';
import type { Visitor } from './visitor.ts';

/** Where a picture of each page is kept; nowhere without it. */
const folder = process.env['PICTURES'];
if (folder) mkdirSync(folder, { recursive: true });
const picture = async ({ page }: Visitor, name: string): Promise<void> => {
  if (folder) await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true, animations: 'disabled' });
};

/** Rules that judge colours: in dark all else is as in light. */
const OF_COLOURS = ['color-contrast', 'link-in-text-block'];

const views = [
  { view: 'light', width: 1280, scheme: 'light', rules: undefined },
  { view: 'dark', width: 1280, scheme: 'dark', rules: OF_COLOURS },
  { view: 'narrow', width: 360, scheme: 'light', rules: undefined },
] as const;

/** Resolves after three frames in which nothing moves. */
const drawn = `new Promise((resolve) => {
  let still = 0;
  const look = () => {
    const moves = document.getAnimations().some((one) => one instanceof CSSTransition && one.playState === 'running');
    still = moves ? 0 : still + 1;
    if (still === 3) resolve();
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
})`;

/** In each view: no wider than the window, and no rule of accessibility broken, in dark of those about colours. Keeps a picture of each. */
export async function looksRight(visitor: Visitor, name: string): Promise<void> {
  await visitor.page.locator('[aria-busy=true]').waitFor({ state: 'detached' });
  const wrong: string[] = [];
  const [page, { pathname }] = [pageOf(name), new URL(visitor.page.url())];
  if (page !== undefined && !isOf(page, pathname)) wrong.push(`${pathname} is not of ${page}`);
  for (const { view, width, scheme, rules } of views) {
    await visitor.page.setViewportSize({ width, height: 860 });
    await visitor.page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    // All colours are those of the scheme once it is drawn, what inherits them a frame after what it inherits them from.
    await visitor.page.locator(`html[data-mantine-color-scheme=${scheme}]`).waitFor();
    await visitor.page.evaluate(drawn);
    await picture(visitor, `${name}-${view}`);
    const tooWide = await visitor.tooWide();
    if (tooWide > 0) wrong.push(`${view}: ${tooWide} px wide`);
    wrong.push(...(await visitor.violations(rules)).map((text) => `${view}: ${text}`));
  }
  await visitor.page.setViewportSize({ width: 1280, height: 860 });
  await visitor.page.emulateMedia({ colorScheme: 'light' });
  expect(wrong).toEqual([]);
}

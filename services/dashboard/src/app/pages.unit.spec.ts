import { entries, goLive, settings } from '../shell/navigation.ts';
import { hasRoute } from '../ui/routes.ts';
import { pages } from './pages.ts';

test('each address of the navigation is a page', () => {
  expect([...entries, ...settings, goLive].filter(({ to }) => !hasRoute(Object.keys(pages), to))).toEqual([]);
});

import { issueRules } from '../../http/issue-rules.ts';
import { failures } from '../failures.ts';
import { guide } from './guide.ts';

const text = guide('https://api.example');

test('the guide has every rule of issues, and every code', () => {
  for (const rule of Object.keys(issueRules)) expect(text).toContain(`| \`${rule}\` |`);
  for (const { codes } of Object.values(failures)) for (const code of Object.keys(codes)) expect(text).toContain(`\`${code}\``);
});

test('the guide says what a void is in each country, and which reasons of lateness can be stated', () => {
  expect(text).toMatch(/RegistroAnulacion[^]+never reached its customer[^]+paid or credited is not voided/);
  expect(text).toMatch(/All else follows from the\s+attempts[^]+Paper books cannot be stated/);
});

test('what is wrong is fixed, in every word of the guide', () => expect(text).not.toMatch(/\bmend/i));

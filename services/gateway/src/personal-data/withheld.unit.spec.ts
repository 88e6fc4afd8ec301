import { type RouteName, routeNames, routes } from '@svc/contracts/routes';
import { type Field, fieldsOf, personalNames } from '@svc/contracts/schema/personal-fields';
import { holdsPersonalData, personalMembers } from './withheld.ts';
import { withoutMembers } from './without-members.ts';

/** Texts of any content, and objects of any fields, in the answers that hold personal data, which are none themselves. */
const NOT_PERSONAL = [
  'authority authority_code calculation category changes code corrective credit_note currency data description details device',
  'devices document_id error exemption_code exemption_reason field first fiscal_code id installation internal_id issuer_code',
  'language last maintainer_code message message_id metadata method next notes number operator params position prev reason',
  'record_payment reference request_id request_sha256 resolve resource_id resubmit rule series series_key sha256 software_code',
  'submit tax_regime time_zone unit update url verification_url void',
].flatMap((line) => line.split(' '));

/** Whether it holds what a caller has written: codes, ids and times have a form. */
const isFree = ({ schema }: Field): boolean => {
  const said = JSON.stringify(schema);
  const hasForm = ['"enum"', '"format"', '"pattern"', '"properties"'].some((word) => said.includes(word));
  return /"string"|"plain"/.test(said) && !hasForm;
};
const shapesOf = (names: readonly RouteName[]) => names.map((name) => routes[name].response);

test('each text of any content in an answer with personal data is marked as personal, or named here as none', () => {
  const free = fieldsOf(shapesOf(routeNames.filter(holdsPersonalData))).filter(isFree);
  const unmarked = new Set(free.map(({ name }) => name).filter((name) => !personalMembers().has(name)));
  expect([...unmarked].sort()).toEqual(NOT_PERSONAL);
});

test('answers of other routes hold none, but for the issuer itself, and for what an endpoint answers to a test', () => {
  const others = routeNames.filter((name) => !holdsPersonalData(name) && personalNames(shapesOf([name])).size > 0);
  expect(others.sort()).toEqual(['GET /issuer', 'PATCH /issuer', 'POST /webhooks/{id}/test']);
});

test('further tax numbers of a customer are null, alone and frozen in a document', () => {
  const numbers = [{ country: 'AL', value: 'BA1234567', kind: 'passport' }];
  const pass = withoutMembers({ names: personalMembers(), except: 'actor' });
  const answer = JSON.stringify({ id: 'inv_1', customer: { id: 'cust_1', tax_ids: numbers }, tax_ids: numbers });
  expect(JSON.parse(pass(Buffer.from(answer)).toString())).toEqual({
    id: 'inv_1',
    customer: { id: 'cust_1', tax_ids: null },
    tax_ids: null,
  });
});

import { detailsOf, DomainError, type FieldProblem, invalid, invalidState, notFound, ofCountryRule } from './domain-error.ts';

test('domain errors name the fields that are wrong and the available actions', () => {
  expect(notFound('invoice')).toMatchObject({ code: 'not_found', message: expect.stringContaining('no such invoice') });
  const details = { 'items.0.quantity': ['must be above 0'] };
  expect(invalid(details)).toMatchObject({ code: 'validation_error', details, message: expect.stringContaining('items.0.quantity') });
  expect(invalidState('Submitting', 'void', ['duplicate']).message).toContain('available_actions: duplicate.');
  expect(invalidState('Voiding', 'draft', [], 'delete it instead.').message).toContain('delete it instead. available_actions: none.');
});

const problem = (field: string, message: string, rule: FieldProblem['rule'] = 'invalid'): FieldProblem => ({
  ...{ field, message, rule, params: {} },
});

describe('issues', () => {
  test('are one for each message of details, in their order, whatever the order of the problems and the names of the fields', () => {
    const wrong = [problem('b', '1'), problem('7', '2', 'unknown'), problem('b', '3', 'required'), problem('b', '1'), problem('a', '4')];
    const { details, issues } = invalid(wrong);
    expect(details).toEqual({ 7: ['2'], b: ['1', '3'], a: ['4'] });
    expect(issues?.map(({ field, rule }) => `${field} ${rule}`)).toEqual(['7 unknown', 'b invalid', 'b required', 'a invalid']);
    expect(Object.entries(details ?? {}).flatMap(([field, messages]) => messages.map(() => field))).toEqual(
      issues?.map(({ field }) => field),
    );
    expect(detailsOf(wrong)).toEqual(details);
  });

  test('of messages without a rule are `invalid`; what the law of a country demands names its rule', () => {
    const message = ofCountryRule('is required (Law 87/2019).', 'al.exchange_rate');
    expect(invalid({ total: ['is below 0'], exchange_rate: [message] })).toMatchObject({
      details: { total: ['is below 0'], exchange_rate: [message] },
      issues: [
        { field: 'total', rule: 'invalid', params: {} },
        { field: 'exchange_rate', rule: 'country_rule', params: { id: 'al.exchange_rate' } },
      ],
    });
    const ofAuthority = ofCountryRule('cannot be stated (XSD v1).', 'me-efi.late_reason');
    expect(invalid({ late_reason: [ofAuthority] }).issues).toMatchObject([{ rule: 'country_rule', params: { id: 'me-efi.late_reason' } }]);
  });

  test('are of a hundred fields at most, and long names are cut in both', () => {
    const names = Array.from({ length: 120 }, (_, n) => `k${n}`);
    const { details, issues } = invalid(['x'.repeat(300), ...names].map((field) => problem(field, 'is wrong')));
    expect([Object.keys(details ?? {}).length, issues?.length]).toEqual([100, 100]);
    expect(issues?.[0]?.field).toBe(`${'x'.repeat(100)}…`);
    expect(details).toHaveProperty([`${'x'.repeat(100)}…`]);
  });

  test('are absent where no field is named', () => {
    expect(new DomainError('not_found', 'x')).toMatchObject({ details: undefined, issues: undefined });
  });
});

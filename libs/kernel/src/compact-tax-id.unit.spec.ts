import { compactTaxId } from './fold-case.ts';

test.each(['B-58.378.431', 'b58378431', ' B 5837/8431 ', 'B\u201358378431', 'B58378431\u00a0'])('%s is B58378431', (written) => {
  expect(compactTaxId(written)).toBe('B58378431');
});

import { createdRange } from './created-range.ts';

describe('created_from and created_to', () => {
  test('a day is the whole day in the zone, also where it is 23 hours long', () => {
    expect(createdRange({ created_from: '2026-03-29', created_to: '2026-03-29' }, 'Europe/Paris')).toEqual({
      created_at: { $gte: '2026-03-28T23:00:00.000Z', $lt: '2026-03-29T22:00:00.000Z' },
    });
    expect(createdRange({ created_to: '2026-01-01' }, 'Asia/Tokyo')).toEqual({ created_at: { $lt: '2026-01-01T15:00:00.000Z' } });
  });

  test('a moment is inclusive at both ends', () => {
    const moment = { created_from: '2026-01-01T12:00:00.000Z', created_to: '2026-01-01T12:00:00.500Z' };
    expect(createdRange(moment, 'Asia/Tokyo')).toEqual({
      created_at: { $gte: '2026-01-01T12:00:00.000Z', $lte: '2026-01-01T12:00:00.500Z' },
    });
  });

  test('without both nothing is filtered', () => expect(createdRange({}, 'UTC')).toEqual({}));
});

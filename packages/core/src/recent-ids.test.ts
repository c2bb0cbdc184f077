import { RecentIds } from './recent-ids';

describe('recent ids', () => {
  it('knows an id that came before, in order or not', () => {
    const recent = new RecentIds(8);
    expect([3, 5, 4, 1].map((id) => recent.hasSeen(id))).toEqual([false, false, false, false]);
    expect([5, 4, 3, 1].map((id) => recent.hasSeen(id))).toEqual([true, true, true, true]);
  });

  it('takes an id below all others for new', () => {
    const recent = new RecentIds(8);
    expect(recent.hasSeen(1_000)).toBe(false);
    expect(recent.hasSeen(0)).toBe(false);
    expect(recent.hasSeen(0)).toBe(true);
  });

  it('forgets the oldest beyond its limit and no other', () => {
    const recent = new RecentIds(4);
    for (const id of [1, 2, 3, 4]) recent.hasSeen(id);
    expect(recent.hasSeen(1)).toBe(true);
    expect(recent.hasSeen(5)).toBe(false);
    expect(recent.hasSeen(2)).toBe(true);
    expect(recent.hasSeen(1)).toBe(false);
  });

  it('does not count a repetition as one of its ids', () => {
    const recent = new RecentIds(2);
    recent.hasSeen(1);
    for (let times = 0; times < 5; times++) recent.hasSeen(2);
    expect(recent.hasSeen(1)).toBe(true);
  });
});

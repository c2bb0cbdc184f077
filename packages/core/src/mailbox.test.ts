import fc from 'fast-check';
import { EventsLost } from './events';
import { Mailbox } from './mailbox';

class Note {
  constructor(readonly number: number) {}
}

type Delivered = Note | EventsLost;

/** A mailbox whose handler waits until the test lets it go on. */
function heldMailbox(capacity: number) {
  const seen: Delivered[] = [];
  const releases: (() => void)[] = [];
  const deliver = (event: Delivered): Promise<void> => {
    seen.push(event);
    return new Promise((resolve) => {
      releases.push(resolve);
    });
  };
  const mailbox = new Mailbox<Note | EventsLost>({ deliver }, capacity);
  const release = async (): Promise<void> => {
    releases.shift()?.();
    await Promise.resolve();
    await Promise.resolve();
    await Promise.resolve();
  };
  return { mailbox, seen, release };
}

const numbers = (seen: readonly Delivered[]): (number | string)[] =>
  seen.map((event) => (event instanceof Note ? event.number : `lost ${event.count}`));

describe('mailbox', () => {
  it('delivers at once while nothing is being handled', () => {
    const seen: Delivered[] = [];
    const deliver = (event: Delivered): undefined => {
      seen.push(event);
    };
    const mailbox = new Mailbox<Note>({ deliver });
    mailbox.push(new Note(1), 1);
    mailbox.push(new Note(2), 2);
    expect(numbers(seen)).toEqual([1, 2]);
    expect(mailbox.isBusy).toBe(false);
  });

  it('counts what a lost report stood for, and nothing of its own, when it gives a handler up', () => {
    const { mailbox, seen } = heldMailbox(10);
    mailbox.push(new Note(1), 1);
    mailbox.push(new EventsLost(5), 2);
    mailbox.push(new Note(2), 3);
    mailbox.pushAlways(new Note(3), undefined);
    const last = new Note(4);
    mailbox.pushAlways(last, undefined);
    expect(mailbox.abandon(last)).toBe(6);
    expect(numbers(seen)).toEqual([1, 'lost 6']);
  });

  it('holds events back while a handler runs, in order', async () => {
    const { mailbox, seen, release } = heldMailbox(10);
    for (const number of [1, 2, 3]) mailbox.push(new Note(number), number);
    expect(numbers(seen)).toEqual([1]);
    await release();
    await release();
    expect(numbers(seen)).toEqual([1, 2, 3]);
    await release();
    expect(mailbox.isBusy).toBe(false);
  });

  it('keeps as many events as it has room for and reports one past it where the gap is', async () => {
    const { mailbox, seen, release } = heldMailbox(3);
    for (const number of [1, 2, 3, 4, 5, 6]) mailbox.push(new Note(number), number);
    await release();
    mailbox.push(new Note(7), 7);
    for (let step = 0; step < 8; step++) await release();
    expect(numbers(seen)).toEqual([1, 2, 3, 4, 'lost 2', 7]);
  });

  it('counts a dropped report of lost events with what it reported', async () => {
    const { mailbox, seen, release } = heldMailbox(1);
    mailbox.push(new Note(1), 1);
    mailbox.push(new Note(2), 2);
    mailbox.push(new EventsLost(5), 3);
    await release();
    mailbox.push(new Note(4), 4);
    for (let step = 0; step < 5; step++) await release();
    expect(numbers(seen)).toEqual([1, 2, 'lost 5', 4]);
  });

  it('never drops what is pushed always', async () => {
    const { mailbox, seen, release } = heldMailbox(1);
    for (const number of [1, 2, 3]) mailbox.push(new Note(number), number);
    mailbox.pushAlways(new Note(4), 4);
    for (let step = 0; step < 6; step++) await release();
    expect(numbers(seen)).toEqual([1, 2, 'lost 1', 4]);
  });

  it('gives a stuck handler up, counts what waited, and ignores that handler afterwards', async () => {
    const { mailbox, seen, release } = heldMailbox(10);
    const last = new Note(9);
    for (const number of [1, 2, 3]) mailbox.push(new Note(number), number);
    mailbox.pushAlways(last, 9);
    expect(mailbox.abandon(last)).toBe(2);
    expect(numbers(seen)).toEqual([1, 'lost 2']);
    await release(); // the stuck handler ends late
    expect(numbers(seen)).toEqual([1, 'lost 2']);
    await release();
    expect(numbers(seen)).toEqual([1, 'lost 2', 9]);
  });

  it('delivers or reports every event, in order, whatever the pace', async () => {
    const schedule = fc.array(fc.oneof(fc.constant('push'), fc.constant('release')), { maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(schedule, fc.integer({ min: 1, max: 5 }), async (steps, capacity) => {
        const { mailbox, seen, release } = heldMailbox(capacity);
        let pushed = 0;
        for (const step of steps) {
          if (step === 'release') await release();
          else mailbox.push(new Note(++pushed), pushed);
        }
        mailbox.pushAlways(new Note(++pushed), pushed);
        while (mailbox.isBusy) await release();
        let expected = 1;
        for (const event of seen) {
          if (event instanceof EventsLost) expected += event.count;
          else expect(event.number).toBe(expected++);
        }
        expect(expected).toBe(pushed + 1);
      }),
      { numRuns: 200 },
    );
  });
});

import fc from 'fast-check';
import { START_MANNERS, type StartManner } from './agents';
import { EVENT_TYPES, type SimulatedEventType } from './tagged-event';

/** What a handler does with an event that says so. */
export const HANDLER_MANNERS = [
  'note',
  'wait',
  'throw',
  'hang',
  'say',
  'speak on',
  'chatter',
  'too long',
  'context',
  'fewer tools',
  'all tools',
  'transfer',
  'end',
] as const;

export type HandlerManner = (typeof HANDLER_MANNERS)[number];

export const TOOL_NAMES = ['look', 'book', 'ring', 'pay', 'peek', 'nothing'] as const;
export const TOOL_MANNERS = [
  'at once',
  'wait',
  'throw',
  'refuse',
  'heed',
  'hang',
  'say',
  'no json',
  'large',
] as const;

/** How a link breaks. */
export const BREAKS = [
  'cut',
  'cut with loss',
  'half-open',
  'silence',
  'reset agent',
  'half-close',
  'stall',
  'deaf',
] as const;

export const LOST_DOINGS = ['nothing', 'tool', 'say', 'fewer tools', 'end'] as const;

export const CANCEL_REASONS = ['interrupted', 'timeout', 'abandoned'] as const;
export const ANSWER_MANNERS = ['at once', 'late', 'never', 'refused'] as const;
export const JUNK = [
  'no json',
  'no type',
  'unknown type',
  'binary',
  'bad tool call',
  'second start',
] as const;

/** One thing that the voice server's side does, `afterMs` after the one before. */
export type Step = { readonly afterMs: number } & (
  | {
      readonly does: 'event';
      readonly type: SimulatedEventType;
      readonly how: HandlerManner;
      readonly ms: number;
    }
  | { readonly does: 'burst'; readonly count: number }
  | {
      readonly does: 'tool';
      readonly name: (typeof TOOL_NAMES)[number];
      readonly how: (typeof TOOL_MANNERS)[number];
      readonly ms: number;
      readonly what: string;
    }
  /** The model asks for the same thing again: a new id and a new key. */
  | { readonly does: 'ask again'; readonly back: number }
  /** The same frame once more. */
  | { readonly does: 'repeat frame'; readonly back: number }
  /** A new id under a known key. */
  | { readonly does: 'reuse key'; readonly back: number; readonly otherArguments: boolean }
  | { readonly does: 'cancel'; readonly back: number; readonly reason: (typeof CANCEL_REASONS)[number] }
  | {
      readonly does: 'break';
      readonly how: (typeof BREAKS)[number];
      /** Redials that fail as against a closed port. */
      readonly refusals: number;
      /** Answers to redials that get lost. */
      readonly lostAnswers: number;
      readonly waits: boolean;
      /** What the agent is made to do right before, and whose frames get lost. */
      readonly during: (typeof LOST_DOINGS)[number];
    }
  | { readonly does: 'answer'; readonly how: (typeof ANSWER_MANNERS)[number] }
  | { readonly does: 'junk'; readonly which: (typeof JUNK)[number] }
  | { readonly does: 'pause' }
);

/** One call, from its first dial to its end. */
export interface CallPlan {
  /** Both servers count their sessions from 1. */
  readonly server: number;
  readonly afterMs: number;
  readonly agent: 'keeper' | 'plain' | 'nobody';
  /** Without a carrier the agent learns nothing of the caller, and two calls are harder to tell apart. */
  readonly carrier: StartManner | 'none' | 'twin';
  readonly latencyMs: number;
  readonly steps: readonly Step[];
  readonly ending: 'hang up' | 'crash';
  readonly quietMs: number;
}

/** What happens in one world: an application and the calls that come to it. */
export interface Schedule {
  readonly calls: readonly CallPlan[];
  /** The application closes then, in the middle of it all. */
  readonly closesAtMs: number | undefined;
  /** New calls are taken for so long after that, and live ones go on for so long. */
  readonly lameDuckMs: number;
  readonly drainMs: number;
  /** Server 0 dies and starts again, counting from 1, then. */
  readonly restartsAtMs: number | undefined;
}

/** Calls of one world, at most. */
export const CALLS_OF_A_WORLD = 24;

const delay = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(0, 0, 1, 5) },
  { weight: 6, arbitrary: fc.integer({ min: 10, max: 900 }) },
  { weight: 3, arbitrary: fc.integer({ min: 1_000, max: 6_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 8_000, max: 45_000 }) },
);

const handlerManner = fc.oneof(
  { weight: 8, arbitrary: fc.constant<HandlerManner>('note') },
  { weight: 4, arbitrary: fc.constantFrom<HandlerManner>('wait', 'say', 'fewer tools') },
  {
    weight: 3,
    arbitrary: fc.constantFrom<HandlerManner>('throw', 'speak on', 'context', 'all tools', 'transfer'),
  },
  { weight: 1, arbitrary: fc.constantFrom<HandlerManner>('hang', 'chatter', 'too long', 'end') },
);

const toolManner = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom<(typeof TOOL_MANNERS)[number]>('at once', 'wait', 'wait', 'heed', 'refuse'),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<(typeof TOOL_MANNERS)[number]>('throw', 'say', 'no json', 'large', 'hang'),
  },
);

const toolName = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<(typeof TOOL_NAMES)[number]>('book', 'book', 'pay', 'look') },
  { weight: 2, arbitrary: fc.constantFrom<(typeof TOOL_NAMES)[number]>('ring', 'peek', 'nothing') },
);

const toolMs = fc.oneof(
  fc.integer({ min: 1, max: 500 }),
  fc.integer({ min: 500, max: 6_000 }),
  fc.integer({ min: 10_000, max: 70_000 }),
);
const back = fc.nat({ max: 3 });

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('event' as const),
      afterMs: delay,
      type: fc.oneof(fc.constant<SimulatedEventType>('user.text'), fc.constantFrom(...EVENT_TYPES)),
      how: handlerManner,
      ms: fc.oneof(fc.integer({ min: 1, max: 400 }), fc.integer({ min: 400, max: 14_000 })),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      does: fc.constant('tool' as const),
      afterMs: delay,
      name: toolName,
      how: toolManner,
      ms: toolMs,
      what: fc.constantFrom('w0', 'w1'),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('ask again' as const), afterMs: delay, back }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('repeat frame' as const), afterMs: delay, back }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('reuse key' as const),
      afterMs: delay,
      back,
      otherArguments: fc.boolean(),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('cancel' as const),
      afterMs: delay,
      back,
      reason: fc.constantFrom(...CANCEL_REASONS),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      does: fc.constant('break' as const),
      afterMs: delay,
      how: fc.constantFrom<(typeof BREAKS)[number]>(
        'cut',
        'cut',
        'cut with loss',
        'cut with loss',
        'half-open',
        'half-open',
        'silence',
        'reset agent',
        'half-close',
        'stall',
        'deaf',
      ),
      refusals: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 4 })),
      lostAnswers: fc.oneof(fc.constant(0), fc.constant(0), fc.nat({ max: 2 })),
      waits: fc.boolean(),
      during: fc.oneof(
        { weight: 3, arbitrary: fc.constant<(typeof LOST_DOINGS)[number]>('nothing') },
        { weight: 1, arbitrary: fc.constantFrom(...LOST_DOINGS) },
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('answer' as const),
      afterMs: delay,
      how: fc.constantFrom(...ANSWER_MANNERS),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('junk' as const),
      afterMs: delay,
      which: fc.constantFrom(...JUNK),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      does: fc.constant('burst' as const),
      afterMs: delay,
      count: fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(300, 1_100, 1_400)),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('pause' as const), afterMs: delay }) },
);

const call: fc.Arbitrary<CallPlan> = fc.record({
  server: fc.nat({ max: 1 }),
  afterMs: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 60_000 })),
  agent: fc.constantFrom('keeper', 'keeper', 'keeper', 'keeper', 'plain', 'nobody'),
  carrier: fc.oneof(
    { weight: 6, arbitrary: fc.constant<CallPlan['carrier']>('none') },
    {
      weight: 6,
      arbitrary: fc.constantFrom<CallPlan['carrier']>('quick', 'slow', 'say', 'few tools', 'few events'),
    },
    { weight: 1, arbitrary: fc.constantFrom<CallPlan['carrier']>(...START_MANNERS) },
    { weight: 1, arbitrary: fc.constant<CallPlan['carrier']>('twin') },
  ),
  latencyMs: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.constantFrom(20, 250) },
  ),
  steps: fc.array(step, { minLength: 0, maxLength: 30, size: 'max' }),
  ending: fc.constantFrom('hang up', 'hang up', 'hang up', 'crash'),
  quietMs: fc.constantFrom(2_600, 2_600, 20_000),
});

/** Schedules of worlds. */
export const schedules: fc.Arbitrary<Schedule> = fc.record({
  calls: fc.array(call, { minLength: 1, maxLength: CALLS_OF_A_WORLD, size: 'max' }),
  closesAtMs: fc.option(fc.integer({ min: 0, max: 60_000 }), { nil: undefined, freq: 8 }),
  lameDuckMs: fc.constantFrom(0, 2_000),
  drainMs: fc.constantFrom(0, 0, 4_000, 40_000),
  restartsAtMs: fc.option(fc.integer({ min: 0, max: 30_000 }), { nil: undefined, freq: 8 }),
});

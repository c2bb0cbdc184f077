import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Injectable, Scope } from '@callwright/di';
import { Arg } from './arg';
import { liveCall, type TestCall } from './call-session.test-support';
import {
  APP_FILTER,
  APP_GUARD,
  APP_INTERCEPTOR,
  APP_PIPE,
  UseFilters,
  UseGuards,
  UseInterceptors,
  UsePipes,
} from './enhancers';
import { UserText } from './events';
import type { ExceptionFilter } from './filter';
import type { CanActivate } from './guard';
import type { OnCallEnd } from './hooks';
import type { Interceptor } from './interceptor';
import { OnEvent } from './on-event';
import type { Pipe } from './pipe';
import { Timeout } from './timers';
import { Tool } from './tool';
import { ToolRun } from './tool-run';
import { VoiceAgent } from './voice-agent';

/** The tables of the page on the lifecycle are the expectations: what it says is what happens. */
const PAGE = readFileSync(path.join(__dirname, '../../../docs/reference/lifecycle.md'), 'utf8');
const ROLES = ['Tool', 'Event handler', 'Hook', 'Timer'] as const;
type Role = (typeof ROLES)[number];

function stepsOf(table: string, role: Role): string[] {
  const [, text = ''] = PAGE.split(`<!-- ${table} -->`);
  const rows = text.split('\n\n')[1]?.split('\n').slice(2) ?? [];
  const column = ROLES.indexOf(role) + 2;
  return rows
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter((cells) => cells[column] === 'yes')
    .map((cells) => cells[1] ?? '');
}

const log: string[] = [];
let failing = false;
beforeEach(() => {
  log.length = 0;
  failing = false;
});

const guardOf = (level: string): CanActivate => ({
  canActivate: () => log.push(`guard of the ${level}`) > 0,
});
const interceptorOf = (level: string): Interceptor => ({
  async intercept(_context, next) {
    log.push(`interceptor of the ${level}, before`);
    try {
      return await next();
    } finally {
      log.push(`interceptor of the ${level}, after`);
    }
  },
});
const pipeOf = (level: string): Pipe => ({
  transform(value) {
    log.push(`pipe of the ${level}`);
    return value;
  },
});
const filterOf = (level: string): ExceptionFilter => ({
  catch(): undefined {
    log.push(`filter of the ${level}`);
  },
});

function method(): void {
  log.push('the method');
  if (failing) throw new RangeError('a failure');
}

@UseGuards(guardOf('class'))
@UseInterceptors(interceptorOf('class'))
@UsePipes(pipeOf('class'))
@UseFilters(filterOf('class'))
@Injectable({ scope: Scope.CALL })
class Tools implements OnCallEnd {
  @Tool('A tool.')
  @UseGuards(guardOf('method'))
  @UseInterceptors(interceptorOf('method'))
  @UsePipes(pipeOf('method'))
  @UseFilters(filterOf('method'))
  tool(@Arg('day', {}, pipeOf('parameter')) _day: string): void {
    method();
  }

  @OnEvent(UserText)
  @UseGuards(guardOf('method'))
  @UseInterceptors(interceptorOf('method'))
  @UseFilters(filterOf('method'))
  heard(_event: UserText): void {
    method();
  }

  @UseInterceptors(interceptorOf('method'))
  @UseFilters(filterOf('method'))
  onCallEnd(): void {
    method();
  }

  @Timeout(1_000)
  @UseInterceptors(interceptorOf('method'))
  @UseFilters(filterOf('method'))
  tick(): void {
    method();
  }
}

@UseGuards(guardOf('agent'))
@UseInterceptors(interceptorOf('agent'))
@UsePipes(pipeOf('agent'))
@UseFilters(filterOf('agent'))
@VoiceAgent({ name: 'agent', toolSets: [Tools] })
class Agent {}

const providers = [
  Tools,
  { provide: APP_GUARD, useValue: guardOf('application') },
  { provide: APP_INTERCEPTOR, useValue: interceptorOf('application') },
  { provide: APP_PIPE, useValue: pipeOf('application') },
  { provide: APP_FILTER, useValue: filterOf('application') },
];

/** Tells when it is first read: that is when arguments are validated. */
function watchedArguments(): Record<string, unknown> {
  const step = 'arguments are validated and bound';
  return {
    get day() {
      if (!log.includes(step)) log.push(step);
      return 'monday';
    },
  };
}

const RUN: Readonly<Record<Role, (call: TestCall) => void>> = {
  Tool: (call) => void call.tool('tool', watchedArguments()),
  'Event handler': (call) => call.session.handleEvent(new UserText(1, 'hello'), 1),
  Hook: (call) => call.session.end('call_ended', 'call_ended'),
  Timer: (call) => void call.clock.advance(1_000),
};

async function trace(role: Role): Promise<string[]> {
  const call = await liveCall(Agent, { providers });
  const begin = jest.spyOn(ToolRun.prototype, 'begin').mockImplementation(() => void log.push('begin'));
  try {
    log.length = 0;
    RUN[role](call);
    await call.clock.advance(0);
    await call.clock.advance(0);
    return [...log];
  } finally {
    begin.mockRestore();
  }
}

describe.each(ROLES)('the pipeline of a %s', (role) => {
  test('is that of the page on the lifecycle', async () => {
    const steps = stepsOf('pipeline', role);
    expect(steps).toContain('the method');
    expect(await trace(role)).toEqual(steps);
  });

  test('asks the filters of a failure as the page says', async () => {
    failing = true;
    const steps = await trace(role);
    expect(steps.filter((step) => step.startsWith('filter'))).toEqual(stepsOf('filters', role));
  });
});

/**
 * From nothing to a changed tool that answers in the console, by the commands that the tools print and no others; then every
 * other command on the project that was made. Each command is a process of its own, and the packages are those of the tarballs.
 */
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installPacked } from './packed-packages';
import { Running, run, runWell } from './terminal';

const folder = mkdtempSync(join(tmpdir(), 'callwright-cli-'));
const project = join(folder, 'luigi');
const agentFile = join(project, 'src', 'desk.agent.ts');
const QUESTION = '/tool openingHours {"day":"monday"}';

beforeAll(() => installPacked(folder), 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a new user', () => {
  let steps: readonly string[];

  it('makes a project and is told what to do next', async () => {
    const output = await runWell(folder, 'create-callwright luigi');
    steps = [...output.slice(output.indexOf('Next:')).matchAll(/^ {2}(\S.*?)(?:\s{2,}#.*)?$/gm)].map(
      (match) => match[1] ?? '',
    );
    expect(output).toContain('Made luigi');
    expect(steps).toEqual(['cd luigi', 'npm install', 'npm test', 'npm run console', 'npm run dev']);
    // npm install, without a network
    renameSync(join(folder, 'node_modules'), join(project, 'node_modules'));
  });

  it('runs the tests of the project', async () => {
    const { exitCode, errorOutput } = await run(project, steps[2] ?? '');
    expect(errorOutput).toMatch(/Tests: +3 passed, 3 total/);
    expect(exitCode).toBe(0);
  });

  it('talks to the agent, and is told how', async () => {
    const output = await runWell(project, steps[3] ?? '', ['/help', '/tools', QUESTION, '/quit']);
    expect(output).toContain('/tool NAME {json}');
    expect(output).toMatch(/openingHours +day: "monday"/);
    expect(output).toMatch(/openingHours.*→ ok closed/);
    expect(output).toContain('Good evening!');
    expect(output).not.toContain('\u001b');
  });

  it('changes the tool as the README says, and hears the change', async () => {
    expect(readFileSync(join(project, 'README.md'), 'utf8')).toContain(QUESTION);
    edit(agentFile, "'closed'", "'open until midnight'");
    const output = await runWell(project, steps[3] ?? '', [QUESTION]);
    expect(output).toMatch(/openingHours.*→ ok open until midnight/);
    edit(agentFile, "'open until midnight'", "'closed'");
  });
});

describe('the first pages', () => {
  it('show what is printed', async () => {
    const [made = '', typed = '', transcript = ''] = screens('1-a-project.md');
    expect(timeless(await runWell(mkdtempSync(join(folder, 'again-')), bin('callwright new luigi')))).toBe(
      timeless(made),
    );
    const played = await runWell(project, 'callwright console', typed.trim().split('\n'));
    expect(timeless(played)).toBe(timeless(transcript));
    expect(await runWell(project, 'callwright inspect')).toBe(screens('2-tools.md')[0]);
    expect(timeless(await runWell(project, 'callwright test'))).toBe(
      timeless(screens('4-tests.md')[0] ?? ''),
    );
    const checks = (text: string) => [...text.matchAll(/^ok +(\S+(?: \S+)*)/gm)].map((match) => match[1]);
    const doctor = checks(await runWell(project, 'env PORT=0 callwright doctor'));
    expect(doctor).toEqual(checks(screens('5-serve-it.md')[0] ?? ''));
  });
});

describe('the project that was made', () => {
  it('type-checks, is clean, builds, and starts from what was built', async () => {
    await runWell(project, 'npm run typecheck');
    await runWell(project, 'npm run lint');
    await runWell(project, 'npm run build');
    const server = new Running(project, 'callwright start', { PORT: '0' });
    const [, url = ''] = await server.shows(/listening on (ws:\/\/[\d.:]+)/);
    const output = await runWell(project, `callwright call ${url}`, [QUESTION]);
    expect(output).toMatch(/openingHours.*→ ok closed/);
    server.signal('SIGTERM');
    await expect(server.ended).resolves.toMatchObject({ exitCode: 0 });
  });

  it('is served from its sources, shows a mistake and goes on, and reloads what is saved', async () => {
    const dev = new Running(project, 'callwright dev', { PORT: '0' });
    const [, first = ''] = await dev.shows(/listening on (ws:\/\/[\d.:]+)/);
    expect(await runWell(project, `callwright call ${first}`, [QUESTION])).toContain('→ ok closed');
    const right = readFileSync(agentFile, 'utf8');
    writeFileSync(agentFile, `${right}oops(\n`);
    await dev.shows(
      /CW_COMPILE_FAILED: "src\/desk.agent.ts" cannot be compiled[\s\S]*the code before this goes on/,
    );
    expect(await runWell(project, `callwright call ${first}`, [QUESTION])).toContain('→ ok closed');
    writeFileSync(agentFile, right.replace("'closed'", "'open on request'"));
    const [, second = ''] = await dev.shows(/listening on (ws:\/\/[\d.:]+)/, 2);
    expect(await runWell(project, `callwright call ${second}`, [QUESTION])).toContain('→ ok open on request');
    writeFileSync(agentFile, right);
    await dev.shows(/listening on/, 3);
    dev.signal('SIGINT');
    await expect(dev.ended).resolves.toMatchObject({ exitCode: 0 });
  });

  it('lets a live call go on with the old code for the time of --drain', async () => {
    const dev = new Running(project, 'callwright dev --drain 1', { PORT: '0' });
    const [, url = ''] = await dev.shows(/listening on (ws:\/\/[\d.:]+)/);
    const call = new Running(project, `callwright call ${url}`);
    await call.shows(/Good evening/);
    const right = readFileSync(agentFile, 'utf8');
    writeFileSync(agentFile, `${right}\n`);
    await dev.shows(/live calls go on with the old code/);
    await call.shows(/the agent closed the connection \(1001\)/);
    await dev.shows(/listening on/, 2);
    writeFileSync(agentFile, right);
    call.type([]);
    await call.ended;
    await dev.shows(/listening on/, 3);
    dev.signal('SIGTERM');
    await dev.ended;
  });

  it('needs no compiler where the compiled module is named', async () => {
    const compiler = join(project, 'node_modules', '@swc');
    renameSync(compiler, `${compiler}-away`);
    const without = await run(project, 'callwright inspect');
    const compiled = await run(project, 'callwright inspect --module dist/app.module.js');
    renameSync(`${compiler}-away`, compiler);
    expect(without).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('CW_COMPILER_NOT_INSTALLED'),
    });
    expect(compiled).toMatchObject({ exitCode: 0, output: expect.stringContaining('openingHours') });
  });

  it('is described, as a table, as Markdown, and as a manifest that diff compares', async () => {
    const table = await runWell(project, 'callwright inspect --schemas');
    expect(table).toMatch(/accept +\d+ of 65536 bytes/);
    expect(table).toMatch(/bookTable +side_effect +time: string .*asks the caller first/);
    expect(table).toContain('No problems, no warnings.');
    expect(await runWell(project, 'callwright inspect --format markdown')).toContain('### bookTable');
    writeFileSync(join(project, 'old.json'), await runWell(project, 'callwright inspect --json'));
    edit(join(project, 'src', 'table-wish.dto.ts'), '@Max(12)', '@Max(10)');
    writeFileSync(join(project, 'new.json'), await runWell(project, 'callwright inspect --json'));
    edit(join(project, 'src', 'table-wish.dto.ts'), '@Max(10)', '@Max(12)');
    const { exitCode, output } = await run(project, 'callwright diff old.json new.json');
    expect(output).toMatch(/breaks +luigi.bookTable: partySize +maximum 12 → 10/);
    expect(exitCode).toBe(1);
    await runWell(project, 'callwright diff old.json old.json');
  });

  it('has every problem of its boot printed by inspect, which then ends with 1', async () => {
    edit(agentFile, "@Arg('day', { enum: WEEKDAYS })", '');
    const { exitCode, output } = await run(project, 'callwright inspect');
    edit(agentFile, 'openingHours( day', "openingHours(@Arg('day', { enum: WEEKDAYS }) day");
    expect(output).toMatch(/problem CW_\w+/);
    expect(output).toContain('the application does not start');
    expect(exitCode).toBe(1);
  });

  it.each([
    ['callwright inspect --module src/hotel.module.ts', 'CW_MODULE_FILE_NOT_FOUND'],
    ['callwright inspect --module src/app.module.ts#HotelModule', 'CW_MODULE_EXPORT_NOT_FOUND'],
    ['callwright dev src/server.ts', 'CW_MAIN_NOT_FOUND'],
    ['callwright start dist/server.js', 'CW_NOT_BUILT'],
    ['callwright replay recordings/none.jsonl', 'CW_FILE_UNREADABLE'],
  ])('is told by %s what is not there', async (commandLine, said) => {
    const { exitCode, errorOutput } = await run(project, commandLine);
    expect(errorOutput).toContain(said);
    expect(exitCode).toBe(1);
  });

  it('is found healthy by the doctor, and a circle of imports is named', async () => {
    const healthy = await runWell(project, 'callwright doctor');
    expect(healthy).toContain('No problems.');
    const service = join(project, 'src', 'bookings.service.ts');
    const right = readFileSync(service, 'utf8');
    writeFileSync(
      service,
      right
        .replace("'./table-wish.dto';", "'./table-wish.dto';\nimport { DeskAgent } from './desk.agent';")
        .replace('readonly #byKey', 'constructor(readonly desk: DeskAgent) {}\n  readonly #byKey'),
    );
    const { exitCode, output } = await run(project, 'callwright doctor');
    const inspected = await run(project, 'callwright inspect');
    writeFileSync(service, right);
    expect(output).toContain('CW_IMPORT_CYCLE');
    expect(inspected.errorOutput).toMatch(
      /src\/desk.agent.ts → src\/bookings.service.ts → src\/desk.agent.ts|src\/bookings.service.ts → src\/desk.agent.ts → src\/bookings.service.ts/,
    );
    expect(exitCode).toBe(1);
    expect(inspected.exitCode).toBe(1);
  });

  it('plays its scenarios, and writes a report for build servers', async () => {
    const output = await runWell(project, 'npm run scenarios -- --junit reports/scenarios.xml');
    expect(output).toMatch(/ok {4}A table for two/);
    expect(output).toContain('1 passed, 0 failed');
    expect(readFileSync(join(project, 'reports', 'scenarios.xml'), 'utf8')).toContain(
      'tests="1" failures="0"',
    );
    edit(agentFile, "kind: 'side_effect', confirm: true", "kind: 'side_effect'");
    const changed = await run(project, 'callwright test');
    edit(agentFile, "kind: 'side_effect'", "kind: 'side_effect', confirm: true");
    expect(changed.output).toMatch(/FAIL {2}A table for two[\s\S]*0 passed, 1 failed/);
    expect(changed.exitCode).toBe(1);
    await expect(run(project, 'callwright test scenarios/none.yaml')).resolves.toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('CW_FILE_UNREADABLE'),
    });
  });

  it('replays a recorded call, shows what goes otherwise today, and accepts it', async () => {
    const main = join(project, 'src', 'main.ts');
    edit(main, 'bootstrap(AppModule)', "bootstrap(AppModule, { record: { directory: 'recordings' } })");
    const dev = new Running(project, 'callwright dev', { PORT: '0' });
    const [, url = ''] = await dev.shows(/listening on (ws:\/\/[\d.:]+)/);
    await runWell(project, `callwright call ${url} --from +390612345678`, ['hello', QUESTION]);
    dev.signal('SIGTERM');
    await dev.ended;
    edit(main, ", { record: { directory: 'recordings' } }", '');
    expect(await runWell(project, 'callwright replay recordings/*.jsonl')).toContain('1 as recorded, 0 not');
    edit(agentFile, "'closed'", "'open until midnight'");
    const { exitCode, output } = await run(project, 'callwright replay recordings/*.jsonl');
    expect(output).toMatch(/differs {2}recordings[\s\S]*- "closed"\n +\+ "open until midnight"/);
    expect(exitCode).toBe(1);
    await runWell(project, 'callwright replay recordings/*.jsonl --update');
    expect(await runWell(project, 'callwright replay recordings/*.jsonl')).toContain('1 as recorded, 0 not');
    edit(agentFile, "'open until midnight'", "'closed'");
  });

  it('takes what generate writes, after the steps that it prints', async () => {
    for (const kind of ['agent hotel', 'tool calendar', 'guard known', 'module booking', 'dto room-wish']) {
      const output = await runWell(project, `callwright generate ${kind}`);
      expect(output).toMatch(/^wrote src\/[\s\S]*Next:\n {2}- /);
    }
    const again = await run(project, 'callwright generate agent hotel');
    expect(again).toMatchObject({ exitCode: 1, errorOutput: expect.stringContaining('CW_FILE_EXISTS') });
    writeFileSync(join(project, 'src', 'app.module.ts'), WIRED);
    edit(
      join(project, 'src', 'hotel.agent.ts'),
      "greeting: 'Hello",
      "toolSets: [CalendarTools],\n  greeting: 'Hello",
    );
    edit(join(project, 'src', 'hotel.agent.ts'), '  @Tool(', '  @UseGuards(KnownGuard)\n  @Tool(');
    edit(join(project, 'src', 'hotel.agent.ts'), '  @OnEvent', HOTEL_TOOL);
    edit(join(project, 'src', 'hotel.agent.ts'), "'callwright';", HOTEL_IMPORTS);
    await runWell(project, 'npm run typecheck');
    const output = await runWell(project, 'callwright console --agent hotel --from +390612345678', [
      '/tool calendar {"query":"june"}',
      '/tool bookRoom {"name":"Ada"}',
      '/tool timeOfDay',
    ]);
    expect(output).toContain('→ ok nothing is known of june');
    expect(output).toContain('→ ok 1 for Ada');
    expect(output).toMatch(/timeOfDay\(\) → ok/);
    const refused = await run(project, 'callwright console --agent hotel', ['/tool timeOfDay']);
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringMatching(/timeOfDay\(\) → failed/) });
  });
});

const WIRED = `import { Module } from 'callwright';
import { BookingModule } from './booking.module';
import { Bookings } from './bookings.service';
import { CalendarTools } from './calendar.tools';
import { DeskAgent } from './desk.agent';
import { HotelAgent } from './hotel.agent';

@Module({ imports: [BookingModule], providers: [Bookings, CalendarTools], agents: [DeskAgent, HotelAgent] })
export class AppModule {}
`;
const HOTEL_TOOL = `  @Tool({ description: 'Books a room.', kind: 'side_effect' })
  bookRoom(wish: RoomWish): string {
    return \`\${wish.count} for \${wish.name}\`;
  }

  @OnEvent`;
const HOTEL_IMPORTS = `'callwright';
import { UseGuards } from 'callwright';
import { CalendarTools } from './calendar.tools';
import { KnownGuard } from './known.guard';
import { RoomWish } from './room-wish.dto';`;

/** The screens of a page of docs/start: its blocks of text. */
function screens(page: string): readonly string[] {
  const text = readFileSync(join(__dirname, '../../docs/start', page), 'utf8');
  return [...text.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map((match) => match[1] ?? '');
}

/** Without what differs from run to run. */
function timeless(text: string): string {
  return text.replaceAll(/ *\d+(\.\d+)? (ms|s)\b/g, ' N $2');
}

/** A command of the project, for a folder that has none. */
function bin(commandLine: string): string {
  return `${join(project, 'node_modules', '.bin')}/${commandLine}`;
}

function edit(file: string, from: string, to: string): void {
  const text = readFileSync(file, 'utf8');
  if (!text.includes(from)) throw new Error(`${file} has no ${from}`);
  writeFileSync(file, text.replace(from, to));
}

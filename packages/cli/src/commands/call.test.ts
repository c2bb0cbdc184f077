import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { Arg, Call, OnEvent, Tool, ToolContext, UserText, VoiceAgent } from '@callwright/core';
import { Module } from '@callwright/di';
import { type Application, createApplication } from '@callwright/gateway';
import { makeCertificateFiles } from '../../../gateway/src/certificate.test-support';
import { runIn, temporaryFolder } from '../fake-terminal.test-support';

@VoiceAgent({ name: 'desk', greeting: 'Good evening!', resume: true })
class DeskAgent {
  constructor(private readonly call: Call) {}

  @Tool('Opening hours.')
  hours(@Arg('day') day: string): string {
    return day === 'monday' ? 'closed' : 'from six to eleven';
  }

  @Tool({ description: 'Books.', kind: 'side_effect', confirm: true })
  book(): string {
    return 'booked';
  }

  @Tool('Waits until it is told to stop.')
  wait(tool: ToolContext): Promise<string> {
    return new Promise((resolve) => {
      tool.signal.addEventListener('abort', () => resolve('stopped'));
    });
  }

  @OnEvent(UserText)
  async heard({ text }: UserText): Promise<void> {
    if (text === 'bye') await this.call.end({ say: 'Goodbye!' });
  }
}

@Module({ agents: [DeskAgent] })
class AppModule {}

describe('callwright call, from a pipe', () => {
  const folder = temporaryFolder();
  let application: Application;

  beforeAll(async () => {
    application = await createApplication(AppModule, { port: 0, token: 'secret', log: { level: 'fatal' } });
    await application.listen();
  });
  afterAll(() => application.close({ drainMs: 0 }));

  const call = (lines: readonly string[], ...options: readonly string[]) =>
    runIn(folder, ['call', application.url, '--token', 'secret', ...options], { lines });

  it('prints the transcript: greeting, words, tools with their time, the end', async () => {
    const { exitCode, output } = await call(['hello', '/tool hours {"day":"monday"}']);
    expect(output).toMatch(/link +connected: 3 tools/);
    expect(output).toMatch(/bot +Good evening! \(greeting\)/);
    expect(output).toMatch(/caller +hello/);
    expect(output).toMatch(/tool +hours\("day":"monday"\) → ok closed \(\d+ ms\)/);
    expect(output).toMatch(/end +call_ended\n$/);
    expect(exitCode).toBe(0);
  });

  it('confirms what waits for the caller', async () => {
    const { exitCode, output } = await call(['/tool book', '/confirm']);
    expect(output).toMatch(/confirm +book\(\) waits for the caller's yes/);
    expect(output).toMatch(/book\(\) → ok booked .*confirmed by the caller/);
    expect(exitCode).toBe(0);
  });

  it('interrupts a tool that runs in the background', async () => {
    const { output } = await call(['/tool wait &', '/wait 20', '/interrupt']);
    expect(output).toMatch(/wait\(\) → interrupted/);
  });

  it('cuts the connection, and goes on when the agent keeps its calls', async () => {
    const { exitCode, output } = await call(['/cut', '/tool hours {"day":"friday"}']);
    expect(output).toMatch(/link +lost/);
    expect(output).toMatch(/link +resumed/);
    expect(output).toContain('→ ok from six to eleven');
    expect(exitCode).toBe(0);
  });

  it('goes on after a cut in a process that nothing else keeps', async () => {
    const { exitCode, output } = await callFromProcess(application.url, [
      '/tool hours {"day":"monday"}',
      '/cut',
      '/wait 20',
      '/tool hours {"day":"friday"}',
      '/quit',
    ]);
    expect(output).toMatch(
      /link +lost[\s\S]*link +resumed[\s\S]*→ ok from six to eleven[\s\S]*end +call_ended\n$/,
    );
    expect(exitCode).toBe(0);
  }, 30_000);

  it('ends when the agent ends the call, whatever lines are left', async () => {
    const { exitCode, output } = await call(['bye', '/tool hours {"day":"friday"}']);
    expect(output).toMatch(/bot +Goodbye! \(farewell\)/);
    expect(output).toMatch(/end +ended_by_agent\n$/);
    expect(output).not.toContain('hours(');
    expect(exitCode).toBe(0);
  });

  it('lists what is offered, and the commands', async () => {
    const { output } = await call(['/tools', '/help', '/quit', 'never said']);
    expect(output).toMatch(/hours +day: string +Opening hours\./);
    expect(output).toMatch(/\/tool NAME \{json\}/);
    expect(output).not.toContain('never said');
  });

  it('prints JSON lines', async () => {
    const { output } = await call(['/tool hours {"day":"monday"}', '/tools'], '--json');
    const entries = output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(entries).toContainEqual(expect.objectContaining({ kind: 'tool', name: 'hours', text: 'closed' }));
    expect(entries.at(-1)).toMatchObject({ kind: 'end' });
  });

  it.each([
    ['a line is not understood', '/fly', /there is no \/fly/],
    ['arguments are not JSON', '/tool hours {day}', /one JSON object/],
    ['there is nothing to interrupt', '/interrupt', /no tool runs .*--speech 60/],
    ['nothing waits to be confirmed', '/confirm', /^nothing waits for the caller's yes/],
  ])('ends with 1 when %s, and goes on meanwhile', async (_what, line, message) => {
    const { exitCode, output, errorOutput } = await call([line, '/tool hours {"day":"monday"}']);
    expect(errorOutput).toMatch(message);
    expect(output).toContain('→ ok closed');
    expect(exitCode).toBe(1);
  });

  it('ends with 1 when a tool does not end well', async () => {
    await expect(call(['/tool hours {"day":1}'])).resolves.toMatchObject({ exitCode: 1 });
    await expect(call(['/tool nothing'])).resolves.toMatchObject({ exitCode: 1 });
  });

  it('says why a call did not come about', async () => {
    const refused = await runIn(folder, ['call', application.url, '--token', 'wrong']);
    expect(refused).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringMatching(/CW_AGENT_UNREACHABLE.*401/),
    });
    const unreachable = await runIn(folder, ['call', 'ws://127.0.0.1:1']);
    expect(unreachable).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('CW_AGENT_UNREACHABLE'),
    });
  });

  it('takes the token from the environment', async () => {
    const environment = { BRISVOX_AGENT_TOKEN: 'secret' };
    await expect(runIn(folder, ['call', application.url], { environment })).resolves.toMatchObject({
      exitCode: 0,
    });
  });

  it('calls over TLS, with the certificate of a private authority', async () => {
    const tls = makeCertificateFiles();
    const secure = await createApplication(AppModule, { port: 0, tls, log: { level: 'fatal' } });
    await secure.listen();
    const trusted = await runIn(folder, ['call', secure.url, '--ca', tls.certFile]);
    const stranger = await runIn(folder, ['call', secure.url]);
    await secure.close({ drainMs: 0 });
    expect(trusted).toMatchObject({ exitCode: 0, output: expect.stringContaining('Good evening!') });
    expect(stranger).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('CW_AGENT_UNREACHABLE'),
    });
    const missing = await runIn(folder, ['call', secure.url, '--ca', 'nowhere.pem']);
    expect(missing).toMatchObject({
      exitCode: 1,
      errorOutput: expect.stringContaining('CW_FILE_UNREADABLE'),
    });
  });
});

/** Makes a call as `callwright call` in a shell, on the sources: Node ends that process as soon as nothing keeps it. */
function callFromProcess(
  url: string,
  lines: readonly string[],
): Promise<{ readonly exitCode: number | null; readonly output: string }> {
  const loader = join(__dirname, '../../../gateway/test/load-sources.js');
  const args = ['-r', loader, '-r', 'reflect-metadata', join(__dirname, '../bin.ts')];
  const child = spawn(process.execPath, [...args, 'call', url, '--token', 'secret'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(lines.map((line) => `${line}\n`).join(''));
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString('utf8');
  });
  return new Promise((resolve) => {
    child.on('close', (exitCode) => resolve({ exitCode, output }));
  });
}

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runIn, temporaryFolder } from '../fake-terminal.test-support';

describe('callwright generate', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'package.json'), '{}');

  it.each([
    ['agent', ['src/hotel-room.agent.ts', 'src/hotel-room.agent.test.ts'], 'class HotelRoomAgent'],
    ['tool', ['src/hotel-room.tools.ts'], 'class HotelRoomTools'],
    ['guard', ['src/hotel-room.guard.ts'], 'class HotelRoomGuard'],
    ['module', ['src/hotel-room.module.ts'], 'class HotelRoomModule'],
    ['dto', ['src/hotel-room.dto.ts'], 'class HotelRoom '],
  ])('writes the files of %s, and says what it wrote and what to do next', async (kind, files, declared) => {
    const { exitCode, output } = await runIn(folder, ['generate', kind, 'HotelRoom']);
    expect(exitCode).toBe(0);
    for (const file of files) expect(output).toContain(`wrote ${file}\n`);
    expect(output).toMatch(/Next:\n {2}- /);
    expect(readFileSync(join(folder, files[0] ?? ''), 'utf8')).toContain(declared);
  });

  it('never overwrites, and then writes nothing at all', async () => {
    writeFileSync(join(folder, 'src', 'spa.agent.test.ts'), 'mine');
    const { exitCode, errorOutput } = await runIn(folder, ['g', 'agent', 'spa']);
    expect(errorOutput).toContain('CW_FILE_EXISTS');
    expect(exitCode).toBe(1);
    expect(existsSync(join(folder, 'src', 'spa.agent.ts'))).toBe(false);
    expect(readFileSync(join(folder, 'src', 'spa.agent.test.ts'), 'utf8')).toBe('mine');
  });

  it('writes to another folder, from a folder inside the project, and says it as JSON', async () => {
    const { output } = await runIn(join(folder, 'src'), [
      'generate',
      'dto',
      'wish',
      '--folder',
      'src/booking',
      '--json',
    ]);
    expect(JSON.parse(output)).toEqual({ written: ['src/booking/wish.dto.ts'], next: [expect.any(String)] });
    expect(existsSync(join(folder, 'src/booking/wish.dto.ts'))).toBe(true);
  });
});

import { accessSync, constants, createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';

/** Where recordings of calls go. What a sink throws is logged, and that call is recorded no further; the call goes on. */
export interface RecordingSink {
  /**
   * A call was accepted.
   * @param name unique, and fit for a file name
   * @param failed to be called when lines could not be kept; the recording ends then
   */
  open(name: string, failed: (error: unknown) => void): RecordingTarget;
}

/** Takes the lines of one recording, in order. */
export interface RecordingTarget {
  /** One line of JSON, without its end. Must not wait. */
  write(line: string): void;
  /** No more lines come. A promise is waited for when the application closes, as long as its shutdown may take. */
  close(): void | Promise<void>;
}

/** Lines that the disk has not taken yet, in bytes; with more, the recording ends. */
const MAX_UNWRITTEN_BYTES = 4_194_304;

/** A file per call, `NAME.jsonl`, which only the process's user can read. Makes the directory. @throws what the file system says */
export function directorySink(directory: string): RecordingSink {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  accessSync(directory, constants.W_OK);
  return {
    open(name, failed) {
      const stream = createWriteStream(join(directory, `${name}.jsonl`), { flags: 'wx', mode: 0o600 });
      stream.on('error', failed);
      return {
        write(line) {
          stream.write(`${line}\n`);
          if (stream.writableLength > MAX_UNWRITTEN_BYTES) failed(new Error('the disk is too slow'));
        },
        close: () => new Promise((resolve) => stream.end(resolve)),
      };
    },
  };
}

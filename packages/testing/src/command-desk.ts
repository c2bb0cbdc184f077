import type { Clock } from '@callwright/core';
import {
  type CommandMessage,
  type ContextUpdateMessage,
  cutUtf8,
  type EndMessage,
  type KnownErrorCode,
  MAX_COMMAND_ERROR_BYTES,
  MAX_COMMAND_ID_BYTES,
  reviewCommand,
  type SayMessage,
  type TransferMessage,
} from '@callwright/protocol';
import type { Conversation, Edit } from './conversation';
import type { Dialogue } from './dialogue';
import type { CommandEntry, Transcript } from './transcript';

/** What the carrier answers to a transfer: `ok`, or an error code. */
export type TransferOutcome = 'ok' | 'rejected' | 'unavailable' | 'outcome_unknown' | 'unsupported';

/** Decides a transfer; it may take its time, and after 10 s the outcome is unknown. */
export type TransferDesk = (request: TransferMessage) => TransferOutcome | Promise<TransferOutcome>;

/** What a {@link CommandDesk} is made from. */
export interface CommandDeskParts {
  readonly clock: Clock;
  readonly dialogue: Dialogue;
  readonly conversation: Conversation;
  readonly transcript: Transcript;
  /** Undefined: the call has no call control. */
  readonly transfer: TransferDesk | undefined;
  /** Sends a `command.result`. */
  readonly answer: (id: string, error: { code: KnownErrorCode; message: string } | undefined) => void;
  /** Resolves when the events so far are written. */
  readonly eventsWritten: () => Promise<void>;
  /** The agent broke a rule that its own side should have checked. */
  readonly broke: (rule: string) => void;
  /** The server has read an `end`. */
  readonly ending: () => void;
  /** The agent has ended the call. */
  readonly ended: () => void;
}

const MAX_QUEUED_LINES = 16;
const MAX_WAITING_OPERATIONS = 4;
const TRANSFER_TIMEOUT_MS = 10_000;
const END_GRACE_MS = 30_000;

/** Takes the agent's commands, as the voice server does: with its queues, its limits and its answers. */
export class CommandDesk {
  readonly #parts: CommandDeskParts;
  #queuedLines = 0;
  readonly #operations: (() => Promise<void>)[] = [];
  #isOperating = false;

  constructor(parts: CommandDeskParts) {
    this.#parts = parts;
  }

  take(command: CommandMessage): void {
    const { type, id, re: _re, ...fields } = command;
    const entry = this.#parts.transcript.add('command', {
      type,
      fields,
      outcome: 'waiting',
      durationMs: undefined,
    });
    // A longer id comes back cut, and matches no command any more.
    const order: Order = { entry, id: id === undefined ? undefined : cutUtf8(id, MAX_COMMAND_ID_BYTES) };
    if (command.type === 'end') this.#parts.ending();
    const fault = reviewCommand(command);
    if (fault !== undefined) {
      this.#parts.broke(`${type}: ${fault.message}`);
      this.#settle(order, fault.code, fault.message);
      return;
    }
    switch (command.type) {
      case 'say':
        this.#say(command, order);
        break;
      case 'context.update':
        this.#edit(editsOf(command), order);
        break;
      case 'tools.set':
        this.#edit([{ kind: 'tools', enabled: command.enabled }], order);
        break;
      case 'transfer':
        this.#operate(order, () => this.#transfer(command, order));
        break;
      case 'end':
        this.#operate(order, () => this.#end(command, order));
        break;
    }
  }

  /** `ok` means queued: the turn may still drop the line. The queue empties in the next turn of the loop. */
  #say(command: SayMessage, order: Order): void {
    if (this.#queuedLines >= MAX_QUEUED_LINES) {
      this.#settle(order, 'queue_full', '16 lines wait already');
      return;
    }
    this.#queuedLines += 1;
    this.#settle(order);
    this.#parts.clock.defer(() => {
      this.#queuedLines -= 1;
      void this.#parts.dialogue.line(command.text, 'say', command.interrupt === true);
    });
  }

  #edit(edits: readonly Edit[], order: Order): void {
    if (this.#parts.conversation.queue(edits)) this.#settle(order);
    else this.#settle(order, 'queue_full', '64 changes of the conversation wait already');
  }

  /** One operation at a time; four more may wait. */
  #operate(order: Order, run: () => Promise<void>): void {
    if (this.#operations.length >= MAX_WAITING_OPERATIONS) {
      this.#settle(order, 'queue_full', 'four operations wait already');
      return;
    }
    this.#operations.push(run);
    void this.#runOperations();
  }

  async #runOperations(): Promise<void> {
    if (this.#isOperating) return;
    this.#isOperating = true;
    for (let run = this.#operations.shift(); run !== undefined; run = this.#operations.shift()) await run();
    this.#isOperating = false;
  }

  async #transfer(command: TransferMessage, order: Order): Promise<void> {
    const { transfer, clock } = this.#parts;
    if (transfer === undefined) {
      this.#settle(order, 'unsupported', 'this call has no call control');
      return;
    }
    const outcome = await withinMs(
      clock,
      TRANSFER_TIMEOUT_MS,
      Promise.resolve(transfer(command)),
      'outcome_unknown',
    );
    if (outcome === 'ok') this.#settle(order);
    else this.#settle(order, outcome, 'the carrier did not take the transfer');
  }

  /** The farewell is spoken, the bot falls silent, the result goes out behind the events before it, the call ends. */
  async #end(command: EndMessage, order: Order): Promise<void> {
    const { clock, dialogue } = this.#parts;
    const farewell =
      command.say === undefined ? Promise.resolve() : dialogue.line(command.say, 'farewell', false);
    const silent = farewell.then(() => dialogue.silence());
    await withinMs(clock, END_GRACE_MS, silent, undefined);
    await this.#parts.eventsWritten();
    this.#settle(order);
    this.#parts.ended();
  }

  #settle(order: Order, code?: KnownErrorCode, message = ''): void {
    const { answer, transcript } = this.#parts;
    order.entry.outcome = code ?? 'ok';
    order.entry.durationMs = transcript.nowMs() - order.entry.atMs;
    transcript.settle(order.entry);
    if (order.id === undefined) return;
    const error =
      code === undefined ? undefined : { code, message: cutUtf8(message, MAX_COMMAND_ERROR_BYTES) };
    answer(order.id, error);
  }
}

/** A command that waits for its answer. */
interface Order {
  readonly entry: CommandEntry;
  readonly id: string | undefined;
}

function editsOf(command: ContextUpdateMessage): readonly Edit[] {
  const prompt = command.system_prompt;
  return [
    ...(typeof prompt === 'string' ? [{ kind: 'prompt', text: prompt } as const] : []),
    ...(command.append ?? []).map((message) => ({ kind: 'append', message }) as const),
  ];
}

function withinMs<T>(clock: Clock, ms: number, promise: Promise<T>, otherwise: T): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimer(() => resolve(otherwise), ms);
    promise.then(resolve, reject).finally(() => timer.cancel());
  });
}

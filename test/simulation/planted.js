/**
 * Bugs that the simulation must find, each a change of one line. `find` stands in its file exactly once, so that a change of
 * the source that moves it is noticed.
 */
const core = (file) => `packages/core/src/${file}`;
const gateway = (file) => `packages/gateway/src/${file}`;

const planted = [
  {
    name: 'duplicate-frames-run',
    file: core('tool-runner.ts'),
    find: '    return this.#seenIds.hasSeen(id) || this.#running?.has(id) === true;',
    replace: '    return this.#seenIds.hasSeen(id) && false;',
  },
  {
    name: 'key-is-forgotten',
    file: core('ledger.ts'),
    find: '    const known = this.#byKey.get(request.wireKey);',
    replace: '    const known = this.#byKey.get(request.wireKey + request.id);',
  },
  {
    name: 'twin-is-not-seen',
    file: core('ledger.ts'),
    find: '    if (twin) {',
    replace: '    if (twin && false) {',
  },
  {
    name: 'undelivered-is-short',
    file: core('ledger.ts'),
    find: 'export const UNDELIVERED_FOR_MS = 120_000;',
    replace: 'export const UNDELIVERED_FOR_MS = 1_000;',
  },
  {
    name: 'no-delivery-doubt',
    file: core('ledger.ts'),
    find: 'export const DELIVERY_DOUBT_MS = 45_000;',
    replace: 'export const DELIVERY_DOUBT_MS = 0;',
  },
  {
    name: 'outcomes-told-again',
    file: core('ledger.ts'),
    find: '      entry.toldMs = Math.trunc(nowMs);',
    replace: '      entry.toldMs = undefined;',
  },
  {
    name: 'outcomes-never-told',
    file: core('call-session.ts'),
    find: "    if (this.#state !== 'live' || !this.#link?.isOpen) return;\n    const untold",
    replace: "    if (this.#state !== 'parked' || !this.#link?.isOpen) return;\n    const untold",
  },
  {
    name: 'joined-is-not-answered',
    file: core('ledger.ts'),
    find: 'for (const tell of joined) tell(outcome);',
    replace: 'for (const tell of joined.slice(1)) tell(outcome);',
  },
  {
    name: 'cancelled-read-answers',
    file: core('tool-runner.ts'),
    find: '    run.isAnswerable = false;\n    this.#leave(run);',
    replace: '    this.#leave(run);',
  },
  {
    name: 'cancel-stops-side-effects',
    file: core('tool-runner.ts'),
    find: '      ToolContext.requestCancel(run.context, reason);',
    replace: '      ToolContext.stop(run.context, reason);',
  },
  {
    name: 'lost-events-are-not-counted',
    file: core('mailbox.ts'),
    find: '      this.#lost += lostWithIt;',
    replace: '      this.#lost += 0 * lostWithIt;',
  },
  {
    name: 'a-full-queue-skips-one',
    file: core('mailbox.ts'),
    find: '      this.#waiting = this.#waiting.slice(this.#head);',
    replace: '      this.#waiting = this.#waiting.slice(this.#head + 1);',
  },
  {
    name: 'handlers-are-not-awaited',
    file: core('event-delivery.ts'),
    find: '      if (waiting !== undefined) return waiting.then(() => this.#runHandlers(handlers, event, index + 1));',
    replace:
      '      if (waiting !== undefined) void waiting.then(() => this.#runHandlers(handlers, event, index + 1));',
  },
  {
    name: 'a-stuck-handler-holds-the-end',
    file: core('call-session.ts'),
    find: '    if (this.#mailbox.isBusy) this.#limitHandler(end);',
    replace: '    if (!this.#mailbox.isBusy) this.#limitHandler(end);',
  },
  {
    name: 'a-resumed-call-still-expires',
    file: core('call-session.ts'),
    find: "    if (this.#state !== 'parked') return;\n    this.#timer?.cancel();",
    replace: "    if (this.#state !== 'parked') return;",
  },
  {
    name: 'waiting-commands-survive-a-loss',
    file: core('call-commands.ts'),
    find: "      (command) => command.type === 'end',",
    replace: '      () => true,',
  },
  {
    name: 'a-lost-link-forgets-the-end',
    file: core('call-commands.ts'),
    find: '    for (const { id, command } of this.#pending.entries()) link.sendCommand(command, id, undefined);',
    replace:
      '    for (const { id, command } of this.#pending.entries().slice(1)) link.sendCommand(command, id, undefined);',
  },
  {
    name: 'wanted-tools-are-lost',
    file: core('call-commands.ts'),
    find: '    this.#wantedTools.restore(link);',
    replace: '    this.#wantedTools.cancel();',
  },
  {
    name: 'wanted-tools-are-sent-once',
    file: core('wanted-tools.ts'),
    find: '    this.#timer = this.#clock.setTimer(() => this.#send(), RESTORE_AGAIN_AFTER_MS);',
    replace: '    this.#timer = this.#clock.setTimer(() => this.cancel(), RESTORE_AGAIN_AFTER_MS);',
  },
  {
    name: 'the-first-that-fits-is-resumed',
    file: gateway('resumption.ts'),
    find: "    if (found) return 'several';",
    replace: '    if (found) return found;',
  },
  {
    name: 'age-is-not-compared',
    file: gateway('resumption.ts'),
    find: 'export const AGE_TOLERANCE_MS = 3_000;',
    replace: 'export const AGE_TOLERANCE_MS = 3_000_000;',
  },
  {
    name: 'ended-calls-are-forgotten',
    file: gateway('call-table.ts'),
    find: '    if (call?.mayBeRedialled) this.#ended.remember(call.memory);',
    replace: '    if (call?.mayBeRedialled && call.memory.isOpen) this.#ended.remember(call.memory);',
  },
  {
    name: 'burned-numbers-count-as-read',
    file: gateway('live-call.ts'),
    find: '    this.#seenSeq = start.seq;\n    this.#seenStampMs = start.t_ms;\n    this.#connection',
    replace:
      '    this.#seenSeq = this.#seenMessageSeq = start.seq;\n    this.#seenStampMs = start.t_ms;\n    this.#connection',
  },
  {
    name: 'the-old-link-is-still-heard',
    file: gateway('live-call.ts'),
    find: '    connection.handTo(NOBODY);',
    replace: '',
  },
  {
    name: 'silence-is-noticed-late',
    file: gateway('heartbeat.ts'),
    find: 'export const LOST_AFTER_SILENT_CHECKS = 3;',
    replace: 'export const LOST_AFTER_SILENT_CHECKS = 5;',
  },
  {
    name: 'the-window-is-short',
    file: gateway('live-call.ts'),
    find: 'const CLOSED_WINDOW_MS = 15_000;',
    replace: 'const CLOSED_WINDOW_MS = 5_000;',
  },
  {
    name: 'a-resumption-asks-for-all-events',
    file: gateway('agent-accept.ts'),
    find: "    return this.#prepared.buildResumption(events === 'all' ? undefined : events.filter(isSubscribable));",
    replace: '    return this.#prepared.buildResumption(undefined);',
  },
  {
    name: 'a-refused-call-is-not-torn-down',
    file: gateway('handshake.ts'),
    find: '    void session.discard();',
    replace: '    void session;',
  },
  {
    name: 'reactions-name-another-event',
    file: core('call-commands.ts'),
    find: '    return reaction?.session === this.#host ? reaction.seq : undefined;',
    replace: '    return reaction?.session === this.#host ? reaction.seq + 1_000 : undefined;',
  },
  {
    name: 'results-on-the-new-link',
    file: core('tool-runner.ts'),
    find: '    const { entry, link, request, tool } = run;',
    replace:
      '    const { entry, link = this.#host.link ?? run.link, request, tool } = { ...run, link: undefined };',
  },
  {
    name: 'timers-outlive-their-call',
    file: core('call-session.ts'),
    find: '    this.#timers?.stop();',
    replace: '',
  },
  {
    name: 'a-shutdown-forgets-a-call',
    file: gateway('application.ts'),
    find: "    for (const call of calls) call.end('shutdown', CLOSE_CODES.goingAway, END_LIMITS_OF_SHUTDOWN);",
    replace:
      "    for (const call of calls.slice(1)) call.end('shutdown', CLOSE_CODES.goingAway, END_LIMITS_OF_SHUTDOWN);",
  },
  {
    name: 'a-rejected-handler-escapes',
    file: core('event-delivery.ts'),
    find: "    this.#host.logger[level]('an event handler failed', { handler: where, error });",
    replace: '    throw error;',
  },
  {
    name: 'a-cancelled-read-goes-on',
    file: core('tool-runner.ts'),
    find: '    ToolContext.stop(run.context, reason);\n    this.#tellIdle();',
    replace: '    this.#tellIdle();',
  },
  {
    name: 'a-cancelled-request-starts',
    file: core('tool-run.ts'),
    find: '    if (this.context.cancelRequested !== undefined || !this.link.isOpen) throw new ToolNotStarted();',
    replace: '    if (!this.link.isOpen) throw new ToolNotStarted();',
  },
  {
    name: 'a-carrier-name-is-two-calls',
    file: gateway('call-table.ts'),
    find: '    return this.#byCarrierCall.get(carrierKey(carrierCallId, endpoint));',
    replace: '    return this.#byCarrierCall.get(carrierKey(endpoint, carrierCallId));',
  },
  {
    name: 'the-end-has-one-reason',
    file: core('call-session.ts'),
    find: "    this.end(reason, 'call_ended');",
    replace: "    this.end('call_ended', reason);",
  },
  {
    name: 'a-resumption-is-heard-twice',
    file: core('call-session.ts'),
    find: '    this.#mailbox.pushAlways(resumed, undefined);',
    replace: '    for (let count = 0; count < 2; count++) this.#mailbox.pushAlways(resumed, undefined);',
  },
  {
    name: 'end-hooks-have-no-limit',
    file: core('call-session.ts'),
    find: '    }, hooksMs);',
    replace: '    }, hooksMs * 100);',
  },
  {
    name: 'the-last-event-comes-first',
    file: core('mailbox.ts'),
    find: '    const letter = this.#waiting[this.#head];',
    replace:
      '    const letter = this.#waiting.splice(this.#waiting.length > 5 ? -1 : this.#head, 1, this.#waiting[this.#head])[0];',
  },
  {
    name: 'two-calls-share-a-number',
    file: gateway('live-call.ts'),
    find: '          id: message.id,',
    replace: '          id: message.id >> 1,',
  },
];

module.exports = { planted };

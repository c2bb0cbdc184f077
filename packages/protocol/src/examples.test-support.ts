import type { AgentMessage } from './agent-messages';
import type { ServerMessage } from './server-messages';

/** One full example of every message, for tests. */

const envelope = { seq: 12, t_ms: 3_456 };

export const serverExamples: {
  readonly [Type in ServerMessage['type']]: Extract<ServerMessage, { type: Type }> | ServerMessage;
} = {
  'session.start': {
    type: 'session.start',
    seq: 14,
    t_ms: 0,
    protocol: 'brisvox.agent',
    versions: [1],
    session_id: '1',
    agent: 'luigi',
    capabilities: { transfer: true, tools: true },
    resume: { attempt: 1, previous_seq: 13, down_ms: 240 },
    call: {
      carrier: 'twilio',
      carrier_call_id: 'CA0123',
      from: '+390612345678',
      to: '+390687654321',
      pii_redacted: false,
    },
  },
  'turn.user_started': { type: 'turn.user_started', ...envelope, epoch: 3 },
  'turn.user_ended': { type: 'turn.user_ended', ...envelope, epoch: 3 },
  'turn.bot_started': { type: 'turn.bot_started', ...envelope, epoch: 3 },
  'turn.bot_ended': { type: 'turn.bot_ended', ...envelope, epoch: 3 },
  'turn.interrupted': { type: 'turn.interrupted', ...envelope, epoch: 4 },
  'turn.metrics': {
    type: 'turn.metrics',
    ...envelope,
    epoch: 3,
    metrics: {
      end_of_turn_ms: 410.5,
      stt_final_ms: 90,
      llm_ttft_ms: 320,
      tts_ttfb_ms: 150,
      response_ms: 970.25,
    },
  },
  'user.transcript': { type: 'user.transcript', ...envelope, text: 'A table for', final: false },
  'user.text': { type: 'user.text', ...envelope, epoch: 3, text: 'A table for four, please.' },
  'bot.llm_started': { type: 'bot.llm_started', ...envelope, epoch: 3 },
  'bot.text': { type: 'bot.text', ...envelope, epoch: 3, text: 'With plea' },
  'bot.llm_stopped': {
    type: 'bot.llm_stopped',
    ...envelope,
    epoch: 3,
    usage: { input_tokens: 812, cached_input_tokens: 512, output_tokens: 31 },
  },
  'bot.tts_text': { type: 'bot.tts_text', ...envelope, epoch: 3, text: 'With pleasure.' },
  'bot.tts_stopped': { type: 'bot.tts_stopped', ...envelope, epoch: 3 },
  'language.switched': { type: 'language.switched', ...envelope, from: 'en', to: 'it' },
  'session.usage': {
    type: 'session.usage',
    ...envelope,
    duration_ms: 93_412,
    turns: 7,
    interrupted_turns: 1,
    latency: {
      end_of_turn: { avg_ms: 412.3, max_ms: 790 },
      stt_final: { avg_ms: 1, max_ms: 2 },
      llm_ttft: { avg_ms: 3, max_ms: 4 },
      tts_ttfb: { avg_ms: 5, max_ms: 6 },
      response: { avg_ms: 7, max_ms: 8 },
    },
    usage: {
      llm: {
        provider: 'openai',
        model: 'm',
        input_tokens: 1,
        cached_input_tokens: 2,
        output_tokens: 3,
        responses_without_usage: 0,
      },
      stt: { provider: 'deepgram', model: 'n', audio_seconds: 93.125 },
      tts: { provider: 'cartesia', model: 's', characters: 812 },
    },
  },
  'session.end': { type: 'session.end', ...envelope, reason: 'call_ended' },
  error: { type: 'error', ...envelope, stage: 'agent_link', message: 'unknown events', fatal: false },
  'events.lost': { type: 'events.lost', ...envelope, count: 17 },
  'tool.call': {
    type: 'tool.call',
    ...envelope,
    id: 7,
    call_id: 't3.1',
    name: 'book_table',
    arguments: { party_size: 4, guest: { name: 'Ada' } },
    kind: 'side_effect',
    epoch: 3,
    idempotency_key: '0123456789abcdef',
    timeout_ms: 8_000,
  },
  'tool.cancel': { type: 'tool.cancel', ...envelope, id: 7, reason: 'interrupted' },
  'command.result': {
    type: 'command.result',
    ...envelope,
    id: 'c1',
    ok: false,
    error: { code: 'queue_full', message: 'try again' },
  },
};

/** The keys without which a message is unreadable. */
export const requiredFields: { readonly [Type in ServerMessage['type']]: readonly string[] } = {
  'session.start': ['seq', 't_ms', 'protocol', 'versions', 'session_id', 'agent'],
  'turn.user_started': ['epoch'],
  'turn.user_ended': ['epoch'],
  'turn.bot_started': ['epoch'],
  'turn.bot_ended': ['epoch'],
  'turn.interrupted': ['epoch'],
  'turn.metrics': ['epoch'],
  'user.transcript': ['text', 'final'],
  'user.text': ['epoch', 'text'],
  'bot.llm_started': ['epoch'],
  'bot.text': ['epoch', 'text'],
  'bot.llm_stopped': ['epoch'],
  'bot.tts_text': ['epoch', 'text'],
  'bot.tts_stopped': ['epoch'],
  'language.switched': ['from', 'to'],
  'session.usage': ['duration_ms', 'turns', 'interrupted_turns'],
  'session.end': ['reason'],
  error: ['stage', 'message', 'fatal'],
  'events.lost': ['count'],
  'tool.call': ['id', 'call_id', 'name', 'arguments', 'kind', 'epoch', 'idempotency_key', 'timeout_ms'],
  'tool.cancel': ['id', 'reason'],
  'command.result': ['id', 'ok'],
};

export const agentExamples: readonly AgentMessage[] = [
  {
    type: 'session.accept',
    version: 1,
    tools: [
      {
        name: 'book_table',
        description: 'Books a table.',
        parameters: { type: 'object', properties: { party_size: { type: 'integer' } } },
        kind: 'side_effect',
        timeout_ms: 8_000,
        filler_after_ms: 0,
        confirm: true,
        repeatable: true,
      },
      { name: 'hours', description: 'Opening hours.', parameters: { type: 'object' }, kind: 'read_only' },
    ],
    system_prompt: 'You are a host.',
    context: [{ role: 'system', text: 'The caller is a regular.' }],
    greeting: 'Good evening!',
    events: ['user.text', 'turn.interrupted'],
    resume: true,
  },
  { type: 'session.reject', code: 'unavailable', message: 'busy' },
  { type: 'tool.result', id: 7, result: { booked: true, tables: [4, 5] } },
  { type: 'tool.result', id: 7, error: 'no table left' },
  { type: 'say', id: 'c1', re: 12, text: 'One moment.', interrupt: true },
  { type: 'end', id: 'c2', re: 12, say: 'Goodbye!', reason: 'done' },
  {
    type: 'transfer',
    id: 'c3',
    re: 12,
    destination: '+390612345678',
    mode: 'warm',
    summary: 's',
    reason: 'r',
  },
  {
    type: 'context.update',
    id: 'c4',
    re: 12,
    system_prompt: 'Be brief.',
    append: [{ role: 'user', text: 'hm' }],
  },
  { type: 'tools.set', id: 'c5', re: 12, enabled: ['hours'] },
  { type: 'tools.set', id: 'c6', enabled: null },
];

/** Every example, as the text of its frame. */
export const exampleFrames: readonly string[] = [...Object.values(serverExamples), ...agentExamples].map(
  (message) => JSON.stringify(message),
);

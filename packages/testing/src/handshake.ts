import {
  MAX_OUTGOING_MESSAGE_BYTES,
  ProtocolError,
  parseAgentMessage,
  type ReviewedAccept,
  reviewAccept,
  utf8ByteLength,
} from '@callwright/protocol';
import { type Answered, dial } from './dial';
import type { VoiceLinkParts } from './link-parts';
import type { FrameReceiver } from './transport';

/** The agent did not take the call, or did not answer as the protocol wants. */
export class LinkRefused extends Error {
  override readonly name = 'LinkRefused';
  /** The code of the agent's `session.reject`, or `bad_handshake`. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** A connection that the agent accepted. */
export interface Taken {
  readonly accept: ReviewedAccept;
  readonly answered: Answered;
}

/** Who hears nothing: of a connection that is of no more use. */
export const IGNORE: FrameReceiver = {
  text: () => undefined,
  binary: () => undefined,
  ping: () => undefined,
  pong: () => undefined,
  closed: () => undefined,
};

/**
 * Opens a connection and lets the agent answer `start`, the frame of a `session.start`.
 * @throws DialFailure when it cannot connect, is closed, or takes too long.
 * @throws LinkRefused when the agent says no, or something that is no accept.
 */
export async function shakeHands(parts: VoiceLinkParts, start: () => string): Promise<Taken> {
  const answered = await dial(parts.transport, parts.clock, parts.times, () => {
    const text = start();
    parts.owner.frame('server', 'session.start', text);
    return text;
  });
  try {
    return { accept: readAccept(answered.firstText, parts), answered };
  } catch (error) {
    hangUpOn(answered);
    throw error;
  }
}

/** Closes a connection that will not be used. */
export function hangUpOn(answered: Answered): void {
  answered.attach(IGNORE);
  answered.connection.close(1000, '');
}

function readAccept(text: string, { owner }: VoiceLinkParts): ReviewedAccept {
  owner.frame('agent', 'handshake', text);
  const refuse = (reason: string): LinkRefused => {
    owner.broke(`handshake: ${reason}`);
    return new LinkRefused('bad_handshake', reason);
  };
  const bytes = utf8ByteLength(text);
  if (bytes > MAX_OUTGOING_MESSAGE_BYTES) {
    throw refuse(`an answer of ${bytes} bytes; a voice server reads 65,536`);
  }
  const message = readable(text, refuse);
  if (message.type === 'session.reject') throw new LinkRefused(message.code ?? '', message.message ?? '');
  if (message.type !== 'session.accept') {
    throw refuse(`the first message was ${message.type}, not session.accept or session.reject`);
  }
  if (message.version !== 1) throw refuse(`version ${message.version} was not offered`);
  return reviewAccept(message);
}

function readable(
  text: string,
  refuse: (reason: string) => LinkRefused,
): ReturnType<typeof parseAgentMessage> {
  try {
    return parseAgentMessage(text);
  } catch (error) {
    if (error instanceof ProtocolError) throw refuse(error.message);
    throw error;
  }
}

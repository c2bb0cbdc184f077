import type { VoiceLink } from '../../packages/testing/src/voice-link';
import type { JUNK } from './schedule';

/** Sends a frame that no voice server sends. None of them may harm the call. */
export function sendJunk(link: VoiceLink, which: (typeof JUNK)[number]): void {
  switch (which) {
    case 'no json':
      return link.sendRaw('{"type":"user.text","text":');
    case 'no type':
      return link.sendRaw('{"text":"who said that"}');
    case 'unknown type':
      return link.sendRaw('{"type":"weather.changed","sky":"blue"}');
    case 'binary':
      return link.sendRawBinary(new Uint8Array([1, 2, 3]));
    case 'bad tool call':
      return link.sendRaw('{"type":"tool.call","name":"book","arguments":[]}');
    case 'second start':
      return link.sendRaw('{"type":"session.start","session_id":"1"}');
  }
}

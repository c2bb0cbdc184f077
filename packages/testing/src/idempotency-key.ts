const FNV_OFFSET = 0xcbf29ce484222325n;
const FNV_PRIME = 0x100000001b3n;
const SIXTY_FOUR_BITS = (1n << 64n) - 1n;

/**
 * The key that a voice server gives a tool call: a 64-bit FNV-1a hash of session id, epoch and call id, in 16 hex digits.
 * Session ids restart at 1 in each server process, so two servers give equal keys to different calls.
 */
export function idempotencyKey(sessionId: string, epoch: number, callId: string): string {
  const numbers = Buffer.alloc(13);
  numbers.writeBigUInt64LE(BigInt(sessionId) & SIXTY_FOUR_BITS, 0);
  numbers.writeUInt32LE(epoch, 8);
  numbers.writeUInt8(0xff, 12);
  let hash = FNV_OFFSET;
  for (const byte of Buffer.concat([numbers, Buffer.from(callId)])) {
    hash = ((hash ^ BigInt(byte)) * FNV_PRIME) & SIXTY_FOUR_BITS;
  }
  return hash.toString(16).padStart(16, '0');
}

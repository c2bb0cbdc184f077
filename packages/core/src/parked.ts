/** The call was parked. Not an event of the wire; it stands in the mailbox so that the hook runs in its turn. */
export class CallParked {
  readonly type = 'session.parked';
}

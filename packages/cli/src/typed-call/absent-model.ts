import type { Brain, TranscriptEntry } from '@callwright/testing';

const NOTHING = '…';

/** There is no model on the command line: whoever types plays it with `/tool`. The agent hears an ellipsis. */
export const absentModel: Brain = {
  startCall: () => ({ respond: () => ({ say: NOTHING }) }),
};

/** Whether an entry is only the absent model's ellipsis. */
export function isAbsentModel(entry: TranscriptEntry): boolean {
  return entry.kind === 'bot' && entry.source === 'model' && entry.text === NOTHING;
}

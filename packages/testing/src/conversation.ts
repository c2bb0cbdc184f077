import type { ContextMessage } from '@callwright/protocol';
import type { ModelMessage } from './brain';
import type { ToolOffer } from './tool-offer';

/** One change of the conversation, applied right before the next answer of the model. */
export type Edit =
  | { readonly kind: 'prompt'; readonly text: string }
  | { readonly kind: 'append'; readonly message: ContextMessage }
  | { readonly kind: 'tools'; readonly enabled: readonly string[] | null };

const MAX_QUEUED_EDITS = 64;
const MAX_MESSAGES = 200;

/** What the model reads: the prompt, the messages, and the edits that wait for its next answer. */
export class Conversation {
  readonly #offer: ToolOffer;
  readonly #edits: Edit[] = [];
  #messages: ModelMessage[] = [];
  systemPrompt: string | undefined;

  constructor(offer: ToolOffer) {
    this.#offer = offer;
  }

  get messages(): readonly ModelMessage[] {
    return this.#messages;
  }

  /** Queues all edits, or none of them: false when the queue has no room. */
  queue(edits: readonly Edit[]): boolean {
    if (this.#edits.length + edits.length > MAX_QUEUED_EDITS) return false;
    this.#edits.push(...edits);
    return true;
  }

  /** Applies what is queued: a new answer of the model begins. */
  applyEdits(): void {
    for (const edit of this.#edits.splice(0)) {
      if (edit.kind === 'prompt') this.systemPrompt = edit.text;
      else if (edit.kind === 'tools') this.#offer.enable(edit.enabled);
      else this.append(edit.message);
    }
  }

  append(message: ModelMessage): void {
    this.#messages = [...this.#messages, message].slice(-MAX_MESSAGES);
  }
}

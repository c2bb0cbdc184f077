/**
 * Every bound of the wire, in one place. Sizes are bytes of UTF-8 unless a name says otherwise; all bounds are
 * inclusive. Protocol sections 1 to 7 say what happens at each of them.
 */

/** The largest message an agent may send: the server drops the link at one byte more. */
export const MAX_OUTGOING_MESSAGE_BYTES = 65_536;

/** The largest message an agent reads. The server's own messages are not bound by 64 KiB. */
export const MAX_INCOMING_MESSAGE_BYTES = 1_048_576;

/** The deepest message an agent reads, in nested arrays and objects, the message itself counted. */
export const MAX_INCOMING_DEPTH = 128;

/**
 * The deepest value an agent puts into a message: a tool's result, a tool's parameters. The message adds at most three
 * levels, and the server refuses 128.
 */
export const MAX_OUTGOING_DEPTH = 120;

/** The deepest message the voice server reads. */
export const MAX_SERVER_READ_DEPTH = 127;

/** Tools in one `session.accept`; with one more the server registers none. */
export const MAX_TOOLS = 64;

/** Characters of a tool name, all of `A-Z a-z 0-9 _ -`. */
export const MAX_TOOL_NAME_CHARACTERS = 64;

/** A tool's description: the server cuts a longer one. */
export const MAX_TOOL_DESCRIPTION_BYTES = 4_096;

/** The shortest tool timeout an agent may declare, in milliseconds. */
export const MIN_TOOL_TIMEOUT_MS = 1;

/** The longest tool timeout an agent may declare, in milliseconds. */
export const MAX_TOOL_TIMEOUT_MS = 30_000;

/** The timeout of a tool that declares none, in milliseconds. */
export const DEFAULT_TOOL_TIMEOUT_MS = 5_000;

/** The filler delay of a tool that declares none, in milliseconds. */
export const DEFAULT_FILLER_AFTER_MS = 700;

/** The error text of a `tool.result`; a longer one is cut. */
export const MAX_TOOL_ERROR_BYTES = 1_024;

/** What the model is shown of a tool's result, about: the server clips the rest. */
export const MODEL_VISIBLE_RESULT_BYTES = 4_000;

/** A system prompt, in an accept and in `context.update`. */
export const MAX_SYSTEM_PROMPT_BYTES = 65_536;

/** Context messages in one accept or one `context.update`. */
export const MAX_CONTEXT_MESSAGES = 32;

/** The text of one context message. */
export const MAX_CONTEXT_TEXT_BYTES = 65_536;

/** The greeting of an accept. */
export const MAX_GREETING_BYTES = 4_096;

/** The line of a `say`, and the farewell of an `end`. */
export const MAX_SAY_BYTES = 4_096;

/** The reason of an `end` or a `transfer`, and the summary of a `transfer`. */
export const MAX_NOTE_BYTES = 512;

/** The code and the message of a `session.reject`; longer ones are cut. */
export const MAX_REJECT_BYTES = 512;

/** The id of a command; the shortest has one byte. */
export const MAX_COMMAND_ID_BYTES = 64;

/** What is kept of the type of a message that version 1 does not have. */
export const MAX_WIRE_TYPE_BYTES = 64;

/** The error message of a `command.result`: the server cuts a longer one. */
export const MAX_COMMAND_ERROR_BYTES = 256;

/** Names in one `tools.set`. */
export const MAX_ENABLED_TOOLS = 256;

/** The reason of a WebSocket close frame. */
export const MAX_CLOSE_REASON_BYTES = 123;

/** The fewest digits of a transfer's destination, after the `+`. */
export const MIN_DESTINATION_DIGITS = 8;

/** The most digits of a transfer's destination, after the `+`. */
export const MAX_DESTINATION_DIGITS = 15;

/** The shortest secret that signs session tokens. */
export const MIN_TOKEN_SECRET_BYTES = 32;

/** The longest life of a session token, in seconds. */
export const MAX_TOKEN_LIFETIME_SECONDS = 86_400;

/** The life of a session token that names none, in seconds. */
export const DEFAULT_TOKEN_LIFETIME_SECONDS = 60;

/** The longest call a session token may allow, in seconds. */
export const MAX_TOKEN_CALL_SECONDS = 86_400;

/** A whole session token: the server refuses a longer one. */
export const MAX_TOKEN_BYTES = 4_096;

/** The session id and the agent of a session token; neither is empty or has control characters. */
export const MAX_TOKEN_NAME_BYTES = 128;

/** Entries in the meta of a session token. */
export const MAX_TOKEN_META_ENTRIES = 16;

/** A key in the meta of a session token, not empty and without control characters. */
export const MAX_TOKEN_META_KEY_BYTES = 64;

/** A string in the meta of a session token. */
export const MAX_TOKEN_META_VALUE_BYTES = 256;

/** From here on a "now" is taken for milliseconds and refused, in seconds since 1970. */
export const MIN_IMPLAUSIBLE_UNIX_SECONDS = 100_000_000_000;

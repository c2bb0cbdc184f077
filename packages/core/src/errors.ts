/**
 * The errors of this package: code → message. A message says what, where, why and how to mend it, in at most six
 * lines. `docs/reference/errors.md` has a section for each code.
 */
export const coreErrors = {
  CW_AGENT_UNDECORATED: (d: { agent: string }) =>
    `${d.agent} stands in a module's agents but has no @VoiceAgent.\nMend: decorate the class with @VoiceAgent({ name: '…' }).`,
  CW_AGENT_NAME_INVALID: (d: { agent: string; name: string }) =>
    `${d.agent}: the agent name ${JSON.stringify(d.name)} is not usable.\nA name is 1 to 64 of A-Z a-z 0-9 _ -.\nMend: change name in @VoiceAgent.`,
  CW_AGENT_NAME_DUPLICATE: (d: { name: string; agents: string }) =>
    `Two agents are named "${d.name}": ${d.agents}.\nA call goes to the agent of its name, so names are unique.\nMend: rename one of them.`,
  CW_AGENT_DEFAULT_DUPLICATE: (d: { agents: string }) =>
    `More than one agent is the default: ${d.agents}.\nMend: leave default: true on one of them.`,
  CW_AGENT_NONE: (d: { misplaced: string }) =>
    d.misplaced
      ? `The application has no agent, so it could take no call.\n${d.misplaced} stands in a module's providers, where no call reaches it.\nMend: move it to the module's agents: @Module({ agents: [${d.misplaced}] }).`
      : `The application has no agent, so it could take no call.\nMend: name at least one @VoiceAgent class in a module's agents.`,
  CW_AGENT_OPTION_INVALID: (d: { agent: string; option: string; why: string }) =>
    `${d.agent}: option ${d.option} of @VoiceAgent is not usable: ${d.why}.\nMend: correct it in the decorator.`,
  CW_TOOLSET_NOT_CALL_SCOPED: (d: { agent: string; toolSet: string }) =>
    `${d.agent}: the tool set ${d.toolSet} is not a CALL provider of its module.\nTools run on the call's own instance.\nMend: @Injectable({ scope: Scope.CALL }) on it, and list it in the module's providers.`,
  CW_TOOL_NAME_INVALID: (d: { where: string; name: string }) =>
    `${d.where}: the tool name ${JSON.stringify(d.name)} is not usable.\nA name is 1 to 64 of A-Z a-z 0-9 _ -.\nMend: rename the method, or set name in @Tool.`,
  CW_TOOL_NAME_RESERVED: (d: { where: string; name: string }) =>
    `${d.where}: the tool name "${d.name}" is reserved.\nThe voice server confirms tools through one of that name.\nMend: choose another name.`,
  CW_TOOL_NAME_DUPLICATE: (d: { agent: string; name: string; where: string }) =>
    `${d.agent} has more than one tool named "${d.name}": ${d.where}.\nThe model calls tools by name.\nMend: rename one of them.`,
  CW_TOOL_DESCRIPTION_MISSING: (d: { where: string }) =>
    `${d.where}: the tool has no description.\nThe model chooses tools by their descriptions.\nMend: @Tool('What it does.').`,
  CW_TOOL_DESCRIPTION_TOO_LONG: (d: { where: string; bytes: number; limitBytes: number }) =>
    `${d.where}: the description has ${d.bytes} bytes of UTF-8, at most ${d.limitBytes} are read.\nThe voice server would cut it silently.\nMend: shorten it.`,
  CW_TOOL_COUNT: (d: { agent: string; count: number; limit: number }) =>
    `${d.agent} has ${d.count} tools, at most ${d.limit} are allowed.\nThe voice server would register none of them.\nMend: split the agent, or join tools.`,
  CW_TOOL_OPTION_INVALID: (d: { where: string; option: string; why: string }) =>
    `${d.where}: option ${d.option} of @Tool is not usable: ${d.why}.\nMend: correct it in the decorator.`,
  CW_TOOL_PARAMETER_OPAQUE: (d: { where: string; type: string; name: string }) =>
    `${d.where} has the emitted type ${d.type}, which says nothing.\nAn interface, a union, an \`import type\`, a missing annotation, or an import cycle looks so.\nMend: annotate a class imported by a plain import, or say it: @Arg('${d.name}', { type: 'string' }), @Args(Class).`,
  CW_TOOL_PARAMETER_UNKNOWN: (d: { where: string; type: string; name: string; isSingleValue: boolean }) =>
    d.isSingleValue
      ? `${d.where} is of type ${d.type}: a single value needs a name, by which the model gives it.\nMend: write @Arg('${d.name}') before the parameter.`
      : `${d.where} is of type ${d.type}, which is neither an arguments class nor injected.\nA class of arguments has validated properties (class-validator).\nMend: decorate the properties of ${d.type}, or, if the program provides it, inject it into the constructor.`,
  CW_TOOL_PARAMETERS_MIXED: (d: { where: string }) =>
    `${d.where}: the arguments are taken twice.\nA tool takes one class (the whole arguments object) or any number of @Arg, not both.\nMend: move the @Arg values into the class, or the other way round.`,
  CW_TOOL_PARAMETER_REST: (d: { where: string }) =>
    `${d.where}: a rest parameter cannot be filled by name.\nMend: take an array: @ArrayOf in a class of arguments.`,
  CW_HANDLER_PARAMETER_UNKNOWN: (d: { where: string }) =>
    `${d.where} cannot be injected into a handler.\nA handler takes the event first; Call and custom parameters may follow. An \`import type\` hides the class Call.\nMend: import Call by a plain import; inject other things into the constructor.`,
  CW_EVENT_UNKNOWN: (d: { where: string; event: string; nearest: string }) =>
    `${d.where}: there is no event "${d.event}".\nNearest: ${d.nearest}.\nMend: use an event class, its wire name, or a family such as 'turn.*'.`,
  CW_META_NOT_EMITTED: (d: { where: string }) =>
    `${d.where}: the compiler emitted no parameter types.\ntsx and esbuild never do; tsc needs emitDecoratorMetadata, swc decoratorMetadata.\nMend: build with tsc or swc and those options, or give types explicitly: @Arg(name, { type }), @Args(Class).`,
  CW_META_LOADED_LATE: (d: { where: string }) =>
    `${d.where}: the class was loaded before reflect-metadata, so its parameter types are lost.\nMend: make \`import 'callwright';\` the first line of main.ts.`,
  CW_ACCEPT_INVALID: (d: { hook: string; why: string }) =>
    `${d.hook} returned what cannot be sent: ${d.why}.\nThe call was turned away.\nMend: return nothing, or an object of systemPrompt, context, greeting, events and tools.`,
  CW_ACCEPT_TOO_LARGE: (d: { agent: string; bytes: number; limitBytes: number; largest: string }) =>
    `${d.agent}: the accept message has ${d.bytes} bytes, at most ${d.limitBytes} are read.\nLargest parts: ${d.largest}.\nThe voice server would drop the link.\nMend: shorten the prompt, descriptions or schemas.`,
  CW_TOOL_SCHEMA_UNUSABLE: (d: { where: string; why: string }) =>
    `${d.where}: the schema in @Args cannot be told to the model: ${d.why}.\nMend: use an object schema of a library that gives JSON Schema (zod 4.2 or later),\nor give it: @Args(schema, { jsonSchema: { type: 'object', … } }).`,
  CW_SCHEMA_ASYNC: (d: { where: string }) =>
    `${d.where}: the schema wants to validate asynchronously, which nothing waits for here.\nMend: leave out what is async in it (an async refinement or transform), and check that in a pipe or the method.`,
  CW_ENHANCER_INVALID: (d: { where: string; decorator: string; name: string; method: string }) =>
    `${d.where}: ${d.decorator} was given ${d.name}, which has no method ${d.method}.\nA name that is undefined comes from two files that import each other.\nMend: give a class with that method, or an instance of one.`,
  CW_DECORATOR_WITHOUT_EFFECT: (d: { where: string; decorator: string; role: string }) =>
    `${d.where}: ${d.decorator} does nothing here: the method is a ${d.role}.\nTools have guards, interceptors, pipes and filters; event handlers all of these but pipes; hooks and timers interceptors and filters.\nMend: remove it, or put it on the tool or handler it was meant for.`,
  CW_TIMER_INVALID: (d: { where: string; decorator: string; why: string }) =>
    `${d.where}: ${d.decorator} cannot be used so: ${d.why}.\nMend: correct the decorator or the method.`,
  CW_NEXT_AGAIN: (d: { where: string }) =>
    `${d.where}: an interceptor called next.again() around something that may run only once.\nMend: call it for read-only tools only (isReadOnlyTool(context)); elsewhere return next().`,
  CW_CONFIG_INVALID: (d: { schema: string; variables: readonly string[] }) =>
    `The environment does not fit ${d.schema}: ${d.variables.join('; ')}.\nA variable that is set but empty counts as given.\nMend: set these variables; values are never shown here.`,
  CW_CONFIG_SCHEMA_UNUSABLE: (d: { schema: string; why: string }) =>
    `ConfigModule cannot read the environment by ${d.schema}: ${d.why}.\nMend: give a class whose properties have validators and are texts, numbers, booleans, enums or dates, or a Standard Schema with a token.`,
  CW_CALL_CONNECTING: (d: { command: string }) =>
    `${d.command}() was awaited in onCallStart, before the call is accepted: its result cannot come yet.\nMend: do not await it there; it goes out right behind the accept.`,
  CW_CALL_CLOSED: (d: { command: string; state: string }) =>
    `${d.command}() came to nothing: the call is ${d.state}.\nMend: check call.state, or catch CallClosed.`,
  CW_COMMAND_FAILED: (d: { command: string; code: string; detail: string }) =>
    `${d.command}() failed: ${d.code}${d.detail ? ` (${reasonIn(d.detail)})` : ''}.\nMend: ${COMMAND_MENDS[d.code] ?? 'catch CommandError and look at its code'}.`,
  CW_COMMAND_TIMEOUT: (d: { command: string; afterMs: number }) =>
    `${d.command}() had no result after ${d.afterMs} ms: it may or may not have been applied.\nMend: never repeat it blindly; catch CommandTimeout.`,
  CW_BOOT_FAILED: (d: { count: number; problems: string }) =>
    `The application cannot start: ${d.count} ${d.count === 1 ? 'problem' : 'problems'}.\n\n${d.problems}`,
} as const;

/** What the program gave is at fault; other codes are how a call may go. */
const COMMAND_MENDS: Readonly<Record<string, string>> = {
  invalid_argument: 'correct what the command is given',
  too_large: 'give the command less',
};

/** The reason that a detail of several lines begins with; what it says of mending has a place of its own here. */
function reasonIn(detail: string): string {
  const [reason = ''] = detail.split('\n');
  return reason.replace(/\.$/, '');
}

/** A code of this package's error table. */
export type CoreErrorCode = keyof typeof coreErrors;

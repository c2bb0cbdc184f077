"""The conformance agent with the Python SDK of the protocol's authors: `agent.py` prints its port on a line of its own."""

import asyncio

from brisvox_agent import Agent, EventsLost, Reject, Resumed, Session, ToolContext, ToolError, UserText

agent = Agent(
    "conformance",
    system_prompt="You are the conformance agent.",
    context=[("system", "Context note one.")],
    greeting="Hello from the agent.",
    events=None,
    resume=True,
    max_sessions=4_096,
)


@agent.on_session_start
async def started(session: Session) -> None:
    session.data.update(notes=[], lost=0, resumed=0, booked=0, pressed=0, cancelled=[])
    if session.agent_name == "reject-me":
        raise Reject("busy", "not today")


@agent.on(UserText)
async def heard(session: Session, event: UserText) -> None:
    session.data["notes"].append(event.text[:80])
    if event.text == "bye":
        await session.end("Goodbye.", reason="caller left")


@agent.on(EventsLost)
async def missed(session: Session, event: EventsLost) -> None:
    session.data["lost"] += event.count


@agent.on(Resumed)
async def came_back(session: Session, _event: Resumed) -> None:
    session.data["resumed"] += 1


async def wait(ms: int, tool: ToolContext) -> None:
    try:
        await asyncio.sleep(ms / 1_000)
    finally:
        if tool.cancelled.is_set():
            tool.session.data["cancelled"].append([tool.name, tool.cancel_reason])


@agent.tool
async def lookup(key: str) -> dict:
    """Look a key up."""
    return {"key": key, "value": f"value of {key}"}


@agent.tool(timeout_ms=10_000, filler_after_ms=0)
async def slow_lookup(tool: ToolContext, ms: int) -> str:
    """A slow look-up."""
    await wait(ms, tool)
    return f"slow done {ms}"


@agent.tool(timeout_ms=300, filler_after_ms=0)
async def short_lookup(tool: ToolContext, ms: int) -> str:
    """A look-up with a short timeout."""
    await wait(ms, tool)
    return f"short done {ms}"


@agent.tool(kind="side_effect")
async def book(tool: ToolContext, name: str) -> str:
    """Book a table."""
    tool.session.data["booked"] += 1
    return f"booked {name} #{tool.session.data['booked']} key={tool.idempotency_key}"


@agent.tool(kind="side_effect", timeout_ms=2_000, filler_after_ms=0)
async def slow_book(tool: ToolContext, name: str, ms: int) -> str:
    """Book slowly."""
    await wait(ms, tool)
    tool.session.data["booked"] += 1
    return f"slowly booked {name}"


@agent.tool(kind="side_effect", timeout_ms=300, filler_after_ms=0)
async def quick_book(tool: ToolContext, name: str, ms: int) -> str:
    """Book with a short timeout."""
    await wait(ms, tool)
    tool.session.data["booked"] += 1
    return f"quickly booked {name}"


@agent.tool(kind="side_effect", confirm=True)
async def pay(amount: float) -> str:
    """Pay an amount."""
    return f"paid {amount}"


@agent.tool(kind="side_effect", repeatable=True)
async def press(tool: ToolContext, digit: str) -> str:
    """Press a digit."""
    tool.session.data["pressed"] += 1
    return f"pressed {digit} #{tool.session.data['pressed']}"


@agent.tool
async def fail(message: str) -> str:
    """Fail with a message."""
    raise ToolError(message)


@agent.tool
async def crash() -> str:
    """Crash."""
    raise RuntimeError("secret detail")


@agent.tool
async def big(bytes: int) -> str:
    """A big result."""
    return "x" * bytes


@agent.tool
async def state(tool: ToolContext) -> dict:
    """The state of this call."""
    return {"session": tool.session.id, "resumes": tool.session.resumes, **tool.session.data}


@agent.tool(timeout_ms=30_000, filler_after_ms=0)
async def act(command: str, args: str) -> dict:
    """Send a command; the result is its outcome."""
    return {"ok": False}


async def main() -> None:
    async with agent.serve(host="127.0.0.1", port=0) as server:
        print(server.port, flush=True)
        await server.serve_forever()


asyncio.run(main())

"""The same agent with the Python SDK of the protocol's authors."""

import asyncio
import enum
import time
from dataclasses import dataclass
from typing import Any

from brisvox_agent import Agent, BotText, Session, UserText

SAY_TEXT = "Certainly, a high chair will be at the table."


class Seating(enum.Enum):
    INDOOR = "indoor"
    TERRACE = "terrace"
    BAR = "bar"


@dataclass
class Guest:
    name: str
    phone: str | None = None


@dataclass
class Dish:
    name: str
    count: int


agent = Agent(
    "bench",
    system_prompt="You take bookings for a restaurant. Be brief.",
    max_sessions=20_000,
)


@agent.tool(kind="side_effect", timeout_ms=8_000)
async def book_table(
    date: str, time: str, partySize: int, seating: Seating, guest: Guest, dishes: list[Dish]
) -> dict[str, Any]:
    """Books a table."""
    return {
        "reservation": f"R-{date}-0042",
        "date": date,
        "time": time,
        "seats": partySize,
        "seating": seating.value,
        "name": guest.name,
        "portions": sum(dish.count for dish in dishes),
    }


@agent.on(BotText)
async def bot_text(session: Session, event: BotText) -> None:
    session.data["heard"] = session.data.get("heard", 0) + len(event.text)


@agent.on(UserText)
async def user_text(session: Session, event: UserText) -> None:
    session.data["heard"] = 0
    await session.say(SAY_TEXT, wait=False)


async def main() -> None:
    async with agent.serve(host="127.0.0.1", port=0) as server:
        print(f"LISTENING {server.port} {time.process_time() * 1000}", flush=True)
        await server.serve_forever()


asyncio.run(main())

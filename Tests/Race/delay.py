"""A long way between a client and its server: a TCP proxy that holds every byte for half a round trip each way.

It counts connections, bytes and turns. A turn is a change of direction towards the server: a request, whatever the
protocol. Opening a connection costs one round trip more, as the handshake does. The proxy has no limit of bandwidth
and loses nothing, so real networks are worse than this one, for everybody.
"""

import asyncio
import selectors
import threading
from dataclasses import dataclass

PIECE = 1 << 16
# Pieces on their way in one direction before the proxy stops reading: 64 MiB, more than any program here sends at once.
WINDOW = 1024


@dataclass
class Traffic:
    connections: int = 0
    turns: int = 0
    up: int = 0
    down: int = 0


class Delay:
    """The proxy, in a thread of its own. `aim` it at a server before each measurement."""

    def __init__(self):
        # The selector of `select` waits to the microsecond; that of `epoll` rounds up to the next millisecond.
        self.loop = asyncio.SelectorEventLoop(selectors.SelectSelector())
        self.upstream, self.half, self.traffic = 0, 0.0, Traffic()
        started = threading.Event()
        self.thread = threading.Thread(target=self.run, args=(started,), daemon=True)
        self.thread.start()
        started.wait()

    def run(self, started):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.link, "127.0.0.1", 0, limit=PIECE))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()
        server.close()
        links = asyncio.all_tasks(self.loop)
        for link in links:
            link.cancel()
        self.loop.run_until_complete(asyncio.gather(*links, return_exceptions=True))
        self.loop.close()

    def aim(self, port, round_trip):
        """From now on connections lead to this port; `round_trip` is in milliseconds. The counters begin again."""
        self.upstream, self.half, self.traffic = port, round_trip / 2000, Traffic()
        return self.traffic

    def close(self):
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join(5)

    async def link(self, reader, writer):
        """One connection of a client, with its twin to the server."""
        half, traffic = self.half, self.traffic
        traffic.connections += 1
        # The handshake: what the client sends at once arrives a round trip late.
        ready = self.loop.time() + 2 * half
        try:
            far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self.upstream, limit=PIECE)
        except OSError:
            writer.close()
            return
        link = Link(self.loop, half, traffic, ready)
        try:
            await asyncio.gather(link.pass_on("up", reader, far_writer), link.pass_on("down", far_reader, writer))
        except asyncio.CancelledError:
            # The proxy closes; asyncio would print the cancellation.
            pass
        finally:
            writer.close()
            far_writer.close()


class Link:
    def __init__(self, loop, half, traffic, ready):
        self.loop, self.half, self.traffic, self.ready = loop, half, traffic, ready
        self.direction = "down"

    def count(self, way, length):
        if way == "up" and self.direction == "down":
            self.traffic.turns += 1
        self.direction = way
        setattr(self.traffic, way, getattr(self.traffic, way) + length)

    async def pass_on(self, way, reader, writer):
        """Passes bytes on in one direction until that direction ends."""
        pieces = asyncio.Queue(WINDOW)
        sender = asyncio.create_task(self.send(pieces, writer))
        while True:
            try:
                piece = await reader.read(PIECE)
            except ConnectionError:
                piece = b""
            now = self.loop.time()
            due = (max(now, self.ready) if way == "up" else now) + self.half
            if piece:
                self.count(way, len(piece))
            await pieces.put((due, piece))
            if not piece:
                return await sender

    async def send(self, pieces, writer):
        gone = False
        while True:
            due, piece = await pieces.get()
            wait = due - self.loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
            try:
                if gone:
                    pass
                elif piece:
                    writer.write(piece)
                    await writer.drain()
                else:
                    writer.write_eof()
            except (ConnectionError, OSError):
                # The other end has gone: what is still on its way is read and dropped, so that this way can end too.
                gone = True
            if not piece:
                return

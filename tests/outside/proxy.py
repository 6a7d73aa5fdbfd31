"""A loopback proxy that adds a bearer token, for tools that cannot send a header of their own.

It hands on everything else as it came, also a Host or an Origin that Oaken must refuse; only the proxy's own name
becomes Oaken's.
"""

import asyncio
import threading


class BearerProxy:
    """Listens on a free port while its context lasts."""

    def __init__(self, address, token):
        self.address, self.token = address, token

    def __enter__(self):
        self.loop = asyncio.new_event_loop()
        started = threading.Event()
        threading.Thread(target=self._run, args=(started,), daemon=True).start()
        started.wait(10)
        return self

    def __exit__(self, *_):
        self.loop.call_soon_threadsafe(self.loop.stop)

    def _run(self, started):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self._serve, "127.0.0.1", 0))
        self.port = server.sockets[0].getsockname()[1]
        started.set()
        self.loop.run_forever()

    async def _serve(self, reader, writer):
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            host, port = self.address.split(":")
            upstream_reader, upstream_writer = await asyncio.open_connection(host, int(port))
            upstream_writer.write(self._rewritten(head))
            await asyncio.gather(pump(reader, upstream_writer), pump(upstream_reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def _rewritten(self, head):
        own = {f"127.0.0.1:{self.port}", f"localhost:{self.port}"}
        lines = head.decode("latin-1").split("\r\n")
        kept = [lines[0]]
        for line in lines[1:-2]:
            name, _, value = line.partition(":")
            name, value = name.strip(), value.strip()
            if name.lower() == "host" and value in own:
                value = self.address
            if name.lower() == "origin" and value.removeprefix("http://") in own:
                value = f"http://{self.address}"
            if name.lower() != "connection":
                kept.append(f"{name}: {value}")
        # One request a connection: the head of a second one would pass unchanged.
        kept += ["Connection: close", f"Authorization: Bearer {self.token}", "", ""]
        return "\r\n".join(kept).encode("latin-1")


async def pump(reader, writer):
    while data := await reader.read(65536):
        writer.write(data)
        await writer.drain()
    try:
        writer.write_eof()
    except OSError:
        pass

"""What the scripts that cut the power share: the disk, the machine that works on it, and what a whole take is."""

import json
import pathlib
import socket
import struct
import subprocess
import threading
import time

import frame_strip

REPOSITORY = pathlib.Path(__file__).resolve().parent.parent.parent
FLUSH = 0.020  # seconds that the disk takes to keep what it was given


class Disk:
    """A disk with a volatile cache, behind the NBD protocol (github.com/NetworkBlockDevice/nbd, doc/proto.md)."""

    def __init__(self, content, path, chance):
        self.stable = bytearray(content)
        self.chance = chance
        self.log = []  # (offset, data) of each write, None for each flush
        self.lock = threading.Lock()
        self.server = socket.socket(socket.AF_UNIX)
        self.server.bind(path)
        self.server.listen(1)
        self.power_on()

    def power_on(self):
        self.now = bytearray(self.stable)
        self.unflushed = []
        self.is_on = True
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def cut_power(self):
        with self.lock:
            self.is_on = False
            for offset, data in self.unflushed:
                if self.chance.random() < 0.5:
                    self.stable[offset:offset + len(data)] = data
            return len(self.unflushed)

    def serve(self):
        client, _ = self.server.accept()
        self.client = client
        try:
            self.negotiate(client)
            while self.answer(client):
                pass
        except (ConnectionError, struct.error, OSError):
            pass
        client.close()

    @staticmethod
    def read(client, count):
        data = bytearray()
        while len(data) < count:
            piece = client.recv(count - len(data))
            if not piece:
                raise ConnectionError
            data += piece
        return bytes(data)

    def negotiate(self, client):
        client.sendall(b"NBDMAGIC" + b"IHAVEOPT" + struct.pack(">H", 3))  # fixed newstyle, no zeroes
        self.read(client, 4)
        flags = 1 | 4  # flags are there, FLUSH is known
        while True:
            _, option, length = struct.unpack(">QII", self.read(client, 16))
            self.read(client, length)

            def reply(kind, data=b""):
                client.sendall(struct.pack(">QIII", 0x3E889045565A9, option, kind, len(data)) + data)

            if option in (6, 7):  # INFO, GO
                reply(3, struct.pack(">HQH", 0, len(self.now), flags))
                reply(1)
                if option == 7:
                    return
            else:
                reply(0x80000001)  # not supported

    def answer(self, client):
        _, _, kind, handle, offset, length = struct.unpack(">IHHQQI", self.read(client, 28))
        data = self.read(client, length) if kind == 1 else b""
        if kind == 3 and self.unflushed:
            time.sleep(FLUSH)
        with self.lock:
            if not self.is_on:
                return False
            error, answer = 0, b""
            if kind == 0:
                answer = bytes(self.now[offset:offset + length])
            elif kind == 1:
                self.now[offset:offset + length] = data
                self.unflushed.append((offset, data))
                self.log.append((offset, data))
            elif kind == 2:
                return False
            elif kind != 3:
                error = 22
            if kind == 3:
                for start, piece in self.unflushed:
                    self.stable[start:start + len(piece)] = piece
                self.unflushed = []
                self.log.append(None)
        client.sendall(struct.pack(">IIQ", 0x67446698, error, handle) + answer)
        return True


def machine(folder, command):
    """The machine at work on `command`, with its output in a pipe."""
    socket_path = pathlib.Path(folder) / "disk"
    script = f"""
        set -e
        modprobe -a virtio_blk ext4
        mkdir -p /disk
        mount /dev/vda /disk
        {command}
    """
    return subprocess.Popen(
        [REPOSITORY / "script/vm", "--no-vivid", "--no-loopback", "--no-vimc", "--timeout", "300",
         "--disk", f"nbd+unix:///?socket={socket_path}", "bash", "-c", script],
        cwd=folder, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)


def whole_take(folder):
    """The take that lies in `folder`, held against its film's pixels."""
    take = json.loads((folder / "film.take.json").read_text())
    numbers = frame_strip.numbers(folder / "film.master.mov")
    assert numbers == take["sequence"], "the pixels' numbers are not the take's"
    frames = take["frames"]
    assert frames["sent"] == frames["written"] + sum(frames["lost"].values()), frames
    lost = {number for loss in take["losses"] for number in range(loss["sequence"], loss["sequence"] + loss["count"])}
    everything = set(numbers) | lost
    assert everything == set(range(min(everything), min(everything) + frames["sent"])), "numbers are missing"
    return take

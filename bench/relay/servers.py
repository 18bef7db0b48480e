"""Yandex Disk and a Bot API server on loopback, as small as the relay needs them. Each is a process
of its own. The disk sends files with sendfile; the chat reads uploads and forgets them."""

import json
import multiprocessing
import os
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

CHUNK = 1 << 20


class Quiet(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, value, status=200):
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Disk(Quiet):
    """/v1/disk/resources, its download link, and the file itself at /file/NAME."""

    def do_GET(self):
        url = urllib.parse.urlparse(self.path)
        if url.path.startswith("/file/"):
            return self.send_file(url.path.removeprefix("/file/"))
        path = urllib.parse.parse_qs(url.query).get("path", [""])[0]
        name = path.removeprefix("disk:/")
        with open(os.path.join(self.server.folder, "digests.json"), encoding="utf-8") as file:
            digest = json.load(file).get(name)
        if digest is None:
            return self.answer({"error": "DiskNotFoundError"}, 404)
        if url.path.endswith("/download"):
            return self.answer({"href": f"http://{self.headers['Host']}/file/{name}",
                                "method": "GET", "templated": False})
        size = os.path.getsize(os.path.join(self.server.folder, name))
        return self.answer({"name": name, "path": path, "type": "file", "size": size,
                            "sha256": digest, "mime_type": "application/octet-stream",
                            "revision": 1, "resource_id": name})

    def send_file(self, name):
        with open(os.path.join(self.server.folder, name), "rb") as file:
            size = os.fstat(file.fileno()).st_size
            self.send_response(200)
            self.send_header("Content-Type", "application/octet-stream")
            self.send_header("Content-Length", str(size))
            self.end_headers()
            self.wfile.flush()
            sent = 0
            while sent < size:
                sent += os.sendfile(self.connection.fileno(), file.fileno(), sent, CHUNK)


class Chat(Quiet):
    """sendDocument: reads the whole body, then answers with a message."""

    def do_POST(self):
        left = int(self.headers["Content-Length"])
        whole = left
        into = memoryview(bytearray(CHUNK))
        while left > 0:
            got = self.rfile.readinto(into[:min(left, CHUNK)])
            if not got:
                return
            left -= got
        with self.server.lock:
            self.server.messages.value += 1
            number = self.server.messages.value
        self.answer({"ok": True, "result": {
            "message_id": number, "date": 1700000000,
            "chat": {"id": 42, "type": "private", "first_name": "u"},
            "document": {"file_name": "f", "mime_type": "application/octet-stream",
                         "file_id": f"BQAC{number}", "file_unique_id": f"AgAD{number}",
                         "file_size": whole}}})


class Server:
    def __init__(self, handler, folder):
        self.messages = multiprocessing.Value("q", 0)
        server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        server.folder = str(folder)
        server.request_queue_size = 256
        server.socket.listen(256)
        server.daemon_threads = True
        server.messages = self.messages
        server.lock = multiprocessing.Lock()
        self.url = f"http://127.0.0.1:{server.server_port}"
        self.process = multiprocessing.Process(target=server.serve_forever, daemon=True)
        self.process.start()
        server.socket.close()

    def stop(self):
        self.process.terminate()
        self.process.join()

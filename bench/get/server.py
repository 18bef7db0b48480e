"""What is downloaded, and the nginx on loopback that serves it: plain, over TLS, and slowly."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from pathlib import Path

MIB = 1 << 20

CONFIG = """
daemon off;
{user}
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ worker_connections 4096; }}
http {{
  access_log off;
  sendfile on;
  tcp_nopush on;
  keepalive_requests 1000000;
  open_file_cache max=10000 inactive=600s;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
  server {{
    listen 127.0.0.1:{http} backlog=4096;
    listen 127.0.0.2:{http};
    listen 127.0.0.1:{tls} ssl backlog=4096;
    ssl_certificate {folder}/cert.pem;
    ssl_certificate_key {folder}/key.pem;
    ssl_session_cache shared:tls:10m;
    location / {{ root {source}; }}
    location /limited/ {{ alias {source}/; limit_rate 10m; }}
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Source:
    """Files of random bytes in memory, so that reading them costs the server next to nothing."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="haul-bench-get-", dir="/dev/shm"))

    def add(self, name, size):
        path = self.folder / name
        if path.exists():
            return
        path.parent.mkdir(exist_ok=True)
        with open(path, "wb") as out:
            while size > 0:
                size -= out.write(os.urandom(min(size, 8 * MIB)))

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)


class Server:
    def __init__(self, source, scratch):
        self.folder = scratch / "nginx"
        self.folder.mkdir()
        self.certificate = self.folder / "cert.pem"
        self.ports = {"http": free_port(), "tls": free_port()}
        self._make_certificate()
        user = "user root;" if os.geteuid() == 0 else ""  # Else nginx could not read the source.
        config = self.folder / "nginx.conf"
        config.write_text(CONFIG.format(user=user, folder=self.folder, source=source.folder,
                                        **self.ports))
        nginx = shutil.which("nginx") or "/usr/sbin/nginx"
        self._process = subprocess.Popen([nginx, "-p", self.folder, "-c", config,
                                          "-e", self.folder / "error.log"])
        self._wait()

    def url(self, how, path):
        scheme = "https" if how == "tls" else "http"
        return f"{scheme}://127.0.0.1:{self.ports[how]}/{path}"

    def mirror(self, path):
        """The same file over http from another host."""
        return f"http://127.0.0.2:{self.ports['http']}/{path}"

    def stop(self):
        self._process.terminate()
        self._process.wait()

    def _make_certificate(self):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
             "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1",
             "-keyout", self.folder / "key.pem", "-out", self.certificate],
            check=True, stderr=subprocess.DEVNULL)

    def _wait(self):
        for _ in range(100):
            if self._process.poll() is not None:
                break
            try:
                for port in self.ports.values():
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                time.sleep(0.1)
        self.stop()
        raise SystemExit("bench get: nginx does not answer: "
                         + (self.folder / "error.log").read_text())

#!/usr/bin/python3
"""Makes torrents of every version, and seeds them: what mktorrent cannot.

torrents.py make v1|v2|hybrid PATH OUT [WEB_SEED]   prints "v1 HASH" and "v2 HASH"
torrents.py tell TORRENT                            the same of one that is there
torrents.py seed TORRENT FOLDER PORT                prints "ready", seeds until its input ends
"""
import os
import sys

import libtorrent as lt


def make(version, path, out, web_seed=None):
    flags = {"v1": lt.create_torrent.v1_only, "v2": lt.create_torrent.v2_only, "hybrid": 0}[version]
    files = lt.file_storage()
    lt.add_files(files, path)
    torrent = lt.create_torrent(files, 16384, flags)
    if web_seed:
        torrent.add_url_seed(web_seed)
    lt.set_piece_hashes(torrent, os.path.dirname(path))
    data = lt.bencode(torrent.generate())
    with open(out, "wb") as file:
        file.write(data)
    tell(out)


def tell(torrent):
    hashes = lt.torrent_info(torrent).info_hashes()
    print("v1", hashes.v1 if hashes.has_v1() else "")
    print("v2", hashes.v2 if hashes.has_v2() else "")


def seed(torrent, folder, port):
    session = lt.session({
        "listen_interfaces": f"127.0.0.1:{port}",
        "enable_dht": False, "enable_lsd": False, "enable_upnp": False, "enable_natpmp": False,
        "allow_multiple_connections_per_ip": True,
    })
    params = lt.add_torrent_params()
    params.ti = lt.torrent_info(torrent)
    params.save_path = folder
    handle = session.add_torrent(params)
    while not handle.status().is_seeding:
        session.wait_for_alert(100)
        session.pop_alerts()
    print("ready", flush=True)
    sys.stdin.read()


{"make": make, "tell": tell, "seed": seed}[sys.argv[1]](*sys.argv[2:])

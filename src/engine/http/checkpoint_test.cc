// Checkpoints of downloads: written, read again, and which of them allow to resume.

#include "engine/http/checkpoint.h"

#include <doctest/doctest.h>

namespace haul::http {
namespace {

HttpCheckpoint half() {
  HttpCheckpoint kept{.file = {.name = "a.bin", .part = "a.bin.part", .inode = 7, .size = 100},
                      .etag = "\"v1\"",
                      .last_modified = "Sat, 31 Jan 2026 00:00:00 GMT"};
  kept.here.add({0, 40});
  kept.here.add({50, 60});
  return kept;
}

}  // namespace

TEST_CASE("S2-27: a download's checkpoint is read as it was written") {
  HttpCheckpoint full = half();
  full.digest = {"sha256", "ab12"};
  full.length_proven = false;
  full.unchecked = true;
  full.as_page = true;
  full.source = "http://b/f";
  full.alone = true;
  full.agreed = 100;
  full.senders = "http://a/f http://b/f";
  full.replaced = true;
  full.former = "http://c/f";
  full.arrivals.add({0, 30});
  full.arrivals.add({30, 40});
  full.arrivals.add({50, 60});
  for (const HttpCheckpoint& kept : {HttpCheckpoint{}, half(), full})
    CHECK((HttpCheckpoint::from_json(kept.to_json()) == kept));
  CHECK(half().to_json().find(R"("here":"0-40,50-60")") != std::string::npos);
  CHECK(half().to_json().find("arrivals") == std::string::npos);
}

TEST_CASE("the part of a download's checkpoint that all engines share reads by itself") {
  CHECK((io::Checkpoint::from_json(half().to_json()) == half().file));
  CHECK((HttpCheckpoint::from_json(half().file.to_json()).file == half().file));
}

TEST_CASE("S2-31: ranges that cannot be read make the whole checkpoint empty") {
  for (const char* text : {"", "[]", R"({"part":"p","here":"5-3"})", R"({"part":"p","here":"x"})"})
    CHECK_MESSAGE((HttpCheckpoint::from_json(text) == HttpCheckpoint{}), text);
}

TEST_CASE("S2-31: only flushed bytes of a version that can be proven are resumed") {
  CHECK(half().is_resumable());

  HttpCheckpoint by_date = half();
  by_date.etag.clear();
  CHECK(by_date.is_resumable());
  by_date.last_modified.clear();
  CHECK_FALSE(by_date.is_resumable());
  CHECK(by_date.is_joinable());
  by_date.file.size.reset();
  CHECK_FALSE(by_date.is_joinable());

  HttpCheckpoint empty = half();
  empty.here.clear();
  CHECK_FALSE(empty.is_resumable());

  HttpCheckpoint unflushed = half();
  unflushed.file.target = "a.bin";
  CHECK_FALSE(unflushed.is_resumable());
}

}  // namespace haul::http

#include "flow/worker/lifecycle_work.h"

#include <doctest/doctest.h>

#include <vector>

#include "flow/outside.h"
#include "lifecycle/tables.h"

namespace haul::flow {
namespace {

// An engine or a sink that does nothing, and lacks what the test says.
class Part final : public ItemEngine, public RemoteEngine, public Sink {
 public:
  void plan(const Order&, Inbox&) override {}
  void start(Order, Inbox&) override {}
  void land(const Order&, Inbox&) override {}
  void look(std::span<const Order>, Inbox&) override {}
  void stop(const Order&, Leftovers, Inbox&) override {}
  void land(const Parcel&, Inbox&) override {}
  void verify(const Parcel&, Inbox&) override {}
  void clean(const Parcel&, Inbox&) override {}
  void stop(const Parcel&, Inbox&) override {}
  Lack not_ready(std::string_view engine) const override {
    if (engine == "http" && has_http) return {};
    return {engine == "yt-dlp" ? "install yt-dlp" : lacks};
  }
  Lack not_ready() const override { return {lacks}; }
  Lack lack_for(std::string_view request) const override {
    return {request.find("series") == std::string_view::npos ? "" : "configure c"};
  }

  std::string lacks;
  bool has_http = false;  // Another engine, which lacks nothing.
};

struct Adapters {
  Part client, items, disk, images, library, chat, bucket;

  std::vector<LifecycleWork> work() {
    return lifecycle_work({client, items, disk, images, library, chat, bucket});
  }
};

}  // namespace

TEST_CASE("Z-30: each lifecycle needs its own engine and sink, and names all that it lacks") {
  Adapters adapters;
  const std::vector<LifecycleWork> work = adapters.work();
  const std::vector<const Lifecycle*> all = {&kBook, &kMedia, &kBatch, &kRelay, &kImage};
  const auto lacking = [&] {
    std::string text;
    for (const Lifecycle* each : all)
      if (const std::string why = not_ready(work, *each); !why.empty())
        text += std::string{each->name} + ": " + why + "\n";
    return text;
  };
  struct Case {
    Part* part;
    const char* expected;
  };
  CHECK(lacking().empty());
  for (const Case& each :
       {Case{&adapters.client, "book: x\nmedia: x\n"}, Case{&adapters.items, "batch: x\n"},
        Case{&adapters.disk, "relay: x\n"}, Case{&adapters.images, "image: x\n"},
        Case{&adapters.library, "media: x\n"}, Case{&adapters.chat, "relay: x\n"},
        Case{&adapters.bucket, "image: x\n"}}) {
    each.part->lacks = "x";
    CHECK(lacking() == each.expected);
    each.part->lacks.clear();
  }

  adapters.client.lacks = "configure a";
  adapters.library.lacks = "configure b";
  CHECK(lacking() == "book: configure a\nmedia: configure a; configure b\n");
}

TEST_CASE("Z-30: a batch lacks what the engine lacks that its request asks for") {
  Adapters adapters;
  const std::vector<LifecycleWork> work = adapters.work();

  CHECK(not_ready(work, kBatch, "http").empty());
  CHECK(not_ready(work, kBatch, "yt-dlp") == "install yt-dlp");
  CHECK(is_ready(work, kBatch));
  CHECK(not_ready(work, kBook, "yt-dlp").empty());
}

TEST_CASE("Z-30: a film lacks what the engine lacks that it asks for, and its library") {
  Adapters adapters;
  adapters.client.lacks = "configure a";
  adapters.client.has_http = true;
  adapters.library.lacks = "configure b";
  const std::vector<LifecycleWork> work = adapters.work();

  CHECK(not_ready(work, kMedia) == "configure a; configure b");
  CHECK(not_ready(work, kMedia, "qbittorrent") == "configure a; configure b");
  CHECK(not_ready(work, kMedia, "http") == "configure b");
  CHECK_FALSE(is_ready(work, kMedia));
  adapters.library.lacks.clear();
  CHECK(not_ready(work, kMedia) == "configure a");
  CHECK(not_ready(work, kMedia, "http").empty());
}

TEST_CASE("Z-30: a worker begins jobs of a lifecycle if one of its engines is ready") {
  Adapters adapters;
  adapters.client.lacks = "configure a";
  const std::vector<LifecycleWork> work = adapters.work();

  CHECK_FALSE(is_ready(work, kMedia));
  adapters.client.has_http = true;
  CHECK(is_ready(work, kMedia));
  CHECK_FALSE(is_ready(work, kBook));  // Its request names no engine.
}

TEST_CASE("the engine that a request asks for is in the field that the table has for it") {
  CHECK(engine_in(kMedia, R"({"engine":"http"})") == "http");
  CHECK(engine_in(kMedia, R"({"engine":null})").empty());
  CHECK(engine_in(kMedia, "{}").empty());
  CHECK(engine_in(kMedia, "no JSON").empty());
  CHECK(engine_in(kBook, R"({"engine":"http"})").empty());
}

TEST_CASE("Z-30: a film also lacks what its library lacks for its request, a book does not") {
  Adapters adapters;
  const std::vector<LifecycleWork> work = adapters.work();
  const std::string series = R"({"kind":"series"})";

  CHECK(lacks_for(work, kMedia, series) == "configure c");
  CHECK(lacks_for(work, kMedia, R"({"kind":"movie"})").empty());
  CHECK(lacks_for(work, kBook, series).empty());
  CHECK(lacks_for(work, kItem, series).empty());  // It has no entry.
  CHECK(is_ready(work, kMedia));
}

TEST_CASE("S1-21: only a lifecycle that imports files takes words about them") {
  Adapters adapters;
  for (const LifecycleWork& each : adapters.work())
    CHECK(static_cast<bool>(each.plan_import) == (each.lifecycle == &kMedia));
}

TEST_CASE("Z-30: a lifecycle without an entry lacks nothing that is known, but is not begun") {
  Adapters adapters;
  const std::vector<LifecycleWork> work = adapters.work();

  CHECK(find_work(work, kBook) == work.data());
  CHECK(find_work(work, kItem) == nullptr);
  CHECK(not_ready(work, kItem).empty());
  CHECK_FALSE(is_ready(work, kItem));
  CHECK_FALSE(is_ready({}, kBook));
  const LifecycleWork plain[] = {{.lifecycle = &kItem}};
  CHECK(is_ready(plain, kItem));
}

TEST_CASE("what two parts lack is said once if it is the same") {
  const Lack a{"a"};
  const Lack b{"b"};

  CHECK(both_not_ready({}, {}).empty());
  CHECK(both_not_ready(a, {}) == "a");
  CHECK(both_not_ready({}, b) == "b");
  CHECK(both_not_ready(a, b) == "a; b");
  CHECK(both_not_ready(a, a) == "a");
}

TEST_CASE("Z-30: what this build cannot do is said alone, so that nothing is configured in vain") {
  const Lack a{"a"};
  const Lack no_b{"no b", Lack::Remedy::none};
  const Lack no_c{"no c", Lack::Remedy::none};

  CHECK(both_not_ready(a, no_b) == "no b");
  CHECK(both_not_ready(no_b, a) == "no b");
  CHECK(both_not_ready({}, no_b) == "no b");
  CHECK(both_not_ready(no_b, {}) == "no b");
  CHECK(both_not_ready(no_b, no_c) == "no b; no c");
}

}  // namespace haul::flow

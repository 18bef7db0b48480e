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
    return {engine == "yt-dlp" ? "install yt-dlp" : lacks};
  }
  Lack not_ready() const override { return {lacks}; }

  std::string lacks;
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

TEST_CASE("Z-30: a film lacks the engine that its request asks for, if its client is another") {
  Adapters adapters;
  adapters.client.lacks = "configure a";
  adapters.library.lacks = "configure b";
  const std::vector<LifecycleWork> work = adapters.work();
  const std::string both = "configure a; configure b";

  CHECK(not_ready(work, kMedia) == both);
  CHECK(not_ready(work, kMedia, "qbittorrent") == both);
  CHECK(not_ready(work, kMedia, "http") == "haul has no engine http for films");
  adapters.client.lacks.clear();
  adapters.library.lacks.clear();
  CHECK(not_ready(work, kMedia, "qbittorrent").empty());
  CHECK(not_ready(work, kMedia, "http") == "haul has no engine http for films");
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

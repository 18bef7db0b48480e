// Reads of files from the disk into streams.

#include "engine/yandexdisk/read.h"

#include <doctest/doctest.h>

#include "support/io/fake_loop.h"
#include "support/server/canned_server.h"
#include "support/server/disk_bench.h"

namespace haul::testing {
namespace {

constexpr std::int64_t kMiB = 1 << 20;

std::string bytes_of(std::int64_t size) {
  std::string bytes(static_cast<std::size_t>(size), '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i % 251 + i / 4'096);
  return bytes;
}

struct DiskScene {
  explicit DiskScene(FakeDiskFile file = {.bytes = bytes_of(100'000)}) { disk.put(path, file); }

  // What the chat got, and what the engine said: "whole finished".
  std::string relay(std::int64_t job = 1) {
    const Order order = DiskBench::order(job);
    got = b.read(order);
    return got.end + " " + b.end_of(order);
  }

  const std::string path = "disk:/a.bin";
  FakeYandex disk;
  MemoryKeeper keeper;
  DiskBench b{disk, keeper};
  DiskBench::Got got;
};

// Which of the addresses on the way to a file are public.
struct PublicOnes {
  bool api = true;
  bool link = true;
};

// Reads a file whose link redirects to a private host. Returns "link any, inner public: CODE":
// which addresses each request for the bytes may connect to, and what the read failed with.
std::string read_to_private_host(PublicOnes is_public) {
  HandClock clock;
  FakeLoop loop{clock};
  std::string reaches;
  loop.server = [&](const io::HttpRequest& request) -> std::optional<FakeReply> {
    if (request.url.starts_with("https://disk.test/v1/disk/resources/download?"))
      return FakeReply{.body = R"({"href":"https://link.test/a","method":"GET"})",
                       .from_public = is_public.api};
    if (request.url.starts_with("https://disk.test/"))
      return FakeReply{.body = R"({"name":"a.bin","path":"disk:/a.bin","type":"file","size":3})",
                       .from_public = is_public.api};
    const bool is_link = request.url == "https://link.test/a";
    reaches += fmt::format("{} {}", is_link ? "link" : ", inner",
                           request.reach.private_too ? "any" : "public");
    if (is_link)
      return FakeReply{.status = 302,
                       .headers = {{"location", "https://inner.test/a"}},
                       .from_public = is_public.link};
    return FakeReply{.fault = Fault{FaultKind::rejected, "private_address", "not public"}};
  };
  io::DiskSpace space;
  Streams streams;
  MemoryKeeper keeper;
  Letters letters;
  yandexdisk::DiskSettings settings;
  settings.url = "https://disk.test";
  settings.token = "y0";
  const auto engine =
      yandexdisk::make_disk_engine({loop, clock, space, streams, keeper}, std::move(settings));
  engine->start(DiskBench::order(1), letters);
  loop.run();
  loop.is_closing = true;
  const auto* failed =
      letters.sights.empty() ? nullptr : std::get_if<Failed>(&letters.sights.back().what);
  return reaches + ": " + (failed ? failed->fault.code : "no fault");
}

}  // namespace

TEST_CASE("S3-15: a file of any size is streamed whole, and the token goes to the API only") {
  for (const std::int64_t size : {std::int64_t{1}, std::int64_t{2}, std::int64_t{256 * 1'024},
                                  std::int64_t{256 * 1'024 + 1}, 5 * kMiB}) {
    CAPTURE(size);
    DiskScene s{{.bytes = bytes_of(size)}};

    CHECK(s.relay() == "whole finished");

    CHECK((s.got.bytes == bytes_of(size)));
    CHECK_FALSE(s.disk.leaked_token());
    CHECK(s.disk.count(DiskRoute::storage) == 1);
    const auto finished = s.b.told<Finished>(DiskBench::order(1));
    CHECK(finished->size == size);
    CHECK(finished->evidence.find(sha256_hex(bytes_of(size))) != std::string::npos);
  }
}

TEST_CASE("the first progress names the file's facts, and the stream the file") {
  DiskScene s{{.bytes = bytes_of(3), .mime = "application/pdf"}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(order).has_value(); }));

  const auto moving = s.b.told<Moving>(order);
  CHECK(moving->size == 3);
  for (const char* fact : {R"("name":"a.bin")", R"("size":3)", R"("mime":"application/pdf")",
                           R"("revision":1498934477800006)", R"("resource_id":"455675172:)",
                           R"("md5":")", R"("sha256":")"})
    CHECK_MESSAGE(moving->checkpoint.find(fact) != std::string::npos, fact);
  const auto stream = s.b.streams.take(order.job, order.fence);
  REQUIRE(stream);
  CHECK(stream->about.name == "a.bin");
  CHECK(stream->about.size == 3);
  CHECK(stream->about.type == "application/pdf");
}

TEST_CASE("S3-16, A3-6: a file of the largest size passes, one byte more is refused") {
  FakeYandex disk;
  MemoryKeeper keeper;
  auto settings = settings_for(disk);
  settings.max_size = 50'000;
  DiskBench b{keeper, settings};
  disk.put("disk:/fits.bin", {.zeros = 50'000});
  disk.put("disk:/large.bin", {.zeros = 50'001});

  const Order fits = DiskBench::order(1, "/fits.bin");
  CHECK(b.read(fits).bytes.size() == 50'000);
  CHECK(b.end_of(fits) == "finished");
  const Order large = DiskBench::order(2, "/large.bin");
  CHECK(b.read(large).end == "none");
  CHECK(b.end_of(large) == "permanent too_large");
  CHECK(b.told<Failed>(large)->fault.detail.find("50000 bytes") != std::string::npos);
  CHECK(disk.count(DiskRoute::link) == 1);
}

TEST_CASE("Z-12: a download host that is not there costs no attempt, and is the disk's trouble") {
  DiskScene s;
  const std::string gone = FakeYandex{}.url() + "/x";
  s.disk.act(DiskRoute::link, {.body = fmt::format(R"({{"href":"{}","method":"GET"}})", gone)});
  s.disk.act(DiskRoute::download, {.location = gone});

  CHECK(s.relay(1) == "none environment cannot_connect");
  CHECK(
      s.b.told<Failed>(DiskBench::order(1))->fault.detail.starts_with("the disk's download host"));
  CHECK(s.relay(2) == "none environment cannot_connect");
  CHECK((s.b.troubles() == std::vector<std::string>{"cannot_connect"}));
  CHECK(s.relay(3) == "whole finished");

  CHECK((s.b.troubles() == std::vector<std::string>{"cannot_connect", "over"}));
}

TEST_CASE("S3-12: an empty file, a folder, a missing file and a bad path fail for good") {
  DiskScene s;
  s.disk.put("disk:/empty", {});
  s.disk.put("disk:/dir/b", {.zeros = 1});
  auto end_with = [&, job = 1](const std::string& path) mutable {
    const Order order = DiskBench::order(++job, path);
    s.b.start(order);
    return s.b.end_of(order);
  };
  CHECK(end_with("/empty") == "permanent empty_file");
  CHECK(end_with("/dir") == "permanent not_a_file");
  CHECK(end_with("/none") == "permanent disk_not_found");
  CHECK(end_with("/../a.bin") == "permanent bad_path");
  CHECK(end_with("a.bin") == "permanent bad_path");
  CHECK(s.disk.count(DiskRoute::link) == 0);
}

TEST_CASE("S3-16: a file that is longer or shorter than the disk lists never looks whole") {
  struct Case {
    FakeDiskAct act;
    std::string end;
  };
  const Case cases[] = {
      {{.length = 100'001}, "permanent source_changed"},
      {{.length = 99'999}, "permanent source_changed"},
      {{.length = -1, .stop_after = 99'999}, "retryable truncated"},  // Cut short, as it seems.
      {{.length = -1, .flip = 99'999}, "permanent checksum_mismatch"},
      {{.flip = 0}, "permanent checksum_mismatch"},
      {{.flip = 99'999}, "permanent checksum_mismatch"},
  };
  for (const Case& each : cases) {
    CAPTURE(each.end);
    DiskScene s;
    s.disk.act(DiskRoute::storage, each.act);

    // The read may fail before the stream is taken: then there is none.
    CHECK(s.relay().ends_with(" " + each.end));

    CHECK(s.got.end != "whole");
    CHECK(s.got.bytes.size() < 100'000);
  }
}

TEST_CASE("S3-16, X16: a file that grows while it is read without a length is stopped") {
  DiskScene s{{.bytes = bytes_of(100'000)}};
  s.disk.act(DiskRoute::meta, {.body = R"({"name":"a.bin","path":"disk:/a.bin","type":"file",)"
                                       R"("size":70000,"revision":1})"});
  s.disk.act(DiskRoute::storage, {.length = -1});
  const std::string end = s.relay();
  CHECK(end.ends_with("permanent source_changed"));
  CHECK(s.got.bytes.size() < 70'000);
}

TEST_CASE("a checksum of either kind is compared; without one the revision decides") {
  DiskScene md5{{.bytes = bytes_of(100'000), .only_md5 = true}};
  CHECK(md5.relay() == "whole finished");
  md5.disk.act(DiskRoute::storage, {.flip = 5});
  CHECK(md5.relay(2).ends_with("permanent checksum_mismatch"));

  DiskScene none{{.bytes = bytes_of(100'000), .has_digests = false}};
  CHECK(none.relay() == "whole finished");
  CHECK(none.disk.count(DiskRoute::meta) == 2);

  DiskScene changed{{.bytes = bytes_of(100'000), .has_digests = false}};
  changed.disk.act(DiskRoute::meta, {});
  changed.disk.act(DiskRoute::meta,
                   {.body = R"({"name":"a.bin","path":"disk:/a.bin","type":"file",)"
                            R"("size":100000,"revision":7})"});
  CHECK(changed.relay().ends_with("permanent source_changed"));
  CHECK(changed.got.bytes.size() < 100'000);
}

TEST_CASE("a link that has expired is replaced once, and that costs no try") {
  DiskScene s;
  s.disk.act(DiskRoute::download, {.status = 500});
  CHECK(s.relay() == "whole finished");
  CHECK(s.disk.count(DiskRoute::link) == 2);

  s.disk.act(DiskRoute::download, {.status = 410}, 2);
  CHECK(s.relay(2) == "none retryable disk_link_expired");
  s.disk.act(DiskRoute::storage, {.status = 403}, 2);
  CHECK(s.relay(3) == "none permanent disk_forbidden");
  CHECK(s.relay(4) == "whole finished");  // Each read has a link of its own.
}

TEST_CASE("X17: a link of a public disk, and its redirect, may not lead to a private host") {
  CHECK(read_to_private_host({}) == "link public, inner public: private_address");
  // A disk in the own network may have links there, until one answers from a public address.
  CHECK(read_to_private_host({.api = false, .link = false}) ==
        "link any, inner any: private_address");
  CHECK(read_to_private_host({.api = false, .link = true}) ==
        "link any, inner public: private_address");
}

TEST_CASE("S3-11: what each refusal of the disk makes of a read") {
  DiskScene s;
  auto end_with = [&, job = 1](DiskRoute route, const FakeDiskAct& act) mutable {
    s.disk.act(route, act);
    const Order order = DiskBench::order(++job);
    s.b.start(order);
    return s.b.end_of(order);
  };
  CHECK(end_with(DiskRoute::meta, {.status = 429, .retry_after = "9"}) == "retryable disk_busy");
  CHECK(s.b.told<Failed>(DiskBench::order(2))->wait_ms == 9'000);
  CHECK(end_with(DiskRoute::link, {.status = 503}) == "retryable disk_unavailable");
  CHECK(end_with(DiskRoute::link, {.status = 404}) == "permanent disk_not_found");
  CHECK(end_with(DiskRoute::meta, {.status = 403}) == "permanent disk_forbidden");
  CHECK(end_with(DiskRoute::meta, {.body = "<html>router</html>"}) == "retryable disk_garbage");
  CHECK(end_with(DiskRoute::link, {.body = R"({"href":"ftp://h/a"})"}) == "retryable disk_garbage");
  CHECK(end_with(DiskRoute::download, {.location = "gopher://h/"}) == "retryable disk_garbage");
}

TEST_CASE("S3-11: metadata that is too long or no HTTP fails its own read and holds no other") {
  DiskScene s;
  s.disk.act(DiskRoute::meta, {.body = std::string((4 << 20) + 1, 'x')});
  CHECK(s.relay() == "none retryable too_long");
  CHECK(s.relay(2) == "whole finished");
  CHECK(s.b.troubles().empty());
}

TEST_CASE("S3-11: bytes without a head fail their read, and the engine goes on") {
  std::string bytes;
  const CannedServer server{[&](std::string_view path) {
    if (path.starts_with("/v1/disk/resources/download"))
      return canned(fmt::format(R"({{"href":"{}"}})", server.url("/bytes")));
    if (path.starts_with("/v1/"))
      return canned(R"({"name":"a.bin","path":"disk:/a.bin","type":"file","size":5})");
    return bytes;
  }};
  MemoryKeeper keeper;
  yandexdisk::DiskSettings settings;
  settings.url = server.url("");
  settings.token = "y0";
  DiskBench b{keeper, std::move(settings)};
  std::int64_t job = 0;
  const auto end_with = [&](std::string answer) {
    bytes = std::move(answer);
    const Order order = DiskBench::order(++job);
    const std::string end = b.read(order).end;
    return end + ", " + b.end_of(order);
  };

  CHECK(end_with("HTTP/1.1 101 Switching Protocols\r\n\r\nfive!") == "none, permanent bad_answer");
  CHECK(end_with("HTTP/2 99 X\r\n\r\nfive!") == "none, permanent bad_answer");
  CHECK(end_with("HTTP/1.1 200 OK\r\n\rx: y\r\nfive!") == "none, permanent bad_answer");
  CHECK(end_with("HTTP/1.1 200 OK\r\n") == "none, retryable connection_lost");
  CHECK(end_with(canned("five!")) == "whole, finished");
}

TEST_CASE("a redirect that never ends is given up") {
  DiskScene s;
  s.disk.act(DiskRoute::download, {.location = "?again"}, 100);
  CHECK(s.relay() == "none retryable disk_garbage");
  CHECK(s.disk.count(DiskRoute::download) == 6);
}

// A reset discards what the kernel has received and haul has not read yet, perhaps all of it: then
// there was no stream.
TEST_CASE("S3-11: a connection that breaks in the middle breaks the stream; another try may work") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  s.disk.act(DiskRoute::storage, {.reset_after = 3 * kMiB});
  const std::string end = s.relay();
  INFO(end);
  CHECK((end == "connection_lost retryable connection_lost" ||
         end == "truncated retryable truncated" || end == "none retryable connection_lost"));
  CHECK(s.got.bytes.size() < 5 * kMiB);
  CHECK(s.relay(2) == "whole finished");
}

TEST_CASE("S3-24: a disk that does not answer for 30 s fails the try, at every step") {
  for (const DiskRoute route :
       {DiskRoute::meta, DiskRoute::link, DiskRoute::download, DiskRoute::storage}) {
    CAPTURE(static_cast<int>(route));
    DiskScene s;
    s.disk.act(route, {.hangs = true});
    const Order order = DiskBench::order(1);
    s.b.start(order);
    REQUIRE(s.b.until([&] { return s.disk.count(route) > 0; }));
    s.b.clock.pass(Millis{30'000});
    CHECK(s.b.end_of(order) == "retryable timeout");
  }
}

TEST_CASE("S3-15: while the chat takes no bytes, the engine keeps no more than the pipe holds") {
  DiskScene s{{.bytes = bytes_of(16 * kMiB)}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(order).has_value(); }));
  s.b.until([&, turns = 0]() mutable { return ++turns > 200; });

  std::int64_t most = 0;
  for (const Sight& sight : s.b.sights.all())
    if (const auto* moving = std::get_if<Moving>(&sight.what)) most = std::max(most, moving->have);
  CHECK(most <= 256 * 1'024);
  CHECK_FALSE(s.b.is_over(order));
  s.got = s.b.read_on(order);
  CHECK(s.got.end == "whole");
  CHECK((s.got.bytes == bytes_of(16 * kMiB)));
  CHECK(s.b.end_of(order) == "finished");
}

TEST_CASE("a read that the chat breaks off ends as stopped: the chat says why") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(order).has_value(); }));
  const auto stream = s.b.streams.take(order.job, order.fence);
  REQUIRE(stream);

  stream->pipe.fail({FaultKind::retryable, "flood_wait", "later"});

  CHECK(s.b.end_of(order) == "stopped");
  CHECK_FALSE(s.b.told<Failed>(order));
}

TEST_CASE("a stop ends a read within two seconds in every phase, and breaks its stream") {
  for (const DiskRoute route : {DiskRoute::meta, DiskRoute::link, DiskRoute::download,
                                DiskRoute::storage, DiskRoute::other}) {
    CAPTURE(static_cast<int>(route));
    DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
    s.disk.act(route, {.hangs = true});
    const Order order = DiskBench::order(1);
    s.b.start(order);
    const bool streams = route == DiskRoute::other;
    REQUIRE(s.b.until(
        [&] { return streams ? s.b.told<Moving>(order).has_value() : s.disk.count(route) > 0; }));
    const auto stream = s.b.streams.take(order.job, order.fence);

    s.b.engine().stop(order, Leftovers::keep, s.b.sights);
    CHECK(conformance::turn_until(
        s.b.clock, s.b.sights, [&] { return s.b.told<Stopped>(order).has_value(); },
        conformance::kStopWithin));

    CHECK_FALSE(s.b.told<Failed>(order));
    REQUIRE((stream != nullptr) == streams);
    if (stream) CHECK(stream->pipe.fault()->kind == FaultKind::cancelled);
    s.b.engine().stop(order, Leftovers::keep, s.b.sights);  // Again: also answered.
    CHECK(s.b.until([&] { return s.b.sights.all().back().start == 1; }));
  }
}

TEST_CASE("a stop withdraws the stream of a file that was read whole and that no chat took") {
  DiskScene s{{.bytes = bytes_of(1'000)}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.end_of(order) == "finished");

  s.b.engine().stop(order, Leftovers::keep, s.b.sights);
  REQUIRE(s.b.until([&] { return s.b.told<Stopped>(order).has_value(); }));

  CHECK(s.b.streams.take(order.job, order.fence) == nullptr);
}

TEST_CASE("the stop of an earlier read leaves the stream of a later one alone") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  const Order first = DiskBench::order(1);
  Order second = first;
  second.start = 2;
  s.b.start(second);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(second).has_value(); }));

  s.b.engine().stop(first, Leftovers::keep, s.b.sights);
  REQUIRE(s.b.until([&] { return s.b.told<Stopped>(first).has_value(); }));

  CHECK(s.b.read_on(second).end == "whole");
}

TEST_CASE("F03: a later lease's read replaces an earlier one, whose stop then ends nothing") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  const Order first = DiskBench::order(1);
  s.b.start(first);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(first).has_value(); }));
  const auto old = s.b.streams.take(first.job, first.fence);
  REQUIRE(old);

  Order second = first;
  second.fence = 2;
  s.b.start(second);
  s.b.start(first);  // Late: it changes nothing.
  s.b.engine().stop(first, Leftovers::keep, s.b.sights);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(second).has_value(); }));

  CHECK(old->pipe.is() == Pipe::Is::broken);
  CHECK(s.b.streams.take(first.job, first.fence) == nullptr);
  CHECK(s.b.read_on(second).end == "whole");
  CHECK(s.b.end_of(second) == "finished");
}

TEST_CASE("a look sees reads that go on, and Missing for all else") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(order).has_value(); }));
  s.b.sights.take();

  const Order both[] = {order, DiskBench::order(2)};
  s.b.engine().look(both, s.b.sights);

  REQUIRE(s.b.until([&] { return s.b.told<Missing>(both[1]).has_value(); }));
  CHECK(s.b.told<Moving>(order));
  CHECK_FALSE(s.b.told<Missing>(order));
}

TEST_CASE("an engine that ends breaks its streams") {
  DiskScene s{{.bytes = bytes_of(5 * kMiB)}};
  const Order order = DiskBench::order(1);
  s.b.start(order);
  REQUIRE(s.b.until([&] { return s.b.told<Moving>(order).has_value(); }));
  const auto stream = s.b.streams.take(order.job, order.fence);

  s.b.end();

  CHECK(stream->pipe.is() == Pipe::Is::broken);
}

}  // namespace haul::testing

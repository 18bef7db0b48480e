#include "seam/pipe.h"

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <thread>

namespace haul {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
  return std::as_bytes(std::span{text.data(), text.size()});
}

std::string read(Pipe& pipe, std::size_t most) {
  std::string text(most, '?');
  text.resize(pipe.read(std::as_writable_bytes(std::span{text.data(), text.size()})));
  return text;
}

}  // namespace

TEST_CASE("a pipe takes what fits: one byte less, exactly, one more than its capacity") {
  for (const std::size_t size : {3U, 4U, 5U}) {
    Pipe pipe{4};
    CHECK(pipe.write(bytes(std::string(size, 'x'))) == std::min<std::size_t>(size, 4));
    CHECK(read(pipe, 10) == std::string(std::min<std::size_t>(size, 4), 'x'));
    CHECK(read(pipe, 10).empty());
    CHECK((pipe.is() == Pipe::Is::open));
  }
}

TEST_CASE("bytes come out in order, also around the end of the ring") {
  Pipe pipe{4};
  CHECK(pipe.write(bytes("abc")) == 3);
  CHECK(read(pipe, 2) == "ab");
  CHECK(pipe.write(bytes("defg")) == 3);
  CHECK(read(pipe, 1) == "c");
  CHECK(pipe.write(bytes("g")) == 1);
  CHECK(read(pipe, 9) == "defg");
  CHECK(pipe.passed() == 7);
}

TEST_CASE("a sink may set its callback after the engine has written, and is called from then on") {
  Pipe pipe{4};
  pipe.write(bytes("ab"));
  int calls = 0;
  pipe.on_bytes([&] { ++calls; });

  CHECK(read(pipe, 9) == "ab");
  CHECK(read(pipe, 9).empty());
  pipe.write(bytes("c"));
  CHECK(calls == 1);
  pipe.fail({FaultKind::retryable, "lost", ""});
  CHECK(calls == 2);
}

TEST_CASE("a pipe has ended only when everything written is read") {
  Pipe pipe{4};
  pipe.write(bytes("ab"));
  pipe.end();
  CHECK((pipe.is() == Pipe::Is::open));
  CHECK(pipe.write(bytes("c")) == 0);
  CHECK(read(pipe, 9) == "ab");
  CHECK((pipe.is() == Pipe::Is::ended));

  pipe.fail({FaultKind::retryable, "late", ""});
  CHECK((pipe.is() == Pipe::Is::ended));
}

TEST_CASE("an empty file passes through") {
  Pipe pipe{4};
  pipe.end();
  CHECK((pipe.is() == Pipe::Is::ended));
  CHECK(pipe.passed() == 0);
}

TEST_CASE("the engine is told of room once, and only if it had to wait") {
  Pipe pipe{2};
  int told = 0;
  pipe.on_room([&] { ++told; });
  pipe.write(bytes("ab"));
  read(pipe, 1);
  CHECK(told == 0);

  CHECK(pipe.write(bytes("cd")) == 1);
  read(pipe, 1);
  read(pipe, 1);
  CHECK(told == 1);
}

TEST_CASE("the sink is told of bytes once, and of the end, and only if it had to wait") {
  Pipe pipe{2};
  int told = 0;
  pipe.on_bytes([&] { ++told; });
  pipe.write(bytes("a"));
  CHECK(told == 0);

  CHECK(read(pipe, 1) == "a");
  CHECK(read(pipe, 1).empty());
  pipe.write(bytes("b"));
  pipe.write(bytes("c"));
  CHECK(told == 1);
  CHECK(read(pipe, 9) == "bc");
  CHECK(read(pipe, 9).empty());
  pipe.end();
  CHECK(told == 2);
}

TEST_CASE(
    "either side gives up: the other is told, no byte passes any more, the first fault stays") {
  Pipe pipe{2};
  int room = 0;
  int more = 0;
  pipe.on_room([&] { ++room; });
  pipe.on_bytes([&] { ++more; });
  CHECK(pipe.write(bytes("abc")) == 2);

  pipe.fail({FaultKind::permanent, "sink_full", ""});
  pipe.fail({FaultKind::retryable, "second", ""});

  CHECK(room == 1);
  CHECK(more == 1);
  CHECK((pipe.is() == Pipe::Is::broken));
  CHECK(pipe.fault()->code == "sink_full");
  CHECK(pipe.write(bytes("d")) == 0);
  CHECK(read(pipe, 9).empty());
  CHECK(room == 1);
  CHECK(more == 1);
}

TEST_CASE("a fault reaches a side that does not wait: an engine whose source is silent, a sink") {
  for (const bool has_written : {false, true}) {
    CAPTURE(has_written);
    Pipe pipe{2};
    int room = 0;
    int more = 0;
    pipe.on_room([&] { ++room; });
    pipe.on_bytes([&] { ++more; });
    if (has_written) CHECK(pipe.write(bytes("a")) == 1);

    pipe.fail({FaultKind::retryable, "source_gone", ""});

    CHECK(room == 1);
    CHECK(more == 1);
  }
}

TEST_CASE("a fault after everything is read calls no side") {
  Pipe pipe{2};
  int calls = 0;
  pipe.on_room([&] { ++calls; });
  pipe.on_bytes([&] { ++calls; });
  pipe.end();

  pipe.fail({FaultKind::retryable, "late", ""});

  CHECK(calls == 0);
}

TEST_CASE("two threads pass a file of random pieces through a small pipe, whole and in order") {
  const unsigned seed = std::random_device{}();
  CAPTURE(seed);
  std::mt19937 random{seed};
  std::string file(200'000, '\0');
  for (char& c : file) c = static_cast<char>(random() % 256);
  Pipe pipe{257};
  std::thread engine{[&, pieces = std::mt19937{seed + 1}]() mutable {
    for (std::size_t at = 0; at < file.size();) {
      const std::size_t wanted = std::min<std::size_t>(1 + pieces() % 600, file.size() - at);
      at += pipe.write(bytes(std::string_view{file}.substr(at, wanted)));
    }
    pipe.end();
  }};
  std::string got;
  while (pipe.is() == Pipe::Is::open) got += read(pipe, 1 + random() % 300);
  engine.join();
  CHECK((got == file));
}

}  // namespace haul

#include "sink/telegram/framed_source.h"

#include <doctest/doctest.h>

namespace haul::telegram {
namespace {

using Given = io::HttpSource::Given;

std::span<const std::byte> bytes(std::string_view text) { return std::as_bytes(std::span{text}); }

struct SourceBench {
  explicit SourceBench(std::int64_t size)
      : stream{std::make_shared<FileStream>(FileStream::About{.name = "a", .size = size}, 8)} {}

  // Reads until the source waits, ends or fails. Says how.
  Given::Is read(std::size_t at_once = 100) {
    for (int i = 0; i < 1'000; ++i) {
      std::string into(at_once, '?');
      const Given given = source.read(std::as_writable_bytes(std::span{into}));
      fault = given.fault.code;
      if (given.is != Given::Is::more) return given.is;
      body += into.substr(0, given.size);
      if (source.is_given()) return given.is;
    }
    return Given::Is::failed;
  }

  std::shared_ptr<FileStream> stream;
  FramedSource source{{.type = "t", .head = "<head>", .tail = "<tail>"}, stream};
  std::string body;
  std::string fault;
};

}  // namespace

TEST_CASE("a body is the head, the file and the tail, however small the pieces are") {
  for (const std::size_t at_once : {1U, 2U, 5U, 100U}) {
    CAPTURE(at_once);
    SourceBench b{5};
    b.stream->pipe.write(bytes("abcde"));
    b.stream->pipe.end();

    CHECK((b.read(at_once) == Given::Is::more));
    CHECK(b.body == "<head>abcde<tail>");
    CHECK(b.source.size() == std::ssize(b.body));
    CHECK(b.source.have() == 5);
  }
}

TEST_CASE("the tail is given alone and last, once the disk says that the file is whole") {
  SourceBench b{5};
  b.stream->pipe.write(bytes("abc"));
  CHECK((b.read() == Given::Is::none));
  CHECK(b.body == "<head>abc");

  b.stream->pipe.write(bytes("de"));
  CHECK((b.read() == Given::Is::none));
  CHECK(b.body == "<head>abcde");
  CHECK_FALSE(b.source.is_given());

  b.stream->pipe.end();
  CHECK((b.read() == Given::Is::more));
  CHECK(b.source.is_given());
}

TEST_CASE("S3-16: a file that is shorter or longer than stated never gets its tail") {
  SourceBench is_short{5};
  is_short.stream->pipe.write(bytes("abcd"));
  is_short.stream->pipe.end();
  CHECK((is_short.read() == Given::Is::failed));
  CHECK(is_short.fault == "source_short");
  CHECK_FALSE(is_short.source.is_given());

  SourceBench is_long{5};
  is_long.stream->pipe.write(bytes("abcdef"));
  is_long.stream->pipe.end();
  CHECK((is_long.read() == Given::Is::failed));
  CHECK(is_long.fault == "source_long");
  CHECK_FALSE(is_long.source.is_given());
}

TEST_CASE("the disk's fault ends the body, also after the last byte of the file") {
  for (const char* written : {"", "ab", "abcde"}) {
    CAPTURE(written);
    SourceBench b{5};
    b.stream->pipe.write(bytes(written));
    CHECK((b.read() == Given::Is::none));

    b.stream->pipe.fail({FaultKind::permanent, "hash_mismatch", ""});

    CHECK((b.read() == Given::Is::failed));
    CHECK(b.fault == "hash_mismatch");
    CHECK_FALSE(b.source.is_given());
  }
}

TEST_CASE("without a stream the body is the form") {
  FramedSource source{{.type = "t", .head = "{\"a\":1", .tail = "}"}, nullptr};
  std::string into(100, '?');

  CHECK(source.read(std::as_writable_bytes(std::span{into})).size == 6);
  CHECK_FALSE(source.is_given());
  CHECK(source.read(std::as_writable_bytes(std::span{into})).size == 1);
  CHECK(source.is_given());
  CHECK(source.size() == 7);
}

}  // namespace haul::telegram

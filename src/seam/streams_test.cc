#include "seam/streams.h"

#include <doctest/doctest.h>

namespace haul {
namespace {

std::shared_ptr<FileStream> stream(const std::string& name) {
  return std::make_shared<FileStream>(FileStream::About{.name = name, .size = 3}, 16);
}

}  // namespace

TEST_CASE("a sink takes the stream of its job and fence, once") {
  Streams streams;
  const auto offered = stream("a.bin");
  streams.offer(JobId{1}, 7, offered);

  CHECK(streams.take(JobId{2}, 7) == nullptr);
  CHECK(streams.take(JobId{1}, 6) == nullptr);
  CHECK(streams.take(JobId{1}, 7) == offered);
  CHECK(streams.take(JobId{1}, 7) == nullptr);
}

TEST_CASE("a new read breaks the stream that no sink took, and leaves a taken one alone") {
  Streams streams;
  const auto first = stream("a.bin");
  const auto second = stream("a.bin");
  streams.offer(JobId{1}, 7, first);
  streams.offer(JobId{1}, 8, second);
  CHECK((first->pipe.is() == Pipe::Is::broken));

  CHECK(streams.take(JobId{1}, 8) == second);
  streams.offer(JobId{1}, 9, stream("a.bin"));
  CHECK((second->pipe.is() == Pipe::Is::open));
}

TEST_CASE("a withdrawn stream is broken with its fault and cannot be taken") {
  Streams streams;
  const auto offered = stream("a.bin");
  streams.offer(JobId{1}, 7, offered);

  streams.withdraw(JobId{1}, 6, {FaultKind::cancelled, "stopped", ""});
  CHECK((offered->pipe.is() == Pipe::Is::open));

  streams.withdraw(JobId{1}, 7, {FaultKind::cancelled, "stopped", ""});
  REQUIRE(offered->pipe.fault());
  CHECK(offered->pipe.fault()->code == "stopped");
  CHECK(streams.take(JobId{1}, 7) == nullptr);
}

}  // namespace haul

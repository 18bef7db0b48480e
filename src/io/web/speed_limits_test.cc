// Speed limits in virtual time: how many bytes pass, and which transfer gets them.

#include "io/web/speed_limits.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace haul;
using namespace std::chrono_literals;

namespace {

constexpr std::int64_t kKiB = 1'024;
constexpr std::int64_t kMiB = 1'024 * kKiB;
constexpr Steady kBegin{5'000'000ms};
using For = io::SpeedLimits::For;

// A transfer whose server is always faster than the limit.
struct Reader {
  std::int64_t id = 0;
  std::int64_t read = 0;
};

// Every `turn`, all readers read whatever they may.
void run(io::SpeedLimits& limits, std::vector<Reader>& readers, Steady from, Millis within,
         Millis turn = 5ms) {
  for (Steady now = from; now < from + within; now += turn) {
    for (bool again = true; again;) {
      again = false;
      for (Reader& reader : readers) {
        if (!limits.may(reader.id, For::read, now)) continue;
        const std::int64_t piece = limits.piece(reader.id);
        limits.count(reader.id, piece, now);
        reader.read += piece;
        again = true;
      }
    }
  }
}

std::vector<Reader> join(io::SpeedLimits& limits, std::size_t count, JobId job, std::int64_t rate) {
  std::vector<Reader> readers;
  for (std::size_t i = 0; i < count; ++i)
    readers.push_back({.id = *limits.join(job, rate, kBegin)});
  return readers;
}

std::int64_t total(const std::vector<Reader>& readers) {
  return std::accumulate(readers.begin(), readers.end(), std::int64_t{0},
                         [](std::int64_t sum, const Reader& each) { return sum + each.read; });
}

bool is_within(std::int64_t value, std::int64_t wanted, std::int64_t percent) {
  return std::abs(value - wanted) * 100 <= wanted * percent;
}

}  // namespace

TEST_CASE("a speed limit of all is kept within 10 % over 10 s, for one transfer and for many") {
  for (const std::int64_t rate : {64 * kKiB, kMiB, 100 * kMiB})
    for (const std::size_t count : {1, 2, 16, 64}) {
      io::SpeedLimits limits{rate, kBegin};
      auto readers = join(limits, count, JobId{1}, 0);
      run(limits, readers, kBegin, 10s);
      CHECK_MESSAGE(is_within(total(readers), 10 * rate, 10), rate << " for " << count);
    }
}

TEST_CASE("a loop that comes late by 100 ms loses nothing of a speed limit") {
  for (const std::int64_t rate : {64 * kKiB, 100 * kMiB}) {
    io::SpeedLimits limits{rate, kBegin};
    auto readers = join(limits, 4, JobId{1}, 0);
    run(limits, readers, kBegin, 10s, 100ms);
    CHECK_MESSAGE(is_within(total(readers), 10 * rate, 10), rate);
  }
}

TEST_CASE("transfers share a limit alike, also with one that comes later") {
  io::SpeedLimits limits{kMiB, kBegin};
  auto readers = join(limits, 4, JobId{1}, 0);
  run(limits, readers, kBegin, 10s);
  for (const Reader& each : readers) CHECK(is_within(each.read, 10 * kMiB / 4, 5));

  for (Reader& each : readers) each.read = 0;
  readers.push_back({.id = *limits.join(JobId{2}, 0, kBegin + 10s)});
  run(limits, readers, kBegin + 10s, 10s);
  for (const Reader& each : readers) CHECK(is_within(each.read, 10 * kMiB / 5, 5));
}

TEST_CASE("who reads first in every turn gets no more than the other") {
  io::SpeedLimits limits{64 * kKiB, kBegin};
  auto readers = join(limits, 2, JobId{1}, 0);
  for (Steady now = kBegin; now < kBegin + 10s; now += 50ms) {
    for (int turn = 0; turn < 5; ++turn) {  // Like a loop: all call may(), then read and ask().
      std::vector<Reader*> ready;
      for (Reader& each : readers)
        if (limits.may(each.id, For::read, now)) ready.push_back(&each);
      for (Reader* each : ready) {
        limits.count(each->id, limits.piece(each->id), now);
        each->read += limits.piece(each->id);
        limits.ask(each->id, For::read);
      }
    }
  }
  CHECK(is_within(total(readers), 640 * kKiB, 10));
  CHECK(is_within(readers[0].read, readers[1].read, 2));
}

TEST_CASE("a job's limit holds for all its transfers together, beside that of the process") {
  io::SpeedLimits limits{kMiB, kBegin};
  auto slow = join(limits, 3, JobId{1}, 64 * kKiB);
  auto free = join(limits, 2, JobId{2}, 0);
  std::vector<Reader> all = slow;
  all.insert(all.end(), free.begin(), free.end());
  run(limits, all, kBegin, 10s);
  std::copy_n(all.begin(), 3, slow.begin());
  std::copy_n(all.begin() + 3, 2, free.begin());

  CHECK(is_within(total(slow), 640 * kKiB, 10));
  CHECK(is_within(total(all), 10 * kMiB, 10));
  CHECK(is_within(free[0].read, free[1].read, 5));
}

TEST_CASE("two jobs with limits of their own do not share them, and no limit is no limit") {
  io::SpeedLimits limits{0, kBegin};
  CHECK(!limits.join(JobId{3}, 0, kBegin));
  auto one = join(limits, 2, JobId{1}, 128 * kKiB);
  auto two = join(limits, 1, JobId{2}, 64 * kKiB);
  std::vector<Reader> all{one[0], one[1], two[0]};
  run(limits, all, kBegin, 10s);

  CHECK(is_within(all[0].read + all[1].read, 1'280 * kKiB, 10));
  CHECK(is_within(all[2].read, 640 * kKiB, 10));
}

TEST_CASE("small files one after the other are as slow as one large file") {
  for (const std::int64_t size : {std::int64_t{300}, 3 * kKiB, 100 * kKiB}) {
    io::SpeedLimits limits{0, kBegin};
    std::int64_t came = 0;
    std::optional<std::int64_t> transfer;
    std::int64_t left = 0;
    for (Steady now = kBegin; now < kBegin + 10s; now += 1ms) {
      for (int i = 0; i < 1'000; ++i) {
        if (!transfer) {
          transfer = limits.join(JobId{1}, kMiB, now);
          left = size;
        }
        if (!limits.may(*transfer, left == size ? For::begin : For::read, now)) break;
        const std::int64_t got = std::min(left, limits.piece(*transfer));
        limits.count(*transfer, got, now);
        came += got;
        left -= got;
        if (left > 0) continue;
        limits.leave(*transfer, now);
        transfer.reset();
      }
    }
    CHECK_MESSAGE(is_within(came, 10 * kMiB, 10), size);
  }
}

TEST_CASE("a transfer that is granted something and stays silent holds up no other") {
  io::SpeedLimits limits{64 * kKiB, kBegin};
  auto readers = join(limits, 8, JobId{1}, 0);
  for (const Reader& each : readers) limits.may(each.id, For::read, kBegin);
  std::vector<Reader> lively{readers.back()};
  run(limits, lively, kBegin, 10s);

  CHECK(is_within(lively.front().read, 640 * kKiB, 10));
}

TEST_CASE(
    "a transfer that waits is told for how long, and none is told anything where none waits") {
  io::SpeedLimits limits{64 * kKiB, kBegin};
  const std::int64_t one = *limits.join(JobId{1}, 0, kBegin);
  CHECK(!limits.next(kBegin));
  while (limits.may(one, For::read, kBegin)) limits.count(one, limits.piece(one), kBegin);

  const auto wait = limits.next(kBegin);
  REQUIRE(wait);
  CHECK(!limits.may(one, For::read, kBegin + *wait - 1ms));
  CHECK(limits.may(one, For::read, kBegin + *wait));
}

TEST_CASE("a transfer that leaves gives back what it did not read, and no longer waits") {
  io::SpeedLimits limits{kMiB, kBegin};
  const std::int64_t one = *limits.join(JobId{1}, 0, kBegin);
  const std::int64_t two = *limits.join(JobId{1}, 0, kBegin);
  while (limits.may(one, For::read, kBegin)) limits.count(one, limits.piece(one), kBegin);
  CHECK(limits.may(two, For::begin, kBegin + 1ms));
  CHECK(!limits.may(one, For::read, kBegin + 16ms));

  limits.leave(two, kBegin + 16ms);
  CHECK(limits.may(one, For::read, kBegin + 16ms));
  limits.leave(one, kBegin + 16ms);
  CHECK(!limits.next(kBegin + 16ms));
}

TEST_CASE("a limit that changes holds for running transfers from then on, also from and to none") {
  io::SpeedLimits limits{0, kBegin, io::SpeedLimits::Joins::all};
  auto readers = join(limits, 2, JobId{1}, 0);
  const auto read_in = [&](Steady from) {
    for (Reader& each : readers) each.read = 0;
    for (Steady now = from; now < from + 10s; now += 5ms)
      for (Reader& each : readers)
        for (int turn = 0; turn < 100 && limits.may(each.id, For::read, now); ++turn) {
          limits.count(each.id, limits.piece(each.id), now);
          each.read += limits.piece(each.id);
        }
    return total(readers);
  };

  CHECK(read_in(kBegin) > 1'000 * kMiB);
  limits.set_rate(64 * kKiB, kBegin + 10s);
  CHECK(is_within(read_in(kBegin + 10s), 640 * kKiB, 15));
  limits.set_rate(100 * kMiB, kBegin + 20s);
  CHECK(is_within(read_in(kBegin + 20s), 1'000 * kMiB, 10));
  limits.set_rate(kKiB, kBegin + 30s);  // One piece is all that the new bucket holds.
  CHECK(is_within(read_in(kBegin + 30s), 10 * kKiB, 40));
  limits.set_rate(0, kBegin + 40s);
  CHECK(read_in(kBegin + 40s) > 1'000 * kMiB);
}

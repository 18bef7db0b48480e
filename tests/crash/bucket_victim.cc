// A process to be killed: lands an image in a folder bucket, as haul does. Run again, it goes on.
// Prints the key of the image, or the fault that it ended with.
//
// haul_bucket_victim BUCKET STORE IMAGE SHA256 THUMBNAIL FENCE

#include <fmt/core.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

#include "base/clock.h"
#include "crash/import_victim.h"
#include "sink/bucket/folder_landing.h"

int main(int argc, char** argv) {
  using namespace haul;
  if (argc != 7) return 2;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // Dies with its parent, also when that is a tracer.
  const std::vector<std::string> words{argv + 1, argv + argc};
  io::DiskSpace space{io::KeepFree{0}};
  const bucket::ObjectFolder objects{words[0], words[1], space, system_clock()};
  const Parcel parcel{.job = JobId{7},
                      .fence = std::stoll(words[5]),
                      .request = "{}",
                      .path = words[2],
                      .size = static_cast<std::int64_t>(std::filesystem::file_size(words[2])),
                      .evidence = fmt::format(
                          R"({{"type":"png","width":1,"height":1,"sha256":"{}","thumbnail":"{}"}})",
                          words[3], words[4])};
  (void)::access(testing::kVictimBegins, F_OK);
  const What what = bucket::land_in_folder(objects, parcel, {});
  if (const auto* failed = std::get_if<Failed>(&what)) {
    fmt::print("{}: {}", failed->fault.code, failed->fault.detail);
    return 1;
  }
  fmt::print("{}", std::get<Landed>(what).files.front().path);
  return 0;
}

#pragma once
// One image through a real daemon that is killed on the way and started again, and what must be so
// in the end: one image, paid once by its owner, and no paid call without a record. Reports
// problems as text, so that several can run on threads of one test.

#include <atomic>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "support/process/daemon.h"
#include "support/server/fake_image_api.h"
#include "support/server/fake_on_port.h"

namespace haul::testing {

class KilledImage {
 public:
  // `settings` are further environment variables. `under`: see Daemon::start.
  explicit KilledImage(const std::vector<std::string>& settings = {},
                       const std::vector<std::string>& under = {});

  Daemon& daemon() { return daemon_; }
  // Has the tracer count, if there is one, and asks for the image. Returns once the image is there,
  // which gives true, or the daemon is gone.
  bool is_made();
  // Starts the daemon anew and asks for the same image again, as a client does that got no answer.
  // Returns what is wrong, beside what the bucket has.
  std::string problems_after_restart();
  // What is wrong now that the image is there. Stops the daemon.
  std::string problems();
  // The objects of a bucket by their keys: what is wrong if they are not the image of this store's
  // job 1 and its thumbnail.
  std::string problems_of_objects(const std::map<std::string, std::string>& objects);
  const std::string& image() const { return api_.image; }

 private:
  bool add();
  bool comes_to_be_there();
  std::size_t charged();
  std::string problems_of_books();
  std::string problems_of_calls();

  FakeImageApi api_;
  FakeOnPort port_{[this](const io::HttpRequest& sent) { return api_.answer(sent); }};
  const bool has_tracer_;
  Daemon daemon_;
};

// Runs `one` for 1, 1 + step, … on some threads, until it returns false. Returns how often it ran.
int run_numbers(int step, const std::function<bool(int)>& one);

}  // namespace haul::testing

#pragma once
// A list of URLs that grows while a job runs, such as standard input. One thread adds to it, and
// another reads it.

#include <cstddef>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "base/url_options.h"

namespace haul {

class UrlFeed {
 public:
  struct Entry {
    std::string url;
    std::string key;  // As ItemKeys makes it.
    UrlOptions options{};
  };

  void add(Entry entry);
  // The list is complete.
  void close();

  struct Part {
    std::vector<Entry> entries;
    bool is_last = false;  // The list has no more, and is complete.
  };
  // From this position on, at most so many.
  Part read(std::size_t from, std::size_t most) const;

 private:
  mutable Mutex mutex_;
  std::vector<Entry> entries_ GUARDED_BY(mutex_);
  bool is_closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace haul

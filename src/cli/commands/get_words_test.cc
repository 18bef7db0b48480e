#include "cli/commands/get_words.h"

#include <doctest/doctest.h>

namespace haul::cli {

TEST_CASE("an error names a bad URL by its file and line, or as an argument") {
  const GetBatch batch{.request = {},
                       .input = "list.txt",
                       .urls = {"notaurl", "http://h/", "ftp://u:secret@h/\x1b"},
                       .lines = {0, 3, 12}};

  CHECK(in_words_of_get(batch, "urls[0]: only http") == "\"notaurl\": only http");
  CHECK(in_words_of_get(batch, "request.urls[1]: no") == "list.txt:3: \"http://h/\": no");
  const std::string last = in_words_of_get(batch, "urls[2]: no");
  CHECK(last.starts_with("list.txt:12: \"ftp://"));
  CHECK(last.find('\x1b') == std::string::npos);
  CHECK(last.find("secret") == std::string::npos);
  CHECK(in_words_of_get(batch, "urls[3]: no") == "urls[3]: no");
}

TEST_CASE("an error names the option instead of the field; other errors stay unchanged") {
  const GetBatch none;

  CHECK(in_words_of_get(none, "filters.min_size: larger than filters.max_size") ==
        "--min-size: larger than --max-size");
  CHECK(in_words_of_get(none, "headers[1]: expected Name: value") ==
        "--header number 2: expected Name: value");
  CHECK(in_words_of_get(none, "request.limits.delay: no") == "--delay: no");
  CHECK(in_words_of_get(none, "name: no") == "-o: no");
  for (const char* other : {"", "nothing at all", "who: knows", "urls[x]: no", "urls[: no"})
    CHECK(in_words_of_get(none, other) == other);
}

}  // namespace haul::cli

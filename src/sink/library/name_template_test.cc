// Which naming templates a configuration may have.

#include <doctest/doctest.h>

#include <string>

#include "sink/library/naming.h"

namespace haul::library {
namespace {

// "12: why", or nothing.
std::string problem(TemplateUse use, std::string_view text) {
  const auto pieces = read_template(use, text);
  if (pieces) return "";
  return std::to_string(pieces.error().position) + ": " + pieces.error().why;
}

std::string movie(std::string_view text) { return problem(TemplateUse::movie, text); }
std::string series(std::string_view text) { return problem(TemplateUse::series, text); }
std::string daily(std::string_view text) { return problem(TemplateUse::daily, text); }

}  // namespace

TEST_CASE("S1-21: the default templates are valid, and so is every token") {
  CHECK(movie(kMovieTemplate) == "");
  CHECK(series(kSeriesTemplate) == "");
  CHECK(daily(kDailyTemplate) == "");
  CHECK(movie("{Movie CleanTitle} {Release Year} {Quality Title} {Edition Tags} {Release Group}") ==
        "");
  CHECK(series("{Series CleanTitle}/{season}x{episode:000} {Episode Title} {Air-Date}") == "");
  CHECK(movie("{Movie Title} {(Release Year)} {[Quality Full]}{-Release Group}") == "");
}

TEST_CASE("S1-21: an unknown token is refused where it stands, with the nearest one") {
  CHECK(movie("{Movie Titel} ({Release Year})") ==
        "0: no token {Movie Titel}; did you mean {Movie Title}?");
  CHECK(movie("{Movie Title} {release year}") ==
        "14: no token {release year}; did you mean {Release Year}?");
  CHECK(movie("{Movie Title} {}") == "14: no token {}");
  CHECK(movie("{Movie Title} {Qwertz}") == "14: no token {Qwertz}");
  CHECK(movie("{Movie Title} {season:00}") == "14: {season} is not for movies");
  CHECK(series("{Movie Title}") == "0: {Movie Title} is not for series");
}

TEST_CASE("S1-21: braces are balanced, and only numbers have a format") {
  CHECK(movie("a {Movie Title") == "2: '{' without a '}' after it");
  CHECK(movie("{Movie {Title}}") == "0: '{' without a '}' after it");
  CHECK(movie("{Movie/Title}") == "0: '{' without a '}' after it");
  CHECK(movie("{Movie Title}}") == "13: '}' without a '{' before it");
  CHECK(series("{season:}").starts_with("0: {season:}: after ':' expected zeros"));
  CHECK(series("{season:01}").starts_with("0: {season:01}: after ':' expected zeros"));
  CHECK(series("{season:00000}").starts_with("0: {season:00000}: after ':' expected zeros"));
  CHECK(series("{Series Title:00}").starts_with("0: {Series Title:00}: after ':' expected zeros"));
  CHECK(series("{Series Title} {season:0000} {episode:0}") == "");
}

TEST_CASE("S1-21: a template that gives two films or episodes one name is refused") {
  CHECK(movie("{Movie Title}") ==
        "13: needs {Movie Title} and {Release Year}, or {Original Title}");
  CHECK(movie("movie {Release Year}").starts_with("20: needs {Movie Title}"));
  CHECK(movie("{Original Title}") == "");
  CHECK(movie("{Movie Title} ({Release Year})/movie") == "");
  CHECK(series("{Series Title} {season:00}").starts_with("26: needs {Series Title}, {season:00}"));
  CHECK(series("{Series Title} {episode:00}").starts_with("27: needs"));
  CHECK(series("{season:00}x{episode:00}").starts_with("24: needs"));
  CHECK(daily("{Series Title} {season:00}").starts_with("26: needs {Series Title} and {Air-Date}"));
}

TEST_CASE("S1-21: a path stays in the library and every part of it has a name") {
  CHECK(movie("") == "0: empty template");
  CHECK(movie("/{Original Title}") == "0: a folder or file without a name");
  CHECK(movie("a//{Original Title}") == "2: a folder or file without a name");
  CHECK(movie("{Original Title}/") == "17: a folder or file without a name");
  CHECK(movie("../{Original Title}") == "0: a folder or file without a name");
  CHECK(movie("a/./{Original Title}") == "2: a folder or file without a name");
  CHECK(movie("a\\{Original Title}") == "1: '\\' in a template; use '/' between folders");
  CHECK(movie("a\n{Original Title}") == "0: control characters or broken UTF-8");
  CHECK(movie("{Original Title}/{Quality Full}") ==
        "17: the file's name would be empty if its tokens are unknown");
  CHECK(movie("{Quality Full}/{Original Title}") == "");
}

TEST_CASE("S1-21: a template has at most 500 bytes and eight folders") {
  const std::string token = "{Original Title}";
  CHECK(movie(token + std::string(kTemplateMax - token.size(), 'a')) == "");
  CHECK(movie(token + std::string(kTemplateMax - token.size() + 1, 'a')) ==
        "500: longer than 500 bytes");
  CHECK(movie("a/a/a/a/a/a/a/a/" + token) == "");
  CHECK(movie("a/a/a/a/a/a/a/a/a/" + token) == "18: more than 8 folders");
}

}  // namespace haul::library

#include "engine/imageapi/graph.h"

#include <doctest/doctest.h>

namespace haul::imageapi {
namespace {

ImageRequest request_of(const std::string& prompt, const std::string& params = "{}") {
  return read_image_request(R"({"prompt":)" + json_quoted(prompt) + R"(,"params":)" + params + "}",
                            "call")
      .value();
}

std::string node(const std::string& inputs) {
  return R"({"1":{"class_type":"K","inputs":{)" + inputs + "}}}";
}

std::string filled(const std::string& inputs, const ImageRequest& wanted) {
  const auto graph = fill_graph(node(inputs), wanted);
  if (!graph) return graph.error().fault().code + ": " + graph.error().detail;
  CHECK(read_object(*graph));
  const std::size_t from = graph->find("inputs") + 9;
  return graph->substr(from, graph->size() - from - 3);
}

}  // namespace

TEST_CASE("a placeholder alone becomes the value, one inside a text becomes text") {
  CHECK(filled(R"("t":"{{prompt}}")", request_of("a cat")) == R"("t":"a cat")");
  CHECK(filled(R"("t":"photo of {{prompt}}, sharp")", request_of("a cat")) ==
        R"("t":"photo of a cat, sharp")");
  CHECK(filled(R"("w":"{{width}}","t":"{{width}}px")", request_of("x", R"({"width":512})")) ==
        R"("w":512,"t":"512px")");
}

TEST_CASE("no prompt can leave its text, whatever it has in it") {
  const std::string prompt = "a\"},\"2\":{\"x\n\\ {{seed}} \xc3\xa9";
  const std::string quoted = json_quoted(prompt);

  CHECK(filled(R"("t":"{{prompt}}")", request_of(prompt)) == "\"t\":" + quoted);
  CHECK(filled(R"("t":"<{{prompt}}>")", request_of(prompt)) ==
        "\"t\":\"<" + quoted.substr(1, quoted.size() - 2) + ">\"");
}

TEST_CASE("a placeholder may have a default, and a seed always has one of its call") {
  CHECK(filled(R"("w":"{{width=1024}}","m":"{{mode=fast}}")", request_of("x")) ==
        R"("w":1024,"m":"fast")");
  CHECK(filled(R"("w":"{{width=1024}}")", request_of("x", R"({"width":8})")) == R"("w":8)");
  CHECK(filled(R"("w":"{{width}}")", request_of("x")) ==
        "bad_params: params.width: the workflow needs it");

  ImageRequest other = request_of("x");
  other.id = uuid_of("another call");
  CHECK(filled(R"("s":"{{seed}}")", request_of("x")) ==
        filled(R"("s":"{{seed}}")", request_of("x")));
  CHECK(filled(R"("s":"{{seed}}")", request_of("x")) != filled(R"("s":"{{seed}}")", other));
  CHECK(filled(R"("s":"{{seed}}")", request_of("x", R"({"seed":7})")) == R"("s":7)");
}

TEST_CASE("a parameter without a placeholder is refused, and so is more than one image") {
  CHECK(filled(R"("t":"{{prompt}}")", request_of("x", R"({"steps":7})")) ==
        "bad_params: params.steps: the workflow has no place for it");
  CHECK(filled(R"("t":"{{prompt}}")", request_of("x", R"({"n":1})")) == R"("t":"x")");
  CHECK(
      filled(R"("t":"{{n}}")", request_of("x", R"({"n":4})")).starts_with("bad_params: params.n:"));
}

TEST_CASE("a workflow is an object of nodes in API format with a place for the prompt") {
  const auto wrong = [](const std::string& text) {
    const auto checked = check_graph(text);
    return checked ? std::string{} : checked.error().detail;
  };

  CHECK(wrong(node(R"("t":"a {{prompt}}","w":"{{width}}")")).empty());
  CHECK(wrong(node(R"("t":"a cat")")) == "has no {{prompt}}");
  CHECK(wrong("[]").starts_with("is no JSON object"));
  CHECK(wrong("{}").starts_with("is no workflow in API format"));
  CHECK(wrong(R"({"nodes":[],"links":[]})").starts_with("is no workflow in API format"));
  CHECK(wrong(R"({"1":{"class_type":"K","{{prompt}}":1}})") ==
        "has a placeholder in a wrong place");
}

}  // namespace haul::imageapi

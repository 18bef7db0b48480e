#include "app/wiring/image.h"

#include <doctest/doctest.h>
#include <fmt/core.h>

namespace haul::testing {
namespace {

using imageapi::ProviderKind;

// The field that the provider's check names, or "fine".
std::string refused_field(ProviderKind provider, const std::string& params) {
  imageapi::ImageSettings settings;
  settings.provider = provider;
  settings.model = "owner/name";
  settings.workflow = R"({"1":{"class_type":"X","inputs":{"t":"{{prompt}}","w":"{{width=8}}"}}})";
  const RequestCheck check = app::image_params(settings);
  const auto refusal = check(fmt::format(R"({{"prompt":"a cat","params":{}}})", params));
  if (!refusal) return "fine";
  CHECK(refusal->kind == RefusalKind::guarded);
  CHECK(refusal->code == "bad_params");
  CHECK(refusal->detail.starts_with(refusal->field + ": "));
  return refusal->field;
}

}  // namespace

TEST_CASE("S4-2: the parameters of a new image are checked as its provider's call would") {
  CHECK(refused_field(ProviderKind::automatic1111, R"({"steps":150})") == "fine");
  CHECK(refused_field(ProviderKind::automatic1111, R"({"steps":151})") == "params.steps");
  CHECK(refused_field(ProviderKind::stability, R"({"seed":0})") == "fine");
  CHECK(refused_field(ProviderKind::stability, R"({"seed":-1})") == "params.seed");
  CHECK(refused_field(ProviderKind::openai, R"({"size":"1x1"})") == "fine");
  CHECK(refused_field(ProviderKind::openai, R"({"sise":"1x1"})") == "params.sise");
  CHECK(refused_field(ProviderKind::replicate, R"({"go_fast":true})") == "fine");
  CHECK(refused_field(ProviderKind::replicate, R"({"disable_safety_checker":true})") ==
        "params.disable_safety_checker");
  CHECK(refused_field(ProviderKind::comfyui, R"({"width":9})") == "fine");
  CHECK(refused_field(ProviderKind::comfyui, R"({"height":9})") == "params.height");
}

TEST_CASE(
    "a request that has no prompt, and a server without a provider, are for others to refuse") {
  CHECK_FALSE(app::image_params(std::nullopt));
  const RequestCheck check = app::image_params(imageapi::ImageSettings{});
  CHECK_FALSE(check("{}"));
  CHECK_FALSE(check("no JSON"));
}

}  // namespace haul::testing

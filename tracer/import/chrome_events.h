// Reads the events of a Chrome trace, without building the document: a trace has millions of them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oscope {

class ImportBatch;

struct ChromeEvent {
  uint64_t line = 0;
  char phase = 0;
  uint32_t name = 0;  // in ChromeEvents::names
  std::string process;
  std::string thread;
  std::optional<double> time_us;
  double duration_us = 0;
  std::string argument;  // args.name, of metadata
};

struct ChromeEvents {
  std::vector<std::string> names;   // names[0] is empty
  std::vector<ChromeEvent> events;  // B, E, X and M only, in the order of the text
  bool unclosed = false;            // the array form may lack its "]" when the program died
};

// Malformed JSON, an event that is no object and a wrong type of a field are the batch's problems.
ChromeEvents ReadChromeEvents(std::string_view bytes, ImportBatch& batch);

}  // namespace oscope

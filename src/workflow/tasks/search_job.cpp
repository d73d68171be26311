#include "quartz/workflow/search_job.hpp"

#include <utility>

#include "optimize/local_optimality/segment_service.hpp"
#include "quartz/base/parallel_for.hpp"
#include "workflow/table_source.hpp"

namespace quartz {

struct SearchJob::Parts {
  Parts(std::string job, const GateSet& some_set, const SuperoptimizeOptions& options)
      : set(some_set),
        table_options{.file = options.class_table,
                      .cache = options.cache,
                      .seconds = options.seconds,
                      .reproducible = true,
                      .threads = options.threads,
                      .on_warning = {}},
        service(
            std::move(job), set, thread_count(options.threads),
            [this](const ClassTableOptions& exactly) {
              return workflow::TableSource(set, table_options).find_exactly(exactly);
            },
            options.table_memory) {}

  const GateSet set;
  const workflow::TableSource::Options table_options;
  optimizer::SegmentService service;
};

SearchJob::SearchJob(std::string job, const GateSet& set, const SuperoptimizeOptions& options)
    : parts_(std::make_unique<Parts>(std::move(job), set, options)) {}

SearchJob::~SearchJob() = default;

void SearchJob::add(SearchTask task) { parts_->service.add(std::move(task)); }

std::optional<SearchTask> SearchJob::take_answer() { return parts_->service.take_answer(); }

}  // namespace quartz

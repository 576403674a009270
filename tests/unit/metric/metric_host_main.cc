// A program that is a metric host and nothing else: what the command line's hidden subcommand is to the real one.
#include "query/distance/user/metric_host.h"

int main(int argc, char** argv) { return argc == 2 ? oscope::RunMetricHost(argv[1]) : 2; }

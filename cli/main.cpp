// bloomlab: the one binary. Parses, calls, prints; every decision of substance is elsewhere.

#include "cli/run_program.hpp"

int main(int argc, char** argv) { return bloomlab::cli::run_program(argc, argv, {}); }

#include "tests/catch_runner.hpp"

int main(int argc, char** argv) { return bloomlab::tests::run_all(argc, argv); }

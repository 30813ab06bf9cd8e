#include <bloomlab/lab_main.hpp>

#include "my_filter.hpp"

int main(int argc, char** argv) { return bloomlab::lab_main<MyFilter>(argc, argv); }

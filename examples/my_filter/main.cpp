#include <bloomlab/lab_main.hpp>

#include "my_filter.hpp"
#include "my_hash.hpp"

int main(int argc, char** argv) { return bloomlab::lab_main<MyFilter, MyHash>(argc, argv); }

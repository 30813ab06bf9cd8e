# The programs that talk to stores. They are not installed with the rest.
add_executable(bloomlab_cache store/cache.cpp store/redis.cpp)
set_target_properties(bloomlab_cache PROPERTIES
  OUTPUT_NAME bloomlab-cache RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
target_link_libraries(bloomlab_cache PRIVATE bloomlab::experiments Threads::Threads)

# That of RocksDB, where it is installed: nothing else is linked with it.
find_path(ROCKSDB_INCLUDE_DIR rocksdb/db.h)
find_library(ROCKSDB_LIBRARY rocksdb)
mark_as_advanced(ROCKSDB_INCLUDE_DIR ROCKSDB_LIBRARY)
if(ROCKSDB_INCLUDE_DIR AND ROCKSDB_LIBRARY)
  add_executable(bloomlab_store store/main.cpp store/table.cpp)
  set_target_properties(bloomlab_store PROPERTIES
    OUTPUT_NAME bloomlab-store RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")
  target_include_directories(bloomlab_store SYSTEM PRIVATE "${ROCKSDB_INCLUDE_DIR}")
  target_link_libraries(bloomlab_store PRIVATE bloomlab::experiments "${ROCKSDB_LIBRARY}")
else()
  file(REMOVE "${PROJECT_BINARY_DIR}/bloomlab-store")  # of a configuration before
  message(STATUS "RocksDB not found: the kinds key_value_store and table_levels are left out (librocksdb-dev)")
endif()

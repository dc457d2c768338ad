// What this program was built from. The definitions are in build_info.cpp, which
// src/io/build_info.cmake writes in the build folder before each build.
#pragma once

namespace playproof {

extern const char* const kVersion;            // "0.2.0"
extern const char* const kGitRevision;        // "0123456789ab", "-dirty" appended; or "unknown"
extern const char* const kSourceFolder;       // where the sources were
extern const char* const kCompiler;           // "GNU 12.2.0"
extern const char* const kBuildType;          // "Release"
extern const bool kCuda;                      // CUDA kernels are compiled in
extern const char* const kCudaArchitectures;  // "80-real;90", empty without CUDA

}  // namespace playproof

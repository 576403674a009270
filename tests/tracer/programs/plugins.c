/* usage: plugins LIBRARY...: loads, runs and unloads each. */
#include <dlfcn.h>

int main(int argc, char** argv) {
  int sum = 0;
  for (int i = 1; i < argc; ++i) {
    void* const library = dlopen(argv[i], RTLD_NOW);
    if (!library) return 1;
    int (*const run)(int) = (int (*)(int))dlsym(library, "run");
    sum += run(i);
    dlclose(library);
  }
  return sum == 0;
}

// An exception that is kept and thrown on later.
#include <exception>
#include <stdexcept>
#include <thread>
int work(int n) { if (n > 2) throw std::runtime_error("too many"); return n; }
std::exception_ptr stored;
void store() { try { work(3); } catch (...) { stored = std::current_exception(); } }
void later() { std::rethrow_exception(stored); }
int main(int argc, char**) {
  if (argc > 1) std::thread([] { store(); }).join(); else store();
  work(1);
  later();
}

// An exception that is caught, and one that must not leave its function.
#include <stdexcept>
void inner(const char* what) { throw std::runtime_error(what); }
void tolerant() { try { inner("first"); } catch (const std::exception&) {} }
void strict() noexcept { inner("second"); }
int main() { tolerant(); strict(); }

/* Compiled twice, with two names: plugins.c loads one after the other, most likely to the same address. */
int NAME(int n) { return n + 1; }

int run(int n) { return NAME(n) + NAME(n); }

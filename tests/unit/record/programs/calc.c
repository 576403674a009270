/* A calculator of arithmetic expressions: recursion, function pointers, a switch, longjmp out of deep calls, qsort with a callback. */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char* text;
  size_t at;
  jmp_buf failed;
} Parser;

static double sum(Parser* parser);

static void skip(Parser* parser) {
  while (isspace((unsigned char)parser->text[parser->at])) parser->at++;
}

static void fail(Parser* parser) { longjmp(parser->failed, 1); }

static double atom(Parser* parser) {
  skip(parser);
  char c = parser->text[parser->at];
  if (c == '(') {
    parser->at++;
    double value = sum(parser);
    skip(parser);
    if (parser->text[parser->at] != ')') fail(parser);
    parser->at++;
    return value;
  }
  if (c == '-') {
    parser->at++;
    return -atom(parser);
  }
  if (!isdigit((unsigned char)c)) fail(parser);
  char* end;
  double value = strtod(parser->text + parser->at, &end);
  parser->at = (size_t)(end - parser->text);
  return value;
}

static double product(Parser* parser) {
  double value = atom(parser);
  for (;;) {
    skip(parser);
    switch (parser->text[parser->at]) {
      case '*': parser->at++; value *= atom(parser); break;
      case '/': {
        parser->at++;
        double divisor = atom(parser);
        if (divisor > -1e-9 && divisor < 1e-9) fail(parser); /* == would be two jumps */
        value /= divisor;
        break;
      }
      default: return value;
    }
  }
}

static double sum(Parser* parser) {
  double value = product(parser);
  for (;;) {
    skip(parser);
    char c = parser->text[parser->at];
    if (c != '+' && c != '-') return value;
    parser->at++;
    value = c == '+' ? value + product(parser) : value - product(parser);
  }
}

static int evaluate(const char* text, double* value) {
  Parser parser = {text, 0, {{{0}}}};
  if (setjmp(parser.failed)) return 0;
  *value = sum(&parser);
  skip(&parser);
  return parser.text[parser.at] == '\0';
}

static int by_value(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return x < y ? -1 : x > y;
}

static int by_size(const void* a, const void* b) { return -by_value(a, b); }

int main(int argc, char** argv) {
  static const char* texts[] = {"1 + 2 * 3", "(4 - 1) * (2 + 2)", "8 / (2 - 2)", "-(3 + 4) * 2", "((1 + 2)", "10 / 4", "2 * * 3", "7"};
  double values[8];
  size_t count = 0;
  for (int round = 0; round < 5; round++) {
    count = 0;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
      if (evaluate(texts[i], &values[count])) count++;
    }
  }
  int (*order)(const void*, const void*) = argc > 1 && strcmp(argv[1], "down") == 0 ? by_size : by_value;
  qsort(values, count, sizeof *values, order);
  for (size_t i = 0; i < count; i++) printf("%g\n", values[i]);
  return 0;
}

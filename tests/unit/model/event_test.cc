#include "tracer/model/event.h"

#include <gtest/gtest.h>

namespace oscope {
namespace {

TEST(Event, IsWrittenAsTheHeaderSays) {
  EXPECT_EQ(MethodEvent("net::Socket::read"), "net::Socket::read");
  EXPECT_EQ(StatementEvent("net::Socket::read", "  n = recv(fd_,\t p);\n"), "S net::Socket::read: n = recv(fd_, p);");
  EXPECT_EQ(BlockEvent("f", 3), "B f: 3");
  EXPECT_EQ(BlockEvent("f", 3, BranchOutcome::kTaken), "B f: 3 taken");
  EXPECT_EQ(BlockEvent("f", 3, BranchOutcome::kNotTaken), "B f: 3 not taken");
  EXPECT_EQ(InstructionEvent("MOV"), "I MOV");
  EXPECT_EQ(InstructionEvent("MOV", "rax, rbx"), "I MOV rax, rbx");
  EXPECT_EQ(ClassEvent("net::Socket"), "C net::Socket");
  EXPECT_EQ(PackageEvent("net"), "P net");
}

TEST(Event, AMethodNamedLikeAnotherKindStaysAMethod) {
  for (const char* name : {"S f: x", "B f: 3", "I MOV", "C net", "P net", "M f"}) {
    const std::string text = MethodEvent(name);
    const EventParts parts = ParseEvent(text);
    EXPECT_EQ(parts.granularity, Granularity::kMethod) << name;
    EXPECT_EQ(parts.owner, name);
  }
}

TEST(Event, ParsesWhatIsWritten) {
  const std::string statement = StatementEvent("A::f", "case 1: x = 2;");
  EXPECT_EQ(ParseEvent(statement).granularity, Granularity::kStatement);
  EXPECT_EQ(ParseEvent(statement).owner, "A::f");
  EXPECT_EQ(ParseEvent(statement).detail, "case 1: x = 2;");
  const std::string block = BlockEvent("A::f", 7, BranchOutcome::kNotTaken);
  EXPECT_EQ(ParseEvent(block).owner, "A::f");
  EXPECT_EQ(ParseEvent(block).detail, "7 not taken");
  EXPECT_EQ(ParseEvent("I ADD eax, 1").owner, "");
  EXPECT_EQ(ParseEvent("I ADD eax, 1").detail, "ADD eax, 1");
  EXPECT_EQ(ParseEvent("C a::B").owner, "a::B");
  EXPECT_EQ(ParseEvent("P a").granularity, Granularity::kPackage);
  EXPECT_EQ(ParseEvent("").granularity, Granularity::kMethod);
}

TEST(Granularity, NamesComeBack) {
  for (int i = 0; i < kGranularities; ++i) {
    const auto granularity = static_cast<Granularity>(i);
    EXPECT_EQ(ParseGranularity(GranularityName(granularity)).value(), granularity);
  }
  EXPECT_EQ(ParseGranularity("line").error().code, ErrorCode::kInvalid);
}

TEST(Coarsen, GoesUpTheScopes) {
  const std::string statement = StatementEvent("net::Socket::read", "n = 0;");
  EXPECT_EQ(Coarsen(statement, Granularity::kStatement), statement);
  EXPECT_EQ(Coarsen(statement, Granularity::kMethod), "net::Socket::read");
  EXPECT_EQ(Coarsen(statement, Granularity::kClass), "C net::Socket");
  EXPECT_EQ(Coarsen(statement, Granularity::kPackage), "P net");
  EXPECT_EQ(Coarsen("C net::Socket", Granularity::kPackage), "P net");
  EXPECT_EQ(Coarsen("P net", Granularity::kMethod), "P net");
}

TEST(Coarsen, AnObjectStandsInForAScope) {
  EXPECT_EQ(Coarsen("main", Granularity::kClass, "/usr/bin/parser"), "C parser");
  EXPECT_EQ(Coarsen("main", Granularity::kPackage, "parser"), "P parser");
  EXPECT_EQ(Coarsen("Socket::read", Granularity::kPackage, "/lib/libnet.so"), "P libnet.so");
  EXPECT_EQ(Coarsen("main", Granularity::kClass), "main");
}

TEST(Coarsen, WhatTheTextDoesNotTellStays) {
  EXPECT_EQ(Coarsen("I MOV", Granularity::kClass, "a.out"), "I MOV");
  EXPECT_EQ(Coarsen("S f: x", Granularity::kBlock), "S f: x");
}

}  // namespace
}  // namespace oscope

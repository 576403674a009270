#include "query/rules/rules.h"

namespace oscope {

QueryPlan ReadTails(QueryPlan plan) {
  plan.use_tails = true;
  return plan;
}

}  // namespace oscope

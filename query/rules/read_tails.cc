// Lets expressions read the index's tails where these suffice; without this rule every trace is read whole.
#include "query/rules/rules.h"

namespace oscope {

QueryPlan ReadTails(QueryPlan plan) {
  plan.use_tails = true;
  return plan;
}

}  // namespace oscope

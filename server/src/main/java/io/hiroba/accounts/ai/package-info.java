/** What agents are driven by, with its costs, and each agent's log of what it did. */
@NullMarked
package io.hiroba.accounts.ai;

import org.jspecify.annotations.NullMarked;

/** The chaos test of all features at once: a ledger of what was acknowledged, compared with what is there. */
@NullMarked
package io.hiroba.bench.chaos.everything;

import org.jspecify.annotations.NullMarked;

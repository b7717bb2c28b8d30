/**
 * The chaos test of the saga orchestrator: nodes crash at random and at every critical point, and the service that they
 * call fails, hangs and answers late; afterwards every saga, approval and schedule is checked.
 */
@NullMarked
package io.hiroba.bench.chaos.saga;

import org.jspecify.annotations.NullMarked;

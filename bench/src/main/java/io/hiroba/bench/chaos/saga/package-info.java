/**
 * Breaking the saga orchestrator on purpose: nodes die at random and where it hurts most, and the service that they call
 * fails, hangs and answers late; afterwards what happened is held against what may have.
 */
@NullMarked
package io.hiroba.bench.chaos.saga;

import org.jspecify.annotations.NullMarked;

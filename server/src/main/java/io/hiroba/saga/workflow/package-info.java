/** Workflows: their language, and the registry of their versions. */
@NullMarked
package io.hiroba.saga.workflow;

import org.jspecify.annotations.NullMarked;

/** What a workflow is made of, how it is written down, and the versions that are registered. */
@NullMarked
package io.hiroba.saga.workflow;

import org.jspecify.annotations.NullMarked;

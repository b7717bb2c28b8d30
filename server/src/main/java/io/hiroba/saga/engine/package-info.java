/** The saga engine: claims sagas, executes and compensates their steps, and takes over those of dead nodes. */
@NullMarked
package io.hiroba.saga.engine;

import org.jspecify.annotations.NullMarked;

/** Works on sagas: claims them, executes their steps, undoes them, and takes over those of a dead node. */
@NullMarked
package io.hiroba.saga.engine;

import org.jspecify.annotations.NullMarked;

/** Errors that callers are meant to see: a kind, a stable code and a sentence that says what to do. */
@NullMarked
package io.hiroba.platform.problem;

import org.jspecify.annotations.NullMarked;

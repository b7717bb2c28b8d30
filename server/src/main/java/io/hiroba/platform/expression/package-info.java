/** Expressions in CEL, the Common Expression Language, over JSON: small, without effects, and bounded. */
@NullMarked
package io.hiroba.platform.expression;

import org.jspecify.annotations.NullMarked;

/** Tests of expressions. */
@NullMarked
package io.hiroba.platform.expression;

import org.jspecify.annotations.NullMarked;

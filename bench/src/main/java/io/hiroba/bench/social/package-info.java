/** What social does, against the same statements without Hiroba around them and against other ways to do it. */
@NullMarked
package io.hiroba.bench.social;

import org.jspecify.annotations.NullMarked;

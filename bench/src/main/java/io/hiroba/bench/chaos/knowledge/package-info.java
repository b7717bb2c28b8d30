/**
 * Breaking knowledge on purpose: servers die while the service that makes their vectors fails in every way, and people go
 * on adding, changing, deleting and talking; afterwards what is there is held against what people were told.
 */
@NullMarked
package io.hiroba.bench.chaos.knowledge;

import org.jspecify.annotations.NullMarked;

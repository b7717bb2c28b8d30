@NullMarked
package io.hiroba.saga.archive;

import org.jspecify.annotations.NullMarked;

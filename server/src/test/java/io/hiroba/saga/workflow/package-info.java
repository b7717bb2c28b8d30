@NullMarked
package io.hiroba.saga.workflow;

import org.jspecify.annotations.NullMarked;

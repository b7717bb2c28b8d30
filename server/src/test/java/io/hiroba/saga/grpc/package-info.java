@NullMarked
package io.hiroba.saga.grpc;

import org.jspecify.annotations.NullMarked;

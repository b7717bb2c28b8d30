@NullMarked
package io.hiroba.platform.grpc;

import org.jspecify.annotations.NullMarked;

/** Traces of what the program does, exported with OpenTelemetry's SDK: the one package that imports it. */
@NullMarked
package io.hiroba.platform.trace;

import org.jspecify.annotations.NullMarked;

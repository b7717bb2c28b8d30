/** A server for tests of workflows and workers. */
@NullMarked
package io.hiroba.client.testkit;

import org.jspecify.annotations.NullMarked;

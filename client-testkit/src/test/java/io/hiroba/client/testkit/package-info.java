@NullMarked
package io.hiroba.client.testkit;

import org.jspecify.annotations.NullMarked;

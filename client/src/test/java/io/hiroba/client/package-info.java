@NullMarked
package io.hiroba.client;

import org.jspecify.annotations.NullMarked;

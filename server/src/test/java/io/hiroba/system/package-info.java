@NullMarked
package io.hiroba.system;

import org.jspecify.annotations.NullMarked;

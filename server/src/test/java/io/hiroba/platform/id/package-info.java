@NullMarked
package io.hiroba.platform.id;

import org.jspecify.annotations.NullMarked;

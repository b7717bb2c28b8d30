@NullMarked
package io.hiroba.platform.text;

import org.jspecify.annotations.NullMarked;

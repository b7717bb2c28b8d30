@NullMarked
package io.hiroba.platform.markdown;

import org.jspecify.annotations.NullMarked;

@NullMarked
package io.hiroba.backup;

import org.jspecify.annotations.NullMarked;
